/** Jobs: reports and unit costs that wait, run or have ended. */

import { useState } from 'preact/hooks';
import { type Answer, ask } from '../client.ts';
import { Question } from '../parts/form.tsx';
import { counts, List, moment } from '../parts/list.tsx';
import { Segments } from '../parts/segments.tsx';
import { StateBadge } from '../parts/stateBadge.tsx';
import type { Column } from '../parts/table.tsx';
import { askAgain, useQuery } from '../queries.ts';
import { useAddress } from '../view/address.ts';
import { none } from '../view/format.ts';
import { inDuration } from '../words.ts';
import { OnlyNote, shortId, usePage } from './list.tsx';
import { addressOf } from './sections.ts';

type Job = Answer<'listJobs'>['jobs'][number];

const kinds: Readonly<Record<Job['kind'], string>> = { report: 'Report', unitCosts: 'Unit costs' };
const states: Readonly<Record<Job['state'], string>> = {
  waiting: 'Waiting',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
};

/** The text, if it is one of the names of a record. */
const among = <Id extends string>(names: Readonly<Record<Id, string>>, text: string | null) =>
  text !== null && text in names ? (text as Id) : undefined;

const optionsOf = (names: Readonly<Record<string, string>>) => [
  { id: '', name: 'All' },
  ...Object.entries(names).map(([id, name]) => ({ id, name })),
];

/** The jobs of all organisations, or of an organisation or channel. */
export function Jobs() {
  const { params, hrefOf } = useAddress();
  const [organisationId, channelId] = [params.get('organisation'), params.get('channel')];
  const [kind, state] = [among(kinds, params.get('kind')), among(states, params.get('state'))];
  const [cancelled, cancel] = useState<Job>();
  const query = useQuery('listJobs', {
    ...(kind && { kind }),
    ...(state && { state }),
    ...(organisationId !== null && { organisationId }),
    ...(channelId !== null && { channelId }),
    ...usePage(),
  });
  return (
    <>
      <OnlyNote param="organisation" icon="overview" />
      <OnlyNote param="channel" icon="store" />
      <List
        title="Jobs"
        query={query}
        of="jobs"
        id="jobId"
        columns={columnsWith(cancel)}
        tools={
          <>
            <Segments
              name="Kind"
              options={optionsOf(kinds)}
              chosen={kind ?? ''}
              hrefOf={(id) => hrefOf({ kind: id, page: undefined })}
            />
            <Segments
              name="State"
              options={optionsOf(states)}
              chosen={state ?? ''}
              hrefOf={(id) => hrefOf({ state: id, page: undefined })}
            />
          </>
        }
        foot="Jobs are kept for 30 days after their end."
        empty={{
          icon: 'clock',
          title: 'No jobs here',
          text: 'Reports and unit costs that users ask for appear here.',
        }}
      />
      {cancelled && <CancelDialog job={cancelled} closed={() => cancel(undefined)} />}
    </>
  );
}

type CancelProps = { readonly job: Job; readonly closed: () => void };

function CancelDialog({ job: { jobId, kind, channelId }, closed }: CancelProps) {
  return (
    <Question
      title={`Cancel the job ${kinds[kind]} of ${channelId}?`}
      yes="Cancel the job"
      no="Keep it"
      act={() => ask('cancelJob', { jobId })}
      done={askAgain}
      closed={closed}
    >
      It ends as failed, and its user reads that the operator cancelled it. A job that has begun
      meanwhile goes on.
    </Question>
  );
}

const columnsWith = (cancel: (job: Job) => void): readonly Column<Job>[] => [
  moment('createdAt', 'Requested'),
  { id: 'kind', name: 'Kind', cell: ({ kind }) => kinds[kind] },
  {
    id: 'channel',
    name: 'Channel',
    cell: ({ channelId: channel }) => <a href={addressOf('channels', { channel })}>{channel}</a>,
  },
  {
    id: 'organisation',
    name: 'Organisation',
    cell: ({ organisationId: organisation }) => (
      <a href={addressOf('organisations', { organisation })}>
        <code>{shortId(organisation)}</code>
      </a>
    ),
  },
  {
    id: 'state',
    name: 'State',
    cell: ({ state }) => <StateBadge state={state} name={states[state]} />,
  },
  moment('startedAt', 'Started'),
  {
    id: 'duration',
    name: 'Duration',
    isNumber: true,
    cell: ({ milliseconds }) => (milliseconds === null ? none : inDuration(milliseconds)),
  },
  counts('attempts', 'Attempts'),
  {
    id: 'reason',
    name: 'Reason',
    cell: ({ error }) => error !== null && <p class="reason">{error}</p>,
  },
  {
    id: 'cancel',
    name: 'Cancel',
    cell: (job) =>
      job.state === 'waiting' && (
        <button
          type="button"
          class="control"
          aria-label={`Cancel the job ${kinds[job.kind]} of ${job.channelId}`}
          onClick={() => cancel(job)}
        >
          Cancel
        </button>
      ),
  },
];
