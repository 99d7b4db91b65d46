/** Sales, traffic and advertising of one seller channel, bucket by bucket. */

import type { Channel } from '../../../access/channels.ts';
import {
  bucketOfDay,
  bucketOfInstant,
  type Interval,
  parseInterval,
} from '../../../calendar/period.ts';
import { areWholeDays, daysOf, type Window, windowsOf } from '../../../calendar/windows.ts';
import { byDay, questionFile } from '../../../engine/question.ts';
import type { Ask, DateRange } from '../../../engine/warehouse.ts';
import {
  addFacts,
  amountColumn,
  amountNames,
  countColumn,
  type ValuesOf,
  weightColumn,
  zeroSums,
} from '../../../figures/columns.ts';
import { comparison, type Sums } from '../../../figures/comparison.ts';
import { type Exchange, foreignCurrencies, noExchange } from '../../../figures/exchange.ts';
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
import { amountTexts } from '../../../figures/texts.ts';
import { timesOf, writeChart } from '../../../report/chart.ts';
import { purposeOf, readConversion } from '../../../report/rates.ts';
import { readDays } from '../../../report/readDays.ts';
import {
  type OrderFacts,
  readOrderExtents,
  readOrderSteps,
  sinceDays,
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
/** Decimal places of the click-through rate, which is often below one percent. */
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
/** Advertising is only known by day. */
const writeHours = comparison<SalesByPeriodRow>({
  ...metrics,
  adSpend: unavailable(metrics.adSpend),
  adSales: unavailable(metrics.adSales),
  tacos: unavailable(metrics.tacos),
});

type SoldColumn = (typeof soldColumns)[number];
type Column = ReturnType<typeof columnsOf<typeof metrics>>[number];
type DailyColumn = Exclude<Column, SoldColumn>;
const dailyColumns = columnsOf(metrics).filter(
  (column): column is DailyColumn => !(soldColumns as readonly Column[]).includes(column),
);

const zeros = zeroSums([...soldColumns, ...dailyColumns]);

type DailyFacts = Readonly<ValuesOf<DailyColumn>> & {
  readonly day: number;
  readonly currency: string;
  readonly traffic_revenue: bigint;
  readonly traffic_units: number;
  readonly traffic_order_items: number;
  readonly daily_rows: number;
};
type StoreDay = Omit<OrderFacts, 'channel'> & DailyFacts & { readonly orders_cover: number };

const storeDays = byDay(
  questionFile<StoreDay>(import.meta.url, 'salesByPeriod.sql', {
    columns: dailyColumns.map(({ name }) => name),
  }),
);
const skuDays = questionFile<DailyFacts>(import.meta.url, 'salesByPeriodSkus.sql', {
  sums: summed(dailyColumns),
});

const dailyAmounts = ['traffic_revenue', ...amountNames(dailyColumns)] as const;

/** The parameters shared by both windows. */
type View = {
  readonly channel: Channel;
  readonly zone: string;
  readonly interval: Interval;
  readonly includeTax: boolean;
  readonly skus: readonly string[];
};

type Order = Omit<OrderFacts, 'channel'> & { readonly step_at?: number };

/** The facts of one window. */
type Facts = {
  /** The rows of whole days, if all facts come from them. */
  readonly storeDays?: readonly StoreDay[];
  readonly orders: readonly Order[];
  readonly daily: readonly DailyFacts[];
  /** Whether order lines, not the traffic figures, are the source of the day's sales. */
  readonly ordersCover: (facts: {
    readonly day: number;
    readonly orders_cover?: number;
  }) => boolean;
  /** The days whose advertising comes from search terms alone. */
  readonly searchTermDays: readonly SearchTermDay[];
};

/** The sums of a bucket; amounts are exact, in fractions of the channel's currency. */
type BucketSums = Sums<ValuesOf<Column>>;
/** The sums of all buckets; undefined in buckets without facts. */
type WindowSums = (BucketSums | undefined)[];

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
  const facts =
    isOfDays && areWholeDays(zone, channel.timezone, windows)
      ? await readDays(warehouse, channelNumber, limits, windows, (ask, days) =>
          readStoreDays(ask, view, days),
        )
      : await warehouse.readCached([channelNumber], limits, (ask) => readSteps(ask, view, windows));
  const { exchange } = await readConversion(
    { warehouse, limits },
    {
      target: currency,
      currencies: foreignOf(facts, currency),
      days: daysOf(facts.flatMap(({ orders, daily }) => [...orders, ...daily])),
      purpose: purposeOf(channel),
    },
  );
  const [current, prior] = windows.map((window, index) => {
    const sums = sumsOf(view, window, facts[index]!, exchange);
    markSearchTerms(window, sums, facts[index]!.searchTermDays);
    return sums;
  });
  warn(searchTermWarnings(channel.displayName, [current, prior]));
  const texts = amountTexts(currency, exchange.places);
  const write = interval === 'h' ? writeHours : writeDays;
  return new WrittenAnswer(
    await writeChart(currency, windows[0]!.buckets, (bucket, index) =>
      write(timesOf(zone, bucket, currency), current![index], prior?.[index], texts),
    ),
  );
};

/** Reads whole days of the channel's own calendar. */
async function readStoreDays(
  ask: Ask,
  { channel }: View,
  { first, last }: DateRange,
): Promise<Facts> {
  const number = channel.channelNumber;
  const days = await ask(storeDays, { channel: number, first, last });
  return {
    searchTermDays: await readSearchTermDays(ask, [number], { first, last }),
    storeDays: days,
    orders: days,
    daily: days,
    ordersCover: (day) => day.orders_cover === 1,
  };
}

