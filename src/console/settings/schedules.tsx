/** Schedules: the list of them, the runs of one, and a new one. */
import { useState } from 'preact/hooks';
import { useAccount } from '../account.tsx';
import type { Refused } from '../client.ts';
import { useSaid } from '../copying.tsx';
import { askData, type DataAnswer } from '../data.ts';
import { Icon } from '../parts/icons.tsx';
import { Body, Empty, Panel } from '../parts/panel.tsx';
import { type Column, DataTable } from '../parts/table.tsx';
import { forgetAnswers, useQuery } from '../queries.ts';
import { useAddress } from '../view/address.ts';
import { inMoment } from '../words.ts';
import { SettingsPage } from './frame.tsx';
import { NewSchedule } from './newSchedule.tsx';
import { nameOf, whenOf } from './scheduled.ts';
import { ScheduleRuns } from './scheduleRuns.tsx';

type Schedule = DataAnswer<'listSchedules'>['schedules'][number];

/** Schedules that are listed: more than an organisation may have, unless its operator says so. */
const shownMax = 100;

/** The page of schedules. */
export function ScheduleSettings() {
  const { session } = useAccount();
  return (
    <SettingsPage title="Schedules">
      {session?.role === 'member' ? (
        <Panel title="Schedules">
          <Empty icon="clock" title="Members do not manage schedules.">
            <p>Only the owners and administrators of your organisation can create and see them.</p>
          </Empty>
        </Panel>
      ) : (
        <Content />
      )}
    </SettingsPage>
  );
}

function Content() {
  const { params } = useAddress();
  const query = useQuery('listSchedules', { pageSize: shownMax });
  /** Grows with every change, so that the runs are asked again. */
  const [revision, setRevision] = useState(0);
  const { value } = query;
  const chosen = value?.schedules.find(({ scheduleId }) => scheduleId === params.get('schedule'));
  const changed = () => {
    forgetAnswers();
    setRevision((before) => before + 1);
    query.retry();
  };
  return (
    <>
      <Panel title="Schedules" count={value?.total} isLoading={query.isLoading}>
        <Body query={query} name="the schedules" lines={4}>
          {({ schedules }) =>
            schedules.length === 0 ? (
              <Empty icon="clock" title="No schedules yet">
                <p>
                  A schedule runs a report at the times that you choose, keeps its file for 30 days
                  and can send it by e-mail. The <a href="/guides/schedules">guide</a> shows more.
                </p>
              </Empty>
            ) : (
              <List schedules={schedules} changed={changed} />
            )
          }
        </Body>
        <footer>
          A schedule reads the stores that its user reaches. The next runs are shown in your time
          zone.
        </footer>
      </Panel>
      {chosen && <ScheduleRuns key={revision} schedule={chosen} />}
      <NewSchedule onCreated={changed} />
    </>
  );
}

type ListProps = {
  readonly schedules: readonly Schedule[];
  /** Called after a change. */
  readonly changed: () => void;
};

function List({ schedules, changed }: ListProps) {
  const { hrefOf } = useAddress();
  const columns: readonly Column<Schedule>[] = [
    {
      id: 'name',
      name: 'Name',
      cell: ({ name, operation, scheduleId }) => (
        <span class="two">
          <a href={hrefOf({ schedule: scheduleId, page: undefined })}>{name}</a>
          <small>{nameOf(operation)}</small>
        </span>
      ),
    },
    { id: 'state', name: 'State', cell: (schedule) => <State schedule={schedule} /> },
    {
      id: 'when',
      name: 'When',
      cell: ({ cron, timezone }) => (
        <span class="two">
          <span title={cron}>{whenOf(cron)}</span>
          <small>{timezone.replaceAll('_', ' ')}</small>
        </span>
      ),
    },
    { id: 'next', name: 'Next runs', cell: (schedule) => <NextRuns schedule={schedule} /> },
    {
      id: 'actions',
      name: 'Actions',
      cell: (schedule) => <Actions schedule={schedule} changed={changed} />,
    },
  ];
  return (
    <DataTable
      name="Schedules"
      columns={columns}
      rows={schedules}
      keyOf={({ scheduleId }) => scheduleId}
    />
  );
}

type OfSchedule = { readonly schedule: Schedule };

/** The next time, and those after it on request. */
function NextRuns({ schedule: { nextRuns } }: OfSchedule) {
  const [next, ...later] = nextRuns.map(inMoment);
  if (next === undefined) return null;
  return (
    <details>
      <summary>{next}</summary>
      {later.map((one) => (
        <div key={one}>{one}</div>
      ))}
    </details>
  );
}

function State({ schedule: { state, reason } }: OfSchedule) {
  if (state === 'paused') return <span class="badge">Paused</span>;
  if (state === 'enabled')
    return (
      <span class="badge good">
        <Icon name="check" />
        Enabled
      </span>
    );
  return (
    <>
      <span class="badge bad">
        <Icon name="alert" />
        Disabled
      </span>
      <div class="reason">{reason}</div>
    </>
  );
}

type ActionsProps = OfSchedule & Pick<ListProps, 'changed'>;

function Actions({ schedule: { scheduleId, name, state }, changed }: ActionsProps) {
  const [said, say] = useSaid();
  const [isDeleting, setDeleting] = useState(false);
  const act = async (work: () => Promise<unknown>, words: string) => {
    try {
      await work();
      changed();
      say(words);
    } catch (error) {
      say((error as Refused).message);
    }
  };
  const isEnabled = state === 'enabled';
  const button = (words: string, onClick: () => unknown) => (
    <button type="button" class="control" aria-label={`${words}: ${name}`} onClick={onClick}>
      {words}
    </button>
  );
  const run = () => askData('runSchedule', { scheduleId });
  const next = isEnabled ? 'paused' : 'enabled';
  const change = () => askData('changeSchedule', { scheduleId, state: next });
  const remove = () => askData('deleteSchedule', { scheduleId });
  return (
    <div class="actions">
      <span role="status" class="said">
        {said}
      </span>
      {isDeleting ? (
        <>
          {button('Delete for good', () => act(remove, 'Deleted.'))}
          {button('Keep', () => setDeleting(false))}
        </>
      ) : (
        <>
          {state !== 'disabled' && button('Run now', () => act(run, 'Started.'))}
          {button(isEnabled ? 'Pause' : 'Enable', () => act(change, 'Changed.'))}
          {button('Delete', () => setDeleting(true))}
        </>
      )}
    </div>
  );
}
