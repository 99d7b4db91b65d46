/** Lists of records: a panel with the table of an answer, its pages and its empty state. */
import type { ComponentChildren, VNode } from 'preact';
import type { Query } from '../queries.ts';
import { useAddress } from '../view/address.ts';
import { count, none } from '../view/format.ts';
import { inMoment } from '../words.ts';
import type { IconName } from './icons.tsx';
import { Body, Empty, Panel } from './panel.tsx';
import { type Column, DataTable, Pages, pageOf } from './table.tsx';

/** Rows of a page of most lists. */
export const pageSize = 50;

/** The empty state of a list. */
export type NoRows = {
  readonly icon: IconName;
  readonly title: string;
  readonly text: ComponentChildren;
};

type ListProps<Of extends string, Row> = {
  readonly title: string;
  /** Its name, where that is not its title. */
  readonly name?: string;
  readonly query: Query<{ readonly [Field in Of]: readonly Row[] } & { readonly total?: number }>;
  /** The field of the answer that holds the rows. */
  readonly of: Of;
  /** The field that identifies a row. */
  readonly id: keyof Row;
  readonly columns: readonly Column<Row>[];
  /** Its state without rows. */
  readonly empty: NoRows | VNode;
  /** Rows of a page. */
  readonly size?: number;
  readonly tools?: ComponentChildren;
  /** Above the table. */
  readonly lead?: ComponentChildren;
  /** A line below the table. */
  readonly foot?: string;
  /** A line that stays without rows. */
  readonly note?: ComponentChildren;
  /** Puts something around the table. */
  readonly around?: (table: ComponentChildren) => ComponentChildren;
};

/** A list with a page of its rows. */
export function List<Of extends string, Row>(props: ListProps<Of, Row>) {
  const { title, name = title, query, of, id, columns, empty, size = pageSize } = props;
  const { tools, lead, foot, note, around = (table) => table } = props;
  const { params } = useAddress();
  return (
    <Panel title={title} count={query.value?.total} isLoading={query.isLoading} tools={tools}>
      {lead}
      <Body query={query} name={`the ${name.toLowerCase()}`} lines={8}>
        {(value) => {
          const rows = value[of];
          const { total = rows.length } = value;
          if (rows.length === 0)
            return 'type' in empty ? (
              empty
            ) : (
              <Empty icon={empty.icon} title={empty.title}>
                <p>{empty.text}</p>
              </Empty>
            );
          const keyOf = (row: Row) => String(row[id]);
          return (
            <>
              {around(<DataTable name={name} rows={rows} keyOf={keyOf} columns={columns} />)}
              {(foot !== undefined || total > size) && (
                <footer>
                  {foot !== undefined && <span>{foot}</span>}
                  <Pages page={pageOf(params)} size={size} total={total} />
                </footer>
              )}
            </>
          );
        }}
      </Body>
      {note !== undefined && <footer>{note}</footer>}
    </Panel>
  );
}

type With<Field extends string, Value> = { readonly [Name in Field]: Value };

/** The column of a field that holds a time. */
export const moment = <Field extends string>(
  field: Field,
  name: string,
): Column<With<Field, number | null>> => ({
  id: field,
  name,
  cell: ({ [field]: at }) => (at === null ? none : inMoment(at)),
});

/** The column of a field that holds a count. */
export const counts = <Field extends string>(
  field: Field,
  name: string,
): Column<With<Field, number>> => ({
  id: field,
  name,
  isNumber: true,
  cell: ({ [field]: value }) => count(value),
});

/** The column of a field that is shown as it is. */
export const plain = <Field extends string>(
  field: Field,
  name: string,
): Column<With<Field, ComponentChildren>> => ({
  id: field,
  name,
  cell: ({ [field]: value }) => value,
});
