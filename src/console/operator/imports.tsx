/** Imports: all of them, and one with its refused rows. */
import { Icon, type IconName } from '../parts/icons.tsx';
import { Body, Empty, Note, Panel } from '../parts/panel.tsx';
import { Segments } from '../parts/segments.tsx';
import { type Column, DataTable, PagesFoot, pageOf } from '../parts/table.tsx';
import { useAddress } from '../view/address.ts';
import { count } from '../view/format.ts';
import { inMoment } from '../words.ts';
import { type Query, useAsked, useGathered } from './access.tsx';
import type { Answer } from './client.ts';
import { Counts, RefusedRows, RefusedTools } from './recap.tsx';
import { addressOf } from './sections.ts';

/** An import, as the list answers it. */
export type Import = Answer<'listImports'>['imports'][number];
type State = Import['state'];

const pageSize = 50;

const states: Readonly<
  Record<State, { readonly name: string; readonly icon: IconName; readonly tone: string }>
> = {
  running: { name: 'Running', icon: 'clock', tone: '' },
  done: { name: 'Done', icon: 'check', tone: 'good' },
  failed: { name: 'Failed', icon: 'alert', tone: 'bad' },
  undone: { name: 'Undone', icon: 'back', tone: '' },
};
const isState = (text: string | null): text is State => text !== null && text in states;

function StateBadge({ state }: { readonly state: State }) {
  const { name, icon, tone } = states[state];
  return (
    <span class={`badge ${tone}`}>
      <Icon name={icon} />
      {name}
    </span>
  );
}

/** The list of imports, or one import if the address names it. */
export function Imports() {
  const { params, hrefOf } = useAddress();
  const [channelId, wanted] = [params.get('channel'), params.get('state')];
  const state = isState(wanted) ? wanted : undefined;
  const page = pageOf(params);
  const query = useAsked('listImports', {
    ...(channelId !== null && { channelId }),
    ...(state && { state }),
    ...{ pageIndex: page - 1, pageSize },
  });
  return (
    <>
      {params.has('import') && <OneImport importId={Number(params.get('import'))} />}
      {channelId !== null && (
        <Note tone="plain" icon="store" tools={<a href={hrefOf({ channel: undefined })}>All</a>}>
          Only imports into {channelId}.
        </Note>
      )}
      <Panel
        title="Imports"
        count={query.value?.total}
        isLoading={query.isLoading}
        tools={
          <Segments
            name="State"
            options={[
              { id: '', name: 'All' },
              ...Object.entries(states).map(([id, { name }]) => ({ id, name })),
            ]}
            chosen={state ?? ''}
            hrefOf={(id) => hrefOf({ state: id, page: undefined, import: undefined })}
          />
        }
      >
        <ImportTable query={query} />
        <PagesFoot page={page} size={pageSize} total={query.value?.total ?? 0} />
      </Panel>
    </>
  );
}

/** The rows of a list of imports. */
export function ImportTable({ query }: { readonly query: Query<Answer<'listImports'>> }) {
  return (
    <Body query={query} name="the imports" lines={8}>
      {({ imports }) =>
        imports.length === 0 ? (
          <Empty icon="inventory" title="No imports here">
            <p>
              Drop a document on a channel in <a href={addressOf('channels')}>Channels</a>.
            </p>
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
  { id: 'state', name: 'State', cell: ({ state }) => <StateBadge state={state} /> },
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
    cell: ({ error }) => error !== null && <p class="reason">{error}</p>,
  },
];

function OneImport({ importId }: { readonly importId: number }) {
  const query = useGathered(`import ${importId}`, async (ask, signal) => {
    const [found, { rejected }] = await Promise.all([
      ask('readImport', { importId }, signal),
      ask('listImportRejections', { importId }, signal),
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
              <StateBadge state={found.state} /> {found.dataset}
              {found.channelId !== null && ` into ${found.channelId}`}, {inMoment(found.startedAt)}
            </p>
            {found.error !== null && (
              <div class="body">
                <Note>{found.error}</Note>
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
