/** Sales, traffic and advertising of one seller channel, bucket by bucket. */

import type { Channel } from '../../../access/channels.ts';
import {
  bucketOfDay,
  bucketOfInstant,
  type Interval,
  parseInterval,
} from '../../../calendar/period.ts';
import { areWholeDays, type Window, windowsOf } from '../../../calendar/windows.ts';
import { questionFile } from '../../../engine/question.ts';
import { tableColumns } from '../../../engine/segments/daySource.ts';
import type { DayTable } from '../../../engine/segments/dayTable.ts';
import { tableOfRows } from '../../../engine/segments/format.ts';
import type { CachedAsk } from '../../../engine/segments/router.ts';
import type { Row } from '../../../engine/warehouse.ts';
import { addRow, type Cells, cellColumns, plus } from '../../../figures/cells.ts';
import { amountColumn, amountNames, countColumn, weightColumn } from '../../../figures/columns.ts';
import { comparison, type Sums } from '../../../figures/comparison.ts';
import type { Exchange } from '../../../figures/exchange.ts';
import {
  amount,
  columnsOf,
  count,
  percent,
  ratio,
  unavailable,
  unitPrice,
} from '../../../figures/metrics.ts';
import { summed } from '../../../figures/sql.ts';
import { amountUnits } from '../../../figures/writtenMetrics.ts';
import { timesOf, writeChart } from '../../../report/chart.ts';
import { foreignAmounts, joinedAmounts } from '../../../report/foreignAmounts.ts';
import { purposeOf, readConversion } from '../../../report/rates.ts';
import {
  orderColumns,
  readOrderExtents,
  readOrderSteps,
  sinceDays,
  storeDay,
} from '../../../report/sales.ts';
import {
  markSearchTerms,
  readSearchTermDays,
  type SearchTermDay,
  searchTermWarnings,
} from '../../../report/searchTermDays.ts';
import { type Handler, WrittenAnswer } from '../../handler.ts';
import { channelRule } from '../../recordRules.ts';
import { unstatedTaxIn } from '../../unstatedTax.ts';
import type { viewSalesByPeriod as contract, SalesByPeriodRow } from './contract.ts';

/** Decimal places of percents. */
const places = 1;
/** Those of the click-through rate, which is often below one percent. */
const clickThroughPlaces = 2;

const sales = amountColumn('sales');
const lineItems = countColumn('line_items');
const units = countColumn('units');
const soldColumns = [sales, lineItems, units];

const pageViews = countColumn('page_views');
const sessions = countColumn('sessions');
const impressions = countColumn('impressions');
const clicks = countColumn('clicks');
const adSpend = amountColumn('ad_cost');
const adSales = amountColumn('ad_sales');

const metrics = {
  unitsSold: count(units),
  lineItemCount: count(lineItems),
  pageViews: count(pageViews),
  totalSessions: count(sessions),
  impressions: count(impressions),
  clicks: count(clicks),
  sales: amount(sales),
  avgLineItemValue: unitPrice(sales, lineItems),
  pageViewsConversions: percent(units, pageViews, places),
  sessionConversions: percent(units, sessions, places),
  buyboxWinPercentage: ratio(
    weightColumn('buy_box_weighted'),
    countColumn('buy_box_views'),
    places,
  ),
  adSpend: amount(adSpend),
  adSales: amount(adSales),
  clickThroughRate: percent(clicks, impressions, clickThroughPlaces),
  acos: percent(adSpend, adSales, places),
  tacos: percent(adSpend, sales, places),
};
const writeDays = comparison<SalesByPeriodRow>(metrics);
/** Advertising is known by the day only. */
const writeHours = comparison<SalesByPeriodRow>({
  ...metrics,
  adSpend: unavailable(metrics.adSpend),
  adSales: unavailable(metrics.adSales),
  tacos: unavailable(metrics.tacos),
});

type Column = ReturnType<typeof columnsOf<typeof metrics>>[number];
type SoldColumn = (typeof soldColumns)[number];
const columns = columnsOf(metrics);
const zeros = columns.map(() => 0);
const dailyColumns = columns.filter(
  (column): column is Exclude<Column, SoldColumn> =>
    !(soldColumns as readonly Column[]).includes(column),
);
const [salesCell, unitsCell, lineItemsCell] = [sales, units, lineItems].map((column) =>
  columns.indexOf(column),
) as [number, number, number];