/** Reads windows of any zone, range, interval and SKUs. By the hour, only orders are read. */
async function readSteps(ask: Ask, view: View, windows: readonly Window[]): Promise<Facts[]> {
  const { channel, zone, interval, skus } = view;
  const number = channel.channelNumber;
  const extents = await readOrderExtents(ask, [number]);
  const sinceDay = sinceDays(extents, zone).get(number) ?? Number.POSITIVE_INFINITY;
  const facts: Facts[] = [];
  for (const window of windows) {
    const { first, last } = window;
    const orders = await readOrderSteps(ask, extents, zone, window, {
      hourly: interval === 'h',
      skus,
    });
    let daily: DailyFacts[] = [];
    let searchTermDays: readonly SearchTermDay[] = [];
    if (skus.length > 0) daily = await ask(skuDays, { channel: number, first, last, skus });
    else if (interval !== 'h') {
      const days = await ask(storeDays, { channel: number, first, last });
      daily = days.filter((day) => day.daily_rows > 0);
      searchTermDays = await readSearchTermDays(ask, [number], window);
    }
    facts.push({
      searchTermDays,
      orders,
      daily: interval === 'h' ? [] : daily,
      ordersCover: ({ day }) => day >= sinceDay,
    });
  }
  return facts;
}

/**
 * The currencies other than the channel's in which any fact has an amount; most channels have none.
 */
function foreignOf(facts: readonly Facts[], currency: string): ReadonlySet<string> {
  const foreign = new Set<string>();
  for (const { orders, daily } of new Set(facts)) {
    for (const code of foreignCurrencies(currency, orders, ['item_price', 'item_tax']))
      foreign.add(code);
    for (const code of foreignCurrencies(currency, daily, dailyAmounts)) foreign.add(code);
  }
  return foreign;
}

/** The sums of a window, bucket by bucket. */
function sumsOf(view: View, window: Window, facts: Facts, exchange: Exchange): WindowSums {
  const { storeDays: days } = facts;
  if (view.interval === 'd' && days !== undefined && exchange === noExchange)
    return sumsByDay(view, window, days);
  const sums: WindowSums = window.buckets.map(() => undefined);
  const at = (index: number) => {
    if (index >= 0) sums[index] ??= noBucketSums();
    return sums[index];
  };
  const ofDay = (day: number) =>
    day < window.first || day > window.last ? undefined : at(bucketOfDay(window.buckets, day));
  const ofStep = (step: number) => at(bucketOfInstant(window.buckets, Math.max(step, window.from)));
  for (const row of facts.orders) {
    const bucket = view.interval === 'h' ? ofStep(row.step_at!) : ofDay(row.day);
    if (bucket) addOrders(bucket, row, view.includeTax, exchange);
  }
  for (const row of facts.daily) {
    const bucket = ofDay(row.day);
    if (bucket) addDaily(bucket, row, facts.ordersCover(row), exchange);
  }
  return sums;
}

function noBucketSums(): BucketSums {
  return { known: false, values: { ...zeros } };
}

function addOrders(bucket: BucketSums, row: Order, includeTax: boolean, exchange: Exchange): void {
  bucket.known = true;
  const { line_items, units, item_price, item_tax, currency, day } = row;
  if (line_items === 0) return;
  const sold = includeTax ? item_price + item_tax : item_price;
  const facts = { line_items, units, sales: sold, currency, day };
  addFacts(bucket.values, facts, soldColumns, exchange);
}

function addDaily(
  bucket: BucketSums,
  row: DailyFacts,
  ordersCover: boolean,
  exchange: Exchange,
): void {
  bucket.known = true;
  addFacts(bucket.values, row, dailyColumns, exchange);
  if (ordersCover) return;
  const { traffic_revenue: sold, traffic_units, traffic_order_items, currency, day } = row;
  bucket.values.sales += exchange.of(sold, currency, day);
  bucket.values.units += traffic_units;
  bucket.values.line_items += traffic_order_items;
}

/** The sums of days without conversion. Rows stay in memory, and so do their sums. */
function sumsByDay(
  { includeTax }: View,
  { buckets, first, last }: Window,
  days: readonly StoreDay[],
): WindowSums {
  const sums: WindowSums = buckets.map(() => undefined);
  for (const row of days) {
    if (row.day < first || row.day > last) continue;
    const index = bucketOfDay(buckets, row.day);
    const known = sums[index];
    if (known === undefined) sums[index] = sumsOfDay(row, includeTax);
    else {
      // On this date, facts are in several currencies, but only one has amounts.
      const both = { known: true, values: { ...known.values } };
      addDay(both, row, includeTax);
      sums[index] = both;
    }
  }
  return sums;
}

const [withTax, withoutTax] = [Symbol('sums with tax'), Symbol('sums without tax')];

function sumsOfDay(row: StoreDay, includeTax: boolean): BucketSums {
  // Cached on the row itself: weak maps of many short-lived rows cost more than they save.
  const known = row as StoreDay & Record<symbol, BucketSums | undefined>;
  const name = includeTax ? withTax : withoutTax;
  let sums = known[name];
  if (sums === undefined) {
    sums = noBucketSums();
    addDay(sums, row, includeTax);
    known[name] = sums;
  } else {
    // Texts are cached only for rows that are used again.
    sums.texts ??= null;
  }
  return sums;
}

function addDay(sums: BucketSums, row: StoreDay, includeTax: boolean): void {
  addOrders(sums, row, includeTax, noExchange);
  addDaily(sums, row, row.orders_cover === 1, noExchange);
}
