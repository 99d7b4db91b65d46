/** The lists of the operator's page: their head, their empty state, their table and their pages. */

import type { ComponentChildren } from 'preact';
import type { IconName } from '../parts/icons.tsx';
import { Body, Empty, Note, Panel } from '../parts/panel.tsx';
import { type Column, DataTable, Pages, pageOf } from '../parts/table.tsx';
import type { Query } from '../queries.ts';
import { useAddress } from '../view/address.ts';

/** Rows of a page of every list. */
const pageSize = 50;
/** Longer identifiers, such as random ones, are cut off. */
const wholeIdMax = 24;

/** The page of the address, as the operator API takes it. */
export function usePage(): { readonly pageIndex: number; readonly pageSize: number } {
  const { params } = useAddress();
  return { pageIndex: pageOf(params) - 1, pageSize };
}

type ListProps<Value, Row> = {
  readonly title: string;
  readonly query: Query<Value & { readonly total: number }>;
  readonly rowsOf: (value: Value) => readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly columns: readonly Column<Row>[];
  readonly empty: {
    readonly icon: IconName;
    readonly title: string;
    readonly text: ComponentChildren;
  };
  readonly tools?: ComponentChildren;
  /** A line below the table. */
  readonly foot?: string;
  /** Puts something around the table. */
  readonly around?: (table: ComponentChildren) => ComponentChildren;
};

/** A list with a page of its rows. */
export function OperatorList<Value, Row>(props: ListProps<Value, Row>) {
  const { title, query, rowsOf, keyOf, columns, empty, tools, foot } = props;
  const { around = (table) => table } = props;
  const { params } = useAddress();
  return (
    <Panel title={title} count={query.value?.total} isLoading={query.isLoading} tools={tools}>
      <Body query={query} name={`the ${title.toLowerCase()}`} lines={8}>
        {(value) => {
          const rows = rowsOf(value);
          if (rows.length === 0)
            return (
              <Empty icon={empty.icon} title={empty.title}>
                <p>{empty.text}</p>
              </Empty>
            );
          const isPaged = value.total > pageSize;
          return (
            <>
              {around(<DataTable name={title} {...{ rows, keyOf, columns }} />)}
              {(foot !== undefined || isPaged) && (
                <footer>
                  {foot !== undefined && <span>{foot}</span>}
                  <Pages page={pageOf(params)} size={pageSize} total={value.total} />
                </footer>
              )}
            </>
          );
        }}
      </Body>
    </Panel>
  );
}

type OnlyProps = {
  /** The parameter of the address that narrows the list. */
  readonly param: 'organisation' | 'user' | 'channel';
  readonly icon: IconName;
};

/** Says of which record a list is, if the address names one. */
export function OnlyNote({ param, icon }: OnlyProps) {
  const { params, hrefOf } = useAddress();
  const id = params.get(param);
  if (id === null) return null;
  const all = <a href={hrefOf({ [param]: undefined, page: undefined })}>Show all</a>;
  return (
    <Note tone="plain" icon={icon} tools={all}>
      Only of the {param} <code>{id}</code>.
    </Note>
  );
}

/** An identifier in a cell: its beginning, unless it is as short as a name. */
export const shortId = (id: string): string =>
  id.length <= wholeIdMax ? id : `${id.slice(0, 8)}…`;

/** The cell of a record with its identifier below its name. */
export function NamedCell({
  name,
  id,
  href,
}: {
  readonly name: string;
  readonly id: ComponentChildren;
  readonly href?: string;
}) {
  const words = (
    <span>
      {name}
      <small>{id}</small>
    </span>
  );
  if (href === undefined) return <span class="name two">{words}</span>;
  return (
    <a class="name two" href={href}>
      {words}
    </a>
  );
}