const stepColumns = { ...orderColumns, counts: [...orderColumns.counts, 'step_at'] };
const daily = tableColumns(dailyColumns);
const skuColumns = {
  texts: ['currency'],
  counts: [...daily.counts, 'traffic_units', 'traffic_order_items', 'daily_rows'],
  amounts: [...daily.amounts, 'traffic_revenue'],
};

const skuDays = questionFile<Row & { readonly day: number }>(
  import.meta.url,
  'salesByPeriodSkus.sql',
  {
    sums: summed(dailyColumns),
  },
);

/** The amounts of orders and of days, which may be in other currencies. */
const orderAmounts = ['item_price', 'item_tax'];
const dailyAmounts = ['traffic_revenue', ...amountNames(dailyColumns)];

/** The parameters that both windows share. */
type View = {
  readonly channel: Channel;
  readonly zone: string;
  readonly interval: Interval;
  readonly includeTax: boolean;
  readonly skus: readonly string[];
};

/** The facts of one window. */
type Facts = {
  readonly orders: readonly DayTable[];
  readonly daily: readonly DayTable[];
  /** Whether order lines, not the traffic figures, are the source of the sales of a row's day. */
  readonly ordersCover: (table: DayTable) => (row: number) => boolean;
  /** The days whose advertising comes from search terms alone. */
  readonly searchTermDays: readonly SearchTermDay[];
};

/** The sums of all buckets; undefined where there is no fact. */
type WindowSums = (Sums | undefined)[];

/** The rule of the operation that needs records. */
export const salesByPeriodRules = [
  channelRule(({ kind }) =>
    kind === 'vendor'
      ? 'channelId must be a seller channel: ask /reports/view/vendorSalesByPeriod about this one'
      : undefined,
  ),
];

/** Answers POST /reports/view/salesByPeriod. */
export const viewSalesByPeriod: Handler<typeof contract> = async (
  input,
  { channel, warehouse, limits, warn },
) => {
  if (!input.includeTax) warn(unstatedTaxIn([channel], 'order_line', input.reportOptions));
  const { timezone: zone } = input.reportOptions;
  const interval = parseInterval(input.reportOptions.interval)!;
  const view: View = {
    channel,
    zone,
    interval,
    includeTax: input.includeTax,
    skus: [...new Set(input.sellerSkus ?? [])],
  };
  const windows = windowsOf(input.reportOptions);
  const { channelNumber, currency } = channel;
  const isOfDays = view.skus.length === 0 && interval !== 'h';
  const facts = await warehouse.readCached([channelNumber], limits, (ask) =>
    isOfDays && areWholeDays(zone, channel.timezone, windows)
      ? readStoreDays(ask, view, windows)
      : readSteps(ask, view, windows),
  );
  const { exchange } = await readConversion(
    { warehouse, limits },
    { target: currency, ...foreignOf(windows, facts, currency), purpose: purposeOf(channel) },
  );
  const [current, prior] = windows.map((window, index) => {
    const sums = sumsOf(view, window, facts[index]!, exchange);
    markSearchTerms(window, sums, facts[index]!.searchTermDays);
    return sums;
  });
  warn(searchTermWarnings(channel.displayName, [current, prior]));
  const amounts = amountUnits(currency, exchange.places);
  const write = interval === 'h' ? writeHours : writeDays;
  return new WrittenAnswer(
    await writeChart(currency, windows[0]!.buckets, (out, bucket, index) =>
      write(out, timesOf(zone, bucket, currency), current![index], prior?.[index], amounts),
    ),
  );
};

/** Reads whole days of the channel's own calendar. */
async function readStoreDays(
  ask: CachedAsk,
  { channel: { channelNumber } }: View,
  windows: readonly Window[],
): Promise<Facts[]> {
  const facts: Facts[] = [];
  for (const window of windows) {
    const days = await ask.days(storeDay, [channelNumber], window);
    facts.push({
      searchTermDays: await readSearchTermDays(ask, [channelNumber], window),
      orders: days,
      daily: days,
      ordersCover: (table) => {
        const covers = table.numbers('orders_cover');
        return (row) => covers.at(row) === 1;
      },
    });
  }
  return facts;
}

