import { OutcomeMark, type OutcomeName, outcomeOf } from '../charts/outcomes.tsx';
import type { Answer } from '../client.ts';
import { CopyButton } from '../copying.tsx';
import { Body, Empty, Panel } from '../parts/panel.tsx';
import { Segments } from '../parts/segments.tsx';
import { type Column, DataTable, TableSearch } from '../parts/table.tsx';
import { RefreshButton, Toolbar } from '../parts/toolbar.tsx';
import { useQuery } from '../queries.ts';
import { useAddress } from '../view/address.ts';
import { inDuration, inSeconds, zone } from '../words.ts';
import { KeyName } from './key.tsx';

type Request = Answer<'listRecentRequests'>['requests'][number];

const filters: readonly { readonly id: OutcomeName | 'all'; readonly name: string }[] = [
  { id: 'all', name: 'All' },
  { id: 'refused', name: 'Refused' },
  { id: 'limited', name: 'Limited' },
  { id: 'failed', name: 'Failed' },
];

/** The latest requests, one by one. */
export function LatestRequests() {
  const loaded = useQuery('listRecentRequests', {});
  const { params, hrefOf } = useAddress();
  const chosen = filters.find(({ id }) => id === params.get('outcome'))?.id ?? 'all';
  const sought = (params.get('q') ?? '').trim().toLowerCase();
  const shown = (loaded.value?.requests ?? []).filter(
    ({ status, requestId }) =>
      (chosen === 'all' || outcomeOf(status).name === chosen) &&
      requestId.toLowerCase().includes(sought),
  );
  return (
    <Panel
      title="Latest requests"
      isLoading={loaded.isLoading}
      choices={
        <Segments
          name="Requests shown"
          options={filters}
          chosen={chosen}
          hrefOf={(id) => hrefOf({ outcome: id === 'all' ? undefined : id })}
        />
      }
      tools={
        <>
          <TableSearch name="Request id" />
          <RefreshButton query={loaded} name="latest requests" />
          <Toolbar name="Latest requests" rows={() => rowsOf(shown)} />
        </>
      }
    >
      <Body query={loaded} name="latest requests">
        {({ requests }) => <Requests all={requests} shown={shown} />}
      </Body>
      <footer>
        The last 50 requests of 7 days. Bodies are not stored. Times are in your time zone, {zone}.
        Quote the request id when you ask the operator about a request.
      </footer>
    </Panel>
  );
}

type RequestsProps = { readonly all: readonly Request[]; readonly shown: readonly Request[] };

function Requests({ all, shown }: RequestsProps) {
  if (all.length === 0)
    return (
      <Empty icon="terminal" title="No requests in the last 7 days.">
        <p>They appear here a few seconds after they are answered.</p>
      </Empty>
    );
  if (shown.length === 0)
    return (
      <Empty icon="search" title="No request matches.">
        <p>Choose All, or clear the search.</p>
      </Empty>
    );
  const hasSeveralKeys = new Set(all.map(({ key }) => key.keyId)).size > 1;
  return (
    <DataTable
      name="Latest requests"
      columns={hasSeveralKeys ? columns : columns.filter(({ id }) => id !== 'key')}
      rows={shown}
      keyOf={({ requestId, at }) => `${requestId} ${at}`}
    />
  );
}

const columns: readonly Column<Request>[] = [
  {
    id: 'time',
    name: 'Time',
    cell: ({ at }) => <time dateTime={new Date(at).toISOString()}>{inSeconds(at)}</time>,
  },
  {
    id: 'status',
    name: 'Status',
    cell: ({ status }) => (
      <span class="outcome">
        <OutcomeMark name={outcomeOf(status).name} />
        {status}
        <span class="visually-hidden"> {outcomeOf(status).label.toLowerCase()}</span>
      </span>
    ),
  },
  { id: 'call', name: 'Call', cell: ({ call }) => <code>{call}</code> },
  {
    id: 'reason',
    name: 'Reason',
    cell: ({ reason }) => <span class="reason">{reason}</span>,
  },
  { id: 'key', name: 'Key', cell: ({ key }) => <KeyName name={key.name} hint={key.hint} /> },
  {
    id: 'duration',
    name: 'Duration',
    isNumber: true,
    cell: ({ milliseconds }) => inDuration(milliseconds),
  },
  {
    id: 'requestId',
    name: 'Request id',
    cell: ({ requestId }) => (
      <span class="request-id">
        <code>{requestId}</code>
        <CopyButton text={requestId} name={`request id ${requestId}`} />
      </span>
    ),
  },
];

const rowsOf = (requests: readonly Request[]) => [
  ['time', 'status', 'call', 'reason', 'key', 'milliseconds', 'requestId'],
  ...requests.map(({ at, status, call, reason, key, milliseconds, requestId }) => [
    new Date(at).toISOString(),
    status,
    call,
    reason ?? '',
    key.name,
    milliseconds,
    requestId,
  ]),
];
