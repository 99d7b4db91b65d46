/** The table of stock: what is left, for how long, and what to send. */
import { Share } from '../parts/marks.tsx';
import { Empty, Panel } from '../parts/panel.tsx';
import { Segments } from '../parts/segments.tsx';
import {
  type Column,
  DataTable,
  Pages,
  pageOf,
  sortOf,
  TableSearch,
  useColumns,
} from '../parts/table.tsx';
import { Toolbar } from '../parts/toolbar.tsx';
import type { Day } from '../view/days.ts';
import { count, decimal, inDay, none } from '../view/format.ts';
import type { View } from '../view/view.ts';
import type { Stock } from './replenishment.ts';
import { type Choice, chosenOf, isDue, isOut, matching, sorted, sortValues } from './shown.ts';

type StockTableProps = {
  readonly view: View;
  readonly rows: readonly Stock[];
  readonly choice: Choice;
  /** Whether the rows are of several stores. */
  readonly hasStores: boolean;
};

const pageSize = 50;
const standard = 'reorder';
/** Days of cover that fill the bar. */
const wholeCover = 90;
const segments = [
  { id: 'reorder', name: 'Reorder now' },
  { id: 'out', name: 'Out of stock' },
  { id: 'soon', name: 'Out soon' },
  { id: 'inbound', name: 'On the way' },
  { id: 'all', name: 'All' },
] as const;

/** The panel with the table. */
export function StockTable({ view, rows, choice, hasStores }: StockTableProps) {
  const { params, hrefOf } = view.address;
  const sort = sortOf(params, standard, Object.keys(sortValues));
  const text = params.get('q') ?? '';
  const found = matching(chosenOf(rows, choice, view.today), text);
  const page = Math.min(pageOf(params), Math.max(1, Math.ceil(found.length / pageSize)));
  const ordered = sorted(found, sort);
  const columns = columnsOf(view.today, hasStores);
  const { shown, menu } = useColumns(columns);
  return (
    <Panel
      title="Stock"
      count={found.length}
      choices={
        <Segments
          name="Stock shown"
          options={segments.map((one) => ({
            ...one,
            count: chosenOf(rows, one.id, view.today).length,
          }))}
          chosen={choice}
          hrefOf={(id) => hrefOf({ metric: id === 'reorder' ? undefined : id, page: undefined })}
        />
      }
      tools={
        <>
          <TableSearch name="Title, SKU or ASIN" />
          {menu}
          <Toolbar name="Stock" rows={() => rowsOf(ordered)} />
        </>
      }
    >
      {found.length === 0 ? (
        <NoRows text={text} choice={choice} href={hrefOf({ metric: 'all', q: undefined })} />
      ) : (
        <DataTable
          name="Stock"
          columns={columns}
          shown={shown}
          rows={ordered.slice((page - 1) * pageSize, page * pageSize)}
          keyOf={({ store, sku }) => `${store.channelId} ${sku}`}
          sort={sort}
          standard={standard}
        />
      )}
      {found.length > pageSize && (
        <footer>
          <Pages page={page} size={pageSize} total={found.length} />
        </footer>
      )}
    </Panel>
  );
}

type NoRowsProps = { readonly text: string; readonly choice: Choice; readonly href: string };

function NoRows({ text, choice, href }: NoRowsProps) {
  const titles: Readonly<Record<Choice, string>> = {
    reorder: 'Nothing has to be reordered today',
    out: 'Nothing is out of stock',
    soon: 'Nothing runs out soon',
    inbound: 'Nothing is on the way',
    all: 'No stock is known',
  };
  return (
    <Empty
      icon={text === '' ? 'check' : 'search'}
      title={text === '' ? titles[choice] : `Nothing here is called “${text}”`}
    >
      <p>
        <a href={href}>Show all stock</a>
      </p>
    </Empty>
  );
}

function columnsOf(today: Day, hasStores: boolean): readonly Column<Stock>[] {
  const store: Column<Stock> = {
    id: 'store',
    name: 'Store',
    cell: ({ store: { shortName } }) => shortName,
  };
  return [
    { id: 'product', name: 'Product', cell: (stock) => <ProductName stock={stock} /> },
    ...(hasStores ? [store] : []),
    {
      id: 'available',
      name: 'Available',
      isNumber: true,
      cell: (stock) =>
        isOut(stock) ? <span class="low">{count(0)}</span> : count(stock.available),
    },
    { id: 'inbound', name: 'On the way', isNumber: true, cell: ({ inbound }) => count(inbound) },
    { id: 'sold', name: 'Sold a day', isNumber: true, cell: ({ perDay }) => decimal(perDay) },
    {
      id: 'cover',
      name: 'Cover in days',
      isNumber: true,
      cell: ({ daysCover }) => (
        <>
          {daysCover === undefined ? none : count(Math.floor(daysCover))}
          <Share part={(daysCover ?? 0) / wholeCover} />
        </>
      ),
    },
    { id: 'out', name: 'Runs out', cell: ({ stockOut }) => (stockOut ? inDay(stockOut) : none) },
    {
      id: 'reorder',
      name: 'Reorder by',
      cell: (stock) =>
        stock.reorder === undefined || stock.units === 0 ? (
          none
        ) : isDue(stock, today) ? (
          <span class="low">Today</span>
        ) : (
          inDay(stock.reorder)
        ),
    },
    { id: 'send', name: 'Send', isNumber: true, cell: ({ units }) => count(units) },
    {
      id: 'cases',
      name: 'Cases',
      isNumber: true,
      isSortable: false,
      cell: ({ cases }) => count(cases),
    },
  ];
}

function ProductName({ stock: { title, sku, asin } }: { readonly stock: Stock }) {
  const name = title || sku;
  return (
    <span class="two product">
      <span title={name}>{name}</span>
      <small>{[sku, asin].filter((part) => part !== '' && part !== name).join(' · ')}</small>
    </span>
  );
}

function rowsOf(rows: readonly Stock[]) {
  return [
    [
      'store',
      'sku',
      'asin',
      'productName',
      'available',
      'inbound',
      'dailySales',
      'daysCover',
      'projectedOOSDate',
      'estimatedReorderDate',
      'replenUnits',
      'replenCases',
    ],
    ...rows.map((stock) => [
      stock.store.displayName,
      stock.sku,
      stock.asin,
      stock.title,
      stock.available,
      stock.inbound,
      stock.perDay,
      stock.daysCover,
      stock.stockOut,
      stock.reorder,
      stock.units,
      stock.cases,
    ]),
  ];
}
