/** The audit log. */

import type { Answer } from '../client.ts';
import { List, moment } from '../parts/list.tsx';
import type { Column } from '../parts/table.tsx';
import { useQuery } from '../queries.ts';
import { useAddress } from '../view/address.ts';
import { usePage } from './list.tsx';

type Entry = Answer<'listAudit'>['entries'][number];

const filters = ['action', 'actor', 'subject'] as const;

/** Who changed what, newest first; the address may name an action, an author and a record. */
export function Audit() {
  const { params, hrefOf } = useAddress();
  const named = filters.flatMap((name) => {
    const value = params.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  const query = useQuery('listAudit', {
    ...Object.fromEntries(named),
    ...usePage(),
  });
  const only = (name: (typeof filters)[number], value: string) => (
    <a href={hrefOf({ [name]: value, page: undefined })}>{value}</a>
  );
  return (
    <List
      title="Audit log"
      query={query}
      of="entries"
      id="auditId"
      columns={columnsWith(only)}
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
      empty={{
        icon: 'report',
        title: 'No entries here',
        text: 'Changes by operators and users appear here.',
      }}
    />
  );
}

type Only = (name: (typeof filters)[number], value: string) => preact.JSX.Element;

const columnsWith = (only: Only): readonly Column<Entry>[] => [
  moment('at', 'Time'),
  { id: 'action', name: 'Operation', cell: ({ action }) => only('action', action) },
  { id: 'actor', name: 'Author', cell: ({ actor }) => only('actor', actor) },
  { id: 'subject', name: 'Record', cell: ({ subject }) => only('subject', subject) },
  {
    id: 'detail',
    name: 'Input',
    cell: ({ detail }) => <code class="detail">{JSON.stringify(detail)}</code>,
  },
];
