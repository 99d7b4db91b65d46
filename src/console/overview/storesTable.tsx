/** All stores of the overview in a table. */

import type { ApiRequest } from '../client.ts';
import { gapsOf } from '../frame/freshness.tsx';
import { Change, changeOf } from '../parts/change.tsx';
import { Icon } from '../parts/icons.tsx';
import { HealthBadge, Meter, Share, StoreName } from '../parts/marks.tsx';
import { Panel, Skeleton } from '../parts/panel.tsx';
import {
  type Column,
  DataTable,
  type Sort,
  sortOf,
  TableSearch,
  useColumns,
} from '../parts/table.tsx';
import { Toolbar } from '../parts/toolbar.tsx';
import { Trend } from '../parts/trend.tsx';
import { amount, count, inDay, none, numberOf, percent } from '../view/format.ts';
import { pathOfStore } from '../view/stores.tsx';
import type { View } from '../view/view.ts';
import { buyBoxMin, type StoreFigures, type Totals } from './figures.ts';
import type { Stored } from './questions.ts';

const standard = '-sales';

/** The panel; its rows come with the sales of the stores. */
export function StoresTable({ view, stored }: { readonly view: View; readonly stored: Stored }) {
  const { sales, figures, totals } = stored;
  if (figures === undefined || totals === undefined)
    return (
      <Panel title="Stores" isLoading>
        <Skeleton lines={6} height={44 * Math.min(view.stores.length, 12)} />
      </Panel>
    );
  const { request, isLoading } = sales;
  return (
    <Table view={view} figures={figures} totals={totals} request={request} isLoading={isLoading} />
  );
}

type TableProps = {
  readonly view: View;
  readonly figures: readonly StoreFigures[];
  readonly totals: Totals;
  readonly request: ApiRequest | undefined;
  readonly isLoading: boolean;
};

function Table({ view, figures, totals, request, isLoading }: TableProps) {
  const { params } = view.address;
  const columns = columnsOf(view, figures, totals);
  const { shown, menu } = useColumns(columns);
  const sort = sortOf(
    params,
    standard,
    columns.map(({ id }) => id),
  );
  const wanted = (params.get('q') ?? '').toLowerCase();
  const rows = sorted(
    figures.filter(({ store }) => store.displayName.toLowerCase().includes(wanted)),
    sort,
  );
  return (
    <Panel
      title="Stores"
      count={rows.length}
      isLoading={isLoading}
      tools={
        <>
          <TableSearch name="Filter stores" />
          {menu}
          <Toolbar name="Stores" request={request} rows={() => sheetOf(rows, view)} />
        </>
      }
    >
      <DataTable
        name="Stores"
        columns={columns}
        shown={shown}
        rows={rows}
        keyOf={({ store }) => store.channelId}
        sort={sort}
        standard={standard}
        hasTotal={wanted === ''}
      />
      {rows.length === 0 && <p class="body muted">No store is called “{params.get('q')}”.</p>}
    </Panel>
  );
}

/** Titles of order counts that do not come from orders alone. */
const ordersTitles = {
  orders: undefined,
  orderItems: 'Order items of the traffic report: the orders of these days are not known.',
  both: 'Orders, and order items of the traffic report on the days before the first order.',
} as const;

function sheetOf(rows: readonly StoreFigures[], { currency }: View) {
  return [
    ['Store', `Sales in ${currency}`, `Sales before in ${currency}`, 'Share in percent', 'Orders']
      .concat(['Units per view in percent', 'Latest buy box in percent'])
      .concat([`Ad spend in ${currency}`])
      .concat(['TACoS in percent', `Target in ${currency}`, 'Status', 'Orders count']),
    ...rows.map((one) => [
      one.store.displayName,
      one.sales,
      one.priorSales,
      numberOf(one.row.salesSplit),
      one.orders,
      one.conversion,
      one.buyBox,
      one.adSpend,
      one.tacos,
      one.target,
      one.row.healthStatus,
      one.row.ordersBasis.value,
    ]),
  ];
}

/** How a column sorts; text by the alphabet, missing figures last. */
const keys: Readonly<Record<string, (figures: StoreFigures) => number | string | undefined>> = {
  store: ({ store }) => store.displayName,
  sales: ({ sales }) => sales,
  change: ({ sales, priorSales }) => changeOf(sales, priorSales, 'amount'),
  share: ({ row }) => numberOf(row.salesSplit),
  orders: ({ orders }) => orders,
  conversion: ({ conversion }) => conversion,
  buyBox: ({ buyBox }) => buyBox,
  tacos: ({ tacos }) => tacos,
  target: ({ sales, target }) => targetPart(sales, target),
  status: ({ row }) => ['good', 'warning', 'critical'].indexOf(row.healthStatus),
};

function sorted(rows: readonly StoreFigures[], { by, isDescending }: Sort): StoreFigures[] {
  const keyOf = keys[by] ?? keys.sales!;
  return [...rows].sort((one, other) => {
    const [left, right] = [keyOf(one), keyOf(other)];
    if (left === undefined || right === undefined)
      return Number(left === undefined) - Number(right === undefined);
    const order =
      typeof left === 'string' ? left.localeCompare(String(right)) : left - Number(right);
    return isDescending ? -order : order;
  });
}

