/** Imports: all of them, and one with its refused rows. */
import type { VNode } from 'preact';
import type { Answer } from '../client.ts';
import { counts, List, type NoRows, plain } from '../parts/list.tsx';
import { Body, Note, Panel } from '../parts/panel.tsx';
import { Segments } from '../parts/segments.tsx';
import { StateBadge } from '../parts/stateBadge.tsx';
import type { Column } from '../parts/table.tsx';
import { type Query, useGathered, useQuery } from '../queries.ts';
import { useAddress } from '../view/address.ts';
import { count } from '../view/format.ts';
import { inMoment } from '../words.ts';
import { inFields } from './importOptions.ts';
import { OnlyNote, usePage } from './list.tsx';
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
      <List
        title="Imports"
        query={query}
        of="imports"
        id="importId"
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
} as const satisfies NoRows;

type ImportListProps = {
  readonly title: string;
  readonly query: Query<Pick<Answer<'listImports'>, 'imports' | 'total'>>;
  readonly empty?: NoRows | VNode;
  /** The address of all such imports. */
  readonly all?: { readonly href: string; readonly words: string };
};

/** A list of a few imports, below a title of its own. */
export function ImportList({ title, query, empty = noImports, all }: ImportListProps) {
  const { imports, total } = query.value ?? { imports: [], total: 0 };
  const link = all && imports.length < total && <a href={all.href}>{all.words}</a>;
  return (
    <List
      of="imports"
      id="importId"
      size={Infinity}
      name="Imports"
      note={link || undefined}
      title={title}
      query={query}
      columns={columns}
      empty={empty}
    />
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
  plain('dataset', 'Document'),
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
  counts('rowsRead', 'Read'),
  counts('rowsAccepted', 'Accepted'),
  counts('rowsMerged', 'Merged'),
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
