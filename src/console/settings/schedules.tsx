/** Schedules: the list of them, the runs of one, and a new one. */

import { type Answer, ask } from '../client.ts';
import { List } from '../parts/list.tsx';
import type { Column } from '../parts/table.tsx';
import { askAgain, useQuery } from '../queries.ts';
import { type Address, useAddress } from '../view/address.ts';
import { inMoment } from '../words.ts';
import { type Action, EnabledBadge, ManagedPage, RowActions, shownMax } from './managed.tsx';
import { NewSchedule } from './newSchedule.tsx';
import { nameOf, whenOf } from './scheduled.ts';
import { ScheduleRuns } from './scheduleRuns.tsx';

type Schedule = Answer<'listSchedules'>['schedules'][number];

/** The page of schedules. */
export function ScheduleSettings() {
  return (
    <ManagedPage title="Schedules" icon="clock">
      <Content />
    </ManagedPage>
  );
}

function Content() {
  const { params, hrefOf } = useAddress();
  const query = useQuery('listSchedules', { pageSize: shownMax });
  const { value } = query;
  const chosen = value?.schedules.find(({ scheduleId }) => scheduleId === params.get('schedule'));
  return (
    <>
      <List
        title="Schedules"
        of="schedules"
        id="scheduleId"
        size={shownMax}
        query={query}
        columns={columnsOf(hrefOf)}
        empty={{
          icon: 'clock',
          title: 'No schedules yet',
          text: (
            <>
              A schedule runs a report at the times that you choose, keeps its file for 30 days and
              can send it by e-mail. The <a href="/guides/schedules">guide</a> shows more.
            </>
          ),
        }}
        note="A schedule reads the stores that its user can see. The next runs are shown in your time zone."
      />
      {chosen && <ScheduleRuns schedule={chosen} />}
      <NewSchedule onCreated={askAgain} />
    </>
  );
}

function columnsOf(hrefOf: Address['hrefOf']): readonly Column<Schedule>[] {
  return [
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
    { id: 'state', name: 'State', cell: EnabledBadge },
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
    { id: 'actions', name: 'Actions', cell: (schedule) => <Actions schedule={schedule} /> },
  ];
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

function Actions({ schedule: { scheduleId, name, state } }: OfSchedule) {
  const isEnabled = state === 'enabled';
  const after = (work: () => Promise<unknown>) => async () => {
    await work();
    askAgain();
  };
  const next = isEnabled ? 'paused' : 'enabled';
  const run: Action = {
    name: 'Run now',
    act: after(() => ask('runSchedule', { scheduleId })),
    done: 'Started.',
  };
  const change: Action = {
    name: isEnabled ? 'Pause' : 'Enable',
    act: after(() => ask('changeSchedule', { scheduleId, state: next })),
    done: 'Changed.',
  };
  return (
    <RowActions
      name={name}
      actions={state === 'disabled' ? [change] : [run, change]}
      remove={after(() => ask('deleteSchedule', { scheduleId }))}
    />
  );
}
