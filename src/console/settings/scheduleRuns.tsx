/** The runs of a schedule, and their files. */

import { type Answer, ask } from '../client.ts';
import { saveFile } from '../files.ts';
import { ActionButton } from '../parts/actionButton.tsx';
import { List, moment } from '../parts/list.tsx';
import { StateBadge } from '../parts/stateBadge.tsx';
import { type Column, pageOf } from '../parts/table.tsx';
import { useLookAgain, useQuery } from '../queries.ts';
import { useAddress } from '../view/address.ts';
import { inMoment } from '../words.ts';

type Schedule = Answer<'listSchedules'>['schedules'][number];
type Run = Answer<'listScheduleRuns'>['runs'][number];

const pageSize = 25;
const lookAgainMilliseconds = 2_000;
const names: Readonly<Record<Run['state'], string>> = {
  waiting: 'Waiting',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
};
const stateNames: Readonly<Record<Schedule['recipients'][number]['state'], string>> = {
  member: 'a user of the organisation',
  allowed: 'of an allowed domain',
  confirmed: 'confirmed',
  unconfirmed: 'has not confirmed, and gets no files',
  unsubscribed: 'unsubscribed, and gets no files',
};
const isUnderWay = ({ state }: Run) => state === 'waiting' || state === 'running';

/** The table of runs, the newest first; it is read again until all are over. */
export function ScheduleRuns({ schedule }: { readonly schedule: Schedule }) {
  const { scheduleId, name, createdBy, recipients } = schedule;
  const { params } = useAddress();
  const page = pageOf(params);
  const input = { scheduleId, pageIndex: page - 1, pageSize };
  const query = useQuery('listScheduleRuns', input);
  const { value } = query;
  useLookAgain(query, value?.runs.some(isUnderWay) ? lookAgainMilliseconds : undefined);
  const linkOf = async (runId: string) => {
    const { runs } = await ask('listScheduleRuns', input);
    return runs.find((run) => run.runId === runId)?.downloadUrl ?? undefined;
  };
  return (
    <List
      title="Runs"
      of="runs"
      id="runId"
      size={pageSize}
      query={query}
      columns={columnsOf(linkOf)}
      lead={
        <>
          <p class="body muted">
            Of {name}, in the last 30 days. It reads the stores of {createdBy}.
          </p>
          {recipients.length > 0 && (
            <ul class="body" aria-label="Recipients">
              {recipients.map(({ email, state }) => (
                <li key={email}>
                  {email}: {stateNames[state]}
                </li>
              ))}
            </ul>
          )}
        </>
      }
      empty={{
        icon: 'clock',
        title: 'No runs yet',
        text: 'They appear here when the schedule is due, or when you run it now.',
      }}
    />
  );
}

type LinkOf = (runId: string) => Promise<string | undefined>;

function columnsOf(linkOf: LinkOf): readonly Column<Run>[] {
  return [
    moment('dueAt', 'Due'),
    {
      id: 'outcome',
      name: 'Outcome',
      cell: ({ state, error }) => (
        <>
          <StateBadge state={state} name={names[state]} />
          {error !== null && <div class="reason">{error}</div>}
        </>
      ),
    },
    {
      id: 'file',
      name: 'File',
      cell: (run) =>
        run.downloadUrl === null ? null : (
          <ActionButton
            icon="download"
            words="Download"
            name={`Download: ${inMoment(run.dueAt)}`}
            act={async () => {
              // Links end after an hour, so each download requests one.
              const link = await linkOf(run.runId);
              if (link === undefined) return 'The file is not there any more.';
              saveFile(link);
              return undefined;
            }}
          />
        ),
    },
    {
      id: 'mail',
      name: 'E-mail',
      cell: ({ mailedAt, mailError }) => (
        <>
          {mailedAt !== null && `Sent ${inMoment(mailedAt)}`}
          {mailError !== null && <div class="reason">{mailError}</div>}
        </>
      ),
    },
  ];
}
