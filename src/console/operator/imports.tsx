/** Imports: all of them, and one with its refused rows. */
import type { Answer } from '../client.ts';
import { Body, Empty, Note, Panel } from '../parts/panel.tsx';
import { Segments } from '../parts/segments.tsx';
import { StateBadge } from '../parts/stateBadge.tsx';
import { type Column, DataTable } from '../parts/table.tsx';
import { type Query, useGathered, useQuery } from '../queries.ts';
import { useAddress } from '../view/address.ts';
import { count } from '../view/format.ts';
import { inMoment } from '../words.ts';
import { inFields } from './importOptions.ts';
import { OnlyNote, OperatorList, usePage } from './list.tsx';
import { Counts, RefusedRows, RefusedTools } from './recap.tsx';
import { addressOf } from './sections.ts';

/** An import, as the list answers it. */
export type Import = Answer<'listImports'>['imports'][number];
type State = Import['state'];

const states: Readonly<Record<State, string>> = {
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  undone: 'Undone',
};
const isState = (text: string | null): text is State => text !== null && text in states;

/** The list of imports, or one import if the address names it. */
export function Imports() {
  const { params, hrefOf } = useAddress();
  const [channelId, wanted] = [params.get('channel'), params.get('state')];
  const state = isState(wanted) ? wanted : undefined;
  const query = useQuery('listImports', {
    ...(channelId !== null && { channelId }),
    ...(state && { state }),
    ...usePage(),
  });
  return (
    <>
      {params.has('import') && <OneImport importId={Number(params.get('import'))} />}
      <OnlyNote param="channel" icon="store" />
      <OperatorList
        title="Imports"
        query={query}
        rowsOf={({ imports }) => imports}
        keyOf={({ importId }) => String(importId)}
        columns={columns}
        empty={noImports}
        tools={
          <Segments
            name="State"
            options={[
              { id: '', name: 'All' },
              ...Object.entries(states).map(([id, name]) => ({ id, name })),
            ]}
            chosen={state ?? ''}
            hrefOf={(id) => hrefOf({ state: id, page: undefined, import: undefined })}
          />
        }
      />
    </>
  );
}

const noImports = {
  icon: 'inventory',
  title: 'No imports here',
  text: (
    <>
      Drop a document on a channel in <a href={addressOf('channels')}>Channels</a>.
    </>
  ),
} as const;

/** The rows of a list of imports, for panels of their own. */
export function ImportTable({ query }: { readonly query: Query<Answer<'listImports'>> }) {
  return (
    <Body query={query} name="the imports" lines={8}>
      {({ imports }) =>
        imports.length === 0 ? (
          <Empty icon={noImports.icon} title={noImports.title}>
            <p>{noImports.text}</p>
          </Empty>
        ) : (
          <DataTable
            name="Imports"
            rows={imports}
            keyOf={({ importId }) => String(importId)}
            columns={columns}
          />
        )
      }
    </Body>
  );
}

const columns: readonly Column<Import>[] = [
  {
    id: 'started',
    name: 'Started',
    cell: ({ importId, startedAt }) => (
      <a href={addressOf('imports', { import: String(importId) })}>{inMoment(startedAt)}</a>
    ),
  },
  { id: 'document', name: 'Document', cell: ({ dataset }) => dataset },
  {
    id: 'channel',
    name: 'Channel',
    cell: ({ channelId }) =>
      channelId === null ? (
        <span class="muted">None</span>
      ) : (
        <a href={addressOf('channels', { channel: channelId })}>{channelId}</a>
      ),
  },
  {
    id: 'state',
    name: 'State',
    cell: ({ state }) => <StateBadge state={state} name={states[state]} />,
  },
  { id: 'read', name: 'Read', isNumber: true, cell: ({ rowsRead }) => count(rowsRead) },
  { id: 'accepted', name: 'Accepted', isNumber: true, cell: (one) => count(one.rowsAccepted) },
  { id: 'merged', name: 'Merged', isNumber: true, cell: ({ rowsMerged }) => count(rowsMerged) },
  {
    id: 'refused',
    name: 'Refused',
    isNumber: true,
    cell: ({ rowsRejected }) => (
      <span class={rowsRejected > 0 ? 'low' : undefined}>{count(rowsRejected)}</span>
    ),
  },
  {
    id: 'reason',
    name: 'Reason',
    cell: ({ error }) => error !== null && <p class="reason">{inFields(error)}</p>,
  },
];

function OneImport({ importId }: { readonly importId: number }) {
  const query = useGathered(`import ${importId}`, async (ask) => {
    const [found, { rejected }] = await Promise.all([
      ask('readImport', { importId }),
      ask('listImportRejections', { importId }),
    ]);
    return { found, rejected };
  });
  const name = `import ${importId}`;
  return (
    <Panel
      title={`Import ${importId}`}
      isLoading={query.isLoading}
      tools={
        query.value &&
        query.value.rejected.length > 0 && <RefusedTools name={name} rows={query.value.rejected} />
      }
    >
      <Body query={query} name={name}>
        {({ found, rejected }) => (
          <>
            <p class="recap-line">
              <StateBadge state={found.state} name={states[found.state]} /> {found.dataset}
              {found.channelId !== null && ` into ${found.channelId}`}, {inMoment(found.startedAt)}
            </p>
            {found.error !== null && (
              <div class="body">
                <Note>{inFields(found.error)}</Note>
              </div>
            )}
            <Counts counts={found} />
            <RefusedRows name={name} rows={rejected} total={found.rowsRejected} />
          </>
        )}
      </Body>
    </Panel>
  );
}
