/** Tables of figures: sorted by their heads, searched, with a column menu and a total row. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useAddress } from '../view/address.ts';
import { Arrow } from './change.tsx';
import { Icon } from './icons.tsx';
import { Popover } from './popover.tsx';

/** A column of a table. */
export type Column<Row> = {
  /** Its name in the address, for sorting. */
  readonly id: string;
  readonly name: string;
  /** Its name away from its neighbours, where the name in the head does not say what it is of. */
  readonly fullName?: string;
  readonly isNumber?: boolean;
  /** Whether the reader may sort by it; true by default. */
  readonly isSortable?: boolean;
  /** Whether it is shown unless the reader hides it; true by default. */
  readonly isShown?: boolean;
  readonly cell: (row: Row) => ComponentChildren;
  /** The cell of the total row. */
  readonly total?: ComponentChildren;
};

/** How rows are sorted: the id of a column, with a minus for the largest first. */
export type Sort = { readonly by: string; readonly isDescending: boolean };

/** Reads the sort of the address. */
export function sortOf(params: URLSearchParams, standard: string, ids: readonly string[]): Sort {
  const text = params.get('sort') ?? standard;
  const isDescending = text.startsWith('-');
  const by = isDescending ? text.slice(1) : text;
  if (ids.includes(by)) return { by, isDescending };
  return { by: standard.replace(/^-/, ''), isDescending: standard.startsWith('-') };
}

type TableProps<Row> = {
  /** Its name for screen readers. */
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly sort?: Sort | undefined;
  /** The sort that the address leaves out. */
  readonly standard?: string;
  readonly hasTotal?: boolean;
  /** Ids of columns that the reader has hidden or shown. */
  readonly shown?: (column: Column<Row>) => boolean;
};

/** A table of figures that scrolls in its frame, with its first column fixed. */
export function DataTable<Row>(props: TableProps<Row>) {
  const { name, rows, keyOf, sort, standard = '', hasTotal = false } = props;
  const { shown = ({ isShown = true }) => isShown } = props;
  const { hrefOf } = useAddress();
  const columns = props.columns.filter(shown);
  const sortHref = ({ id, isNumber = false }: Column<Row>) => {
    const isDescending = sort?.by === id ? !sort.isDescending : isNumber;
    const next = `${isDescending ? '-' : ''}${id}`;
    return hrefOf({ sort: next === standard ? undefined : next, page: undefined });
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
    <section class="scroller" tabIndex={0} aria-label={`${name}, table`}>
      <table class="data">
        <caption class="visually-hidden">{name}</caption>
        <thead>
          <tr>
            {columns.map((column) => {
              const isSorted = sort?.by === column.id;
              const direction = sort?.isDescending ? 'descending' : 'ascending';
              return (
                <th
                  key={column.id}
                  scope="col"
                  class={column.isNumber ? 'number' : undefined}
                  aria-sort={isSorted ? direction : undefined}
                >
                  {sort !== undefined && column.isSortable !== false ? (
                    <a href={sortHref(column)}>
                      {column.name}
                      {isSorted && <Arrow isUp={!sort.isDescending} />}
                    </a>
                  ) : (
                    column.name
                  )}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} data-key={keyOf(row)}>
              {columns.map((column, place) => (
                <Cell key={column.id} column={column} isHead={place === 0}>
                  {column.cell(row)}
                </Cell>
              ))}
            </tr>
          ))}
        </tbody>
        {hasTotal && (
          <tfoot>
            <tr>
              {columns.map((column, place) => (
                <Cell key={column.id} column={column} isHead={place === 0}>
                  {column.total}
                </Cell>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </section>
  );
}

function Cell<Row>({
  column,
  isHead,
  children,
}: {
  readonly column: Column<Row>;
  readonly isHead: boolean;
  readonly children: ComponentChildren;
}) {
  const className = column.isNumber ? 'number' : undefined;
  if (isHead) return <th scope="row">{children}</th>;
  return (
    <td class={className} data-column={column.id}>
      {children}
    </td>
  );
}

/** The columns that are shown, and a menu that changes them. */
export function useColumns<Row>(columns: readonly Column<Row>[]) {
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set());
  const shown = ({ id, isShown = true }: Column<Row>) => isShown !== changed.has(id);
  const toggle = (id: string) => {
    const next = new Set(changed);
    if (!next.delete(id)) next.add(id);
    setChanged(next);
  };
  const menu = (
    <Popover label={<Icon name="columns" />} name="Columns" title="Columns" className="icon-button">
      {() => (
        <ul class="menu">
          {columns.slice(1).map((column) => (
            <li key={column.id}>
              <label>
                <input type="checkbox" checked={shown(column)} onChange={() => toggle(column.id)} />
                {column.fullName ?? column.name}
              </label>
            </li>
          ))}
        </ul>
      )}
    </Popover>
  );
  return { shown, menu };
}

const typingMilliseconds = 250;

/** The search of a table, which is in the address as `q`. */
export function TableSearch({ name }: { readonly name: string }) {
  const { params, change } = useAddress();
  const [text, setText] = useState(params.get('q') ?? '');
  const timer = useRef(0);
  const changing = useRef(change);
  changing.current = change;
  useEffect(() => () => clearTimeout(timer.current), []);
  const own = params.get('q') ?? '';
  useEffect(() => setText(own), [own]);
  return (
    <label class="search">
      <Icon name="search" />
      <span class="visually-hidden">{name}</span>
      <input
        type="search"
        placeholder={name}
        value={text}
        data-shortcut="/"
        onInput={({ currentTarget: { value } }) => {
          setText(value);
          clearTimeout(timer.current);
          timer.current = setTimeout(
            () => changing.current({ q: value, page: undefined }, true),
            typingMilliseconds,
          );
        }}
      />
    </label>
  );
}

/** The pages of a table, as links. `page` counts from 1. */
export function Pages({
  page,
  size,
  total,
}: {
  readonly page: number;
  readonly size: number;
  readonly total: number;
}) {
  const { hrefOf } = useAddress();
  const last = Math.max(1, Math.ceil(total / size));
  if (total <= size) return null;
  const link = (to: number, icon: 'back' | 'forward', name: string) =>
    to < 1 || to > last ? (
      <span class="icon-button off" aria-hidden="true">
        <Icon name={icon} />
      </span>
    ) : (
      <a
        class="icon-button"
        href={hrefOf({ page: to === 1 ? undefined : String(to) })}
        aria-label={name}
        title={name}
      >
        <Icon name={icon} />
      </a>
    );
  return (
    <nav class="pages" aria-label="Pages">
      <span>
        {(page - 1) * size + 1}–{Math.min(page * size, total)} of {total}
      </span>
      {link(page - 1, 'back', 'Previous page')}
      {link(page + 1, 'forward', 'Next page')}
    </nav>
  );
}

/** The page of the address, from 1. */
export function pageOf(params: URLSearchParams): number {
  const page = Number(params.get('page') ?? 1);
  return Number.isInteger(page) && page > 0 ? page : 1;
}