/** Reads windows of any zone, range, interval and SKUs. By the hour there are orders alone. */
async function readSteps(ask: CachedAsk, view: View, windows: readonly Window[]): Promise<Facts[]> {
  const { channel, zone, interval, skus } = view;
  const number = channel.channelNumber;
  const hourly = interval === 'h';
  const extents = await readOrderExtents(ask, [number]);
  const sinceDay = sinceDays(extents, zone).get(number) ?? Number.POSITIVE_INFINITY;
  const facts: Facts[] = [];
  for (const window of windows) {
    const { first, last } = window;
    const orders = await readOrderSteps(ask, extents, zone, window, { hourly, skus });
    const isOfStore = skus.length === 0 && !hourly;
    const daily = isOfStore
      ? await ask.days(storeDay, [number], window)
      : hourly
        ? []
        : [tableOfRows(await ask(skuDays, { channel: number, first, last, skus }), skuColumns)];
    facts.push({
      searchTermDays: isOfStore ? await readSearchTermDays(ask, [number], window) : [],
      orders: [tableOfRows(orders, hourly ? stepColumns : orderColumns)],
      daily,
      ordersCover: (table) => (row) => table.days[row]! >= sinceDay,
    });
  }
  return facts;
}

/** The currencies other than the channel's in which a fact has an amount, and the days of facts. */
function foreignOf(windows: readonly Window[], facts: readonly Facts[], currency: string) {
  return joinedAmounts(
    windows.flatMap((window, index) => {
      const { orders, daily } = facts[index]!;
      return [
        foreignAmounts(currency, orders, window, orderAmounts),
        foreignAmounts(currency, daily, window, dailyAmounts),
      ];
    }),
  );
}

/** The sums of a window, bucket by bucket. */
function sumsOf(view: View, window: Window, facts: Facts, exchange: Exchange): WindowSums {
  const sums: WindowSums = window.buckets.map(() => undefined);
  const at = (index: number): Cells | undefined => {
    if (index < 0) return undefined;
    sums[index] ??= { known: true, cells: zeros.slice() };
    return sums[index].cells;
  };
  for (const table of facts.orders) addOrders(view, window, table, exchange, at);
  for (const table of facts.daily) addDaily(window, table, facts.ordersCover(table), exchange, at);
  return sums;
}

/** The cells of the bucket at an index; undefined outside of the window. */
type CellsAt = (index: number) => Cells | undefined;

function addOrders(
  { includeTax, interval }: View,
  window: Window,
  table: DayTable,
  exchange: Exchange,
  cellsAt: CellsAt,
): void {
  const [prices, taxes] = [table.numbers('item_price'), table.numbers('item_tax')];
  const [items, pieces] = [table.numbers('line_items'), table.numbers('units')];
  const steps = interval === 'h' ? table.numbers('step_at') : undefined;
  const currencies = table.texts('currency');
  const [start, end] = table.rowsOf(window);
  for (let row = start; row < end; row++) {
    const day = table.days[row]!;
    const index =
      steps === undefined
        ? bucketOfDay(window.buckets, day)
        : bucketOfInstant(window.buckets, Math.max(Number(steps.at(row)), window.from));
    const cells = cellsAt(index);
    const lines = items.at(row);
    if (cells === undefined || lines === 0) continue;
    const currency = currencies.at(row);
    const price = includeTax ? plus(prices.at(row), taxes.at(row)) : prices.at(row);
    cells[salesCell] = plus(cells[salesCell]!, exchange.whole(price, currency, day));
    cells[unitsCell] = plus(cells[unitsCell]!, pieces.at(row));
    cells[lineItemsCell] = plus(cells[lineItemsCell]!, lines);
  }
}

function addDaily(
  window: Window,
  table: DayTable,
  ordersCover: (row: number) => boolean,
  exchange: Exchange,
  cellsAt: CellsAt,
): void {
  const added = cellColumns(table, dailyColumns, columns);
  const [sold, pieces] = [table.numbers('traffic_revenue'), table.numbers('traffic_units')];
  const [items, dailyRows] = [table.numbers('traffic_order_items'), table.numbers('daily_rows')];
  const currencies = table.texts('currency');
  const [start, end] = table.rowsOf(window);
  for (let row = start; row < end; row++) {
    const day = table.days[row]!;
    const isDaily = dailyRows.at(row) !== 0;
    const cells = isDaily ? cellsAt(bucketOfDay(window.buckets, day)) : undefined;
    if (cells === undefined) continue;
    const currency = currencies.at(row);
    addRow(cells, added, row, currency, day, exchange);
    if (ordersCover(row)) continue;
    cells[salesCell] = plus(cells[salesCell]!, exchange.whole(sold.at(row), currency, day));
    cells[unitsCell] = plus(cells[unitsCell]!, pieces.at(row));
    cells[lineItemsCell] = plus(cells[lineItemsCell]!, items.at(row));
  }
}
