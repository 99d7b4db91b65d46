/** The audit log. */
import { Body, Empty, Panel } from '../parts/panel.tsx';
import { type Column, DataTable, PagesFoot, pageOf } from '../parts/table.tsx';
import { useAddress } from '../view/address.ts';
import { inMoment } from '../words.ts';
import { useAsked } from './access.tsx';
import type { Answer } from './client.ts';

type Entry = Answer<'listAudit'>['entries'][number];

const pageSize = 50;
const filters = ['action', 'actor', 'subject'] as const;

/** Who changed what, newest first; the address may name an action, an author and a record. */
export function Audit() {
  const { params, hrefOf } = useAddress();
  const page = pageOf(params);
  const named = filters.flatMap((name) => {
    const value = params.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  const query = useAsked('listAudit', {
    ...Object.fromEntries(named),
    ...{ pageIndex: page - 1, pageSize },
  });
  const only = (name: (typeof filters)[number], value: string) => (
    <a href={hrefOf({ [name]: value, page: undefined })}>{value}</a>
  );
  return (
    <Panel
      title="Audit log"
      count={query.value?.total}
      isLoading={query.isLoading}
      tools={named.map(([name, value]) => (
        <a
          key={name}
          class="control"
          href={hrefOf({ [name]: undefined, page: undefined })}
          aria-label={`No longer only ${name} ${value}`}
        >
          <span class="muted">{name}</span> {value} ×
        </a>
      ))}
    >
      <Body query={query} name="the audit log" lines={8}>
        {({ entries, total }) =>
          entries.length === 0 ? (
            <Empty icon="report" title="No entries here">
              <p>Changes by operators and users appear here.</p>
            </Empty>
          ) : (
            <>
              <DataTable
                name="Audit log"
                rows={entries}
                keyOf={({ auditId }) => String(auditId)}
                columns={columnsWith(only)}
              />
              <PagesFoot page={page} size={pageSize} total={total} />
            </>
          )
        }
      </Body>
    </Panel>
  );
}

type Only = (name: (typeof filters)[number], value: string) => preact.JSX.Element;

const columnsWith = (only: Only): readonly Column<Entry>[] => [
  { id: 'at', name: 'Time', cell: ({ at }) => inMoment(at) },
  { id: 'action', name: 'Operation', cell: ({ action }) => only('action', action) },
  { id: 'actor', name: 'Author', cell: ({ actor }) => only('actor', actor) },
  { id: 'subject', name: 'Record', cell: ({ subject }) => only('subject', subject) },
  {
    id: 'detail',
    name: 'Input',
    cell: ({ detail }) => <code class="detail">{JSON.stringify(detail)}</code>,
  },
];