const targetPart = (sales: number | undefined, target: number | undefined) =>
  sales === undefined || target === undefined || target === 0 ? undefined : sales / target;

function columnsOf(
  view: View,
  figures: readonly StoreFigures[],
  totals: Totals,
): Column<StoreFigures>[] {
  const { currency, comparison, address } = view;
  return [
    {
      id: 'store',
      name: 'Store',
      cell: ({ store }) => <StoreName store={store} href={address.viewOf(pathOfStore(store))} />,
      total: 'All stores',
    },
    {
      id: 'sales',
      name: 'Sales',
      isNumber: true,
      cell: ({ sales }) => amount(sales, currency),
      total: amount(totals.sales.value, currency),
    },
    {
      id: 'change',
      name: 'Change',
      isNumber: true,
      isShown: comparison !== 'none',
      cell: ({ sales, priorSales }) => <Change value={sales} prior={priorSales} unit="amount" />,
      total: <Change {...totals.sales} unit="amount" />,
    },
    {
      id: 'trend',
      name: 'Trend',
      isNumber: true,
      isSortable: false,
      cell: ({ row }) => (
        <Trend
          values={(row.buckets ?? []).map(({ sales }) => sales ?? undefined)}
          write={(value) => amount(value, currency)}
        />
      ),
    },
    shareColumn(figures),
    {
      id: 'orders',
      name: 'Orders',
      isNumber: true,
      cell: ({ orders, row }) => (
        <span title={ordersTitles[row.ordersBasis.value]}>
          {count(orders)}
          {row.ordersBasis.value === 'orders' ? '' : '*'}
        </span>
      ),
      total: count(totals.orders.value),
    },
    ...qualityColumns(view, totals),
  ];
}

/** Each store's share of the sales, drawn against the largest. */
function shareColumn(figures: readonly StoreFigures[]): Column<StoreFigures> {
  const largest = Math.max(0, ...figures.map(({ row }) => numberOf(row.salesSplit) ?? 0));
  return {
    id: 'share',
    name: 'Share',
    isNumber: true,
    cell: ({ row }) => (
      <>
        {percent(numberOf(row.salesSplit))}
        <Share part={largest === 0 ? 0 : (numberOf(row.salesSplit) ?? 0) / largest} />
      </>
    ),
    total: (
      <>
        {percent(largest === 0 ? undefined : 100)}
        <span class="share" />
      </>
    ),
  };
}

/** Conversion, buy box, advertising, target and health. */
function qualityColumns({ stores, today }: View, totals: Totals): Column<StoreFigures>[] {
  const gaps = gapsOf(stores, today);
  const gapOf = ({ store }: StoreFigures, dataset: string) =>
    gaps.find((gap) => gap.store === store && gap.dataset === dataset);
  return [
    {
      id: 'conversion',
      name: 'Units per view',
      isNumber: true,
      cell: (one) => <Incomplete gap={gapOf(one, 'traffic')} text={percent(one.conversion)} />,
      total: percent(totals.conversion),
    },
    {
      id: 'buyBox',
      name: 'Latest buy box',
      isNumber: true,
      cell: ({ buyBox }) => (
        <span class={buyBox !== undefined && buyBox < buyBoxMin ? 'low' : undefined}>
          {percent(buyBox, 0)}
        </span>
      ),
    },
    {
      id: 'tacos',
      name: 'TACoS',
      isNumber: true,
      cell: (one) => <Incomplete gap={gapOf(one, 'campaignDays')} text={percent(one.tacos)} />,
      total: percent(totals.tacos.value),
    },
    {
      id: 'target',
      name: 'To target',
      isNumber: true,
      cell: ({ sales, target }) => <ToTarget part={targetPart(sales, target)} />,
      total: <ToTarget part={totals.toTarget === undefined ? undefined : totals.toTarget / 100} />,
    },
    { id: 'status', name: 'Status', cell: ({ row }) => <HealthBadge health={row.healthStatus} /> },
  ];
}

function ToTarget({ part }: { readonly part: number | undefined }) {
  if (part === undefined) return <>{none}</>;
  return (
    <>
      <Meter part={part} />
      <span class="aligned">{percent(part * 100, 0)}</span>
    </>
  );
}

/** A figure with a sign where its data ends early. */
function Incomplete({
  gap,
  text,
}: {
  readonly gap: ReturnType<typeof gapsOf>[number] | undefined;
  readonly text: string;
}) {
  if (gap === undefined || text === none) return <>{text}</>;
  const words = `No ${gap.name.toLowerCase()} data since ${inDay(gap.last)}`;
  return (
    <>
      <span class="badge warn" title={words}>
        <Icon name="warning" />
        <span class="visually-hidden">{words}: </span>
      </span>{' '}
      {text}
    </>
  );
}
