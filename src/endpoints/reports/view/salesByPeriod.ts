/** Sales, traffic and advertising of one seller channel, bucket by bucket. */

import type { Channel } from '../../../access/channels.ts';
import {
  bucketOfDay,
  bucketOfInstant,
  endOfDay,
  type Interval,
  parseInterval,
  startOfDay,
} from '../../../calendar/period.ts';
import { sameDays } from '../../../calendar/zone.ts';
import { Refusal } from '../../../contract/refusal.ts';
import { questionFile } from '../../../engine/question.ts';
import type { Ask, DateRange } from '../../../engine/warehouse.ts';
import { type Exchange, exchangeInto, foreignCurrencies } from '../../../report/rates.ts';
import { type OrderFacts, readOrderSteps, readOrdersSince } from '../../../report/sales.ts';
import { type AmountTexts, amountTexts, ratioText } from '../../../report/texts.ts';
import type { Handler } from '../../handler.ts';
import type { viewSalesByPeriod as contract, SalesByPeriodRow } from './contract.ts';
import {
  comparing,
  enclosing,
  type MetricsOf,
  readDays,
  timesOf,
  type Window,
  windowsOf,
} from './periods.ts';

type DailyFacts = {
  readonly day: number;
  readonly currency: string;
  readonly page_views: number;
  readonly sessions: number;
  readonly buy_box_weighted: bigint;
  readonly buy_box_views: number;
  readonly traffic_revenue: bigint;
  readonly traffic_units: number;
  readonly traffic_order_items: number;
  readonly daily_rows: number;
  readonly impressions: number;
  readonly clicks: number;
  readonly ad_cost: bigint;
  readonly ad_sales: bigint;
};
type StoreDay = Omit<OrderFacts, 'channel'> & DailyFacts & { readonly orders_cover: number };

const salesDays = questionFile<StoreDay>(import.meta.url, 'salesDays.sql');
const salesProducts = questionFile<DailyFacts>(import.meta.url, 'salesProducts.sql');

/** Decimal places of percents. */
const percentPlaces = 1;

/** What is asked of both windows. */
type View = {
  readonly channel: Channel;
  readonly zone: string;
  readonly interval: Interval;
  readonly includeTax: boolean;
  readonly skus: readonly string[];
};

/** The facts of one window, wherever they were read from. */
type Facts = {
  readonly orders: readonly (Omit<OrderFacts, 'channel'> & { readonly step_at?: number })[];
  readonly daily: readonly DailyFacts[];
  /** Whether order lines tell the sales of that day. */
  readonly ordersCover: (facts: {
    readonly day: number;
    readonly orders_cover?: number;
  }) => boolean;
};

/** What a bucket's facts add up to. Amounts are exact, in fractions of the channel's currency. */
type Sums = {
  /** Whether any fact fell into the bucket. */
  known: boolean;
  sales: bigint;
  lineItems: number;
  units: number;
  pageViews: number;
  sessions: number;
  buyBoxWeighted: bigint;
  buyBoxViews: number;
  impressions: number;
  clicks: number;
  adSpend: bigint;
  adSales: bigint;
};

/** Answers POST /reports/view/salesByPeriod. */
export const viewSalesByPeriod: Handler<typeof contract> = async (
  asked,
  { channel, warehouse, limits },
) => {
  if (channel.kind === 'vendor')
    throw new Refusal(
      400,
      'channelId names a vendor channel: ask /reports/view/vendorSalesByPeriod',
    );
  const { timezone: zone } = asked.reportOptions;
  const interval = parseInterval(asked.reportOptions.interval)!;
  const view: View = {
    channel,
    zone,
    interval,
    includeTax: asked.includeTax,
    skus: [...new Set(asked.sellerSkus ?? [])],
  };
  const windows = windowsOf(asked.reportOptions);
  const { channelNumber, currency } = channel;
  const facts = keepsDays(view, windows)
    ? await readDays(warehouse, channelNumber, limits, windows, (ask, days) =>
        readStoreDays(ask, view, days),
      )
    : await warehouse.read([channelNumber], limits, (ask) => readSteps(ask, view, windows));
  const exchange = await exchangeInto(
    currency,
    foreignOf(facts, currency),
    enclosing(windows),
    (use) => warehouse.read([0], limits, use),
  );
  const [current, prior] = windows.map((window, index) =>
    add(view, window, facts[index]!, exchange),
  );
  return {
    status: 'success',
    currency,
    formattedChartData: rowsOf(
      view,
      windows[0]!,
      current!,
      prior,
      amountTexts(currency, exchange.places),
    ),
  };
};

/** Whether the windows consist of whole days of the channel's own calendar, so that the store's days answer for them. */
function keepsDays({ channel, zone, interval, skus }: View, windows: readonly Window[]): boolean {
  return (
    skus.length === 0 &&
    interval !== 'h' &&
    windows.every(
      ({ from, to, first, last }) =>
        from === startOfDay(zone, first) &&
        to === endOfDay(zone, last) &&
        sameDays(zone, channel.timezone, from, to),
    )
  );
}

/** Reads whole days of the channel's own calendar. */
async function readStoreDays(
  ask: Ask,
  { channel }: View,
  { first, last }: DateRange,
): Promise<Facts> {
  const days = await ask(salesDays, { channel: channel.channelNumber, first, last });
  return { orders: days, daily: days, ordersCover: (day) => day.orders_cover === 1 };
}

/** Reads windows of any zone, range, interval and SKUs. */
async function readSteps(ask: Ask, view: View, windows: readonly Window[]): Promise<Facts[]> {
  const { channel, zone, interval, skus } = view;
  const number = channel.channelNumber;
  const sinceDay =
    (await readOrdersSince(ask, [number], zone)).get(number) ?? Number.POSITIVE_INFINITY;
  const facts: Facts[] = [];
  for (const window of windows) {
    const { first, last } = window;
    const orders = await readOrderSteps(ask, [number], zone, window, {
      hourly: interval === 'h',
      skus,
    });
    let daily: DailyFacts[] = [];
    if (skus.length > 0) daily = await ask(salesProducts, { channel: number, first, last, skus });
    else if (interval !== 'h')
      daily = (await ask(salesDays, { channel: number, first, last })).filter(
        (day) => day.daily_rows > 0,
      );
    facts.push({
      orders,
      daily: interval === 'h' ? [] : daily,
      ordersCover: ({ day }) => day >= sinceDay,
    });
  }
  return facts;
}

/** The currencies other than the channel's in which any of the facts has an amount. Most channels sell in their own alone. */
function foreignOf(facts: readonly Facts[], currency: string): ReadonlySet<string> {
  const foreign = new Set<string>();
  for (const { orders, daily } of new Set(facts)) {
    for (const code of foreignCurrencies(currency, orders, ['item_price', 'item_tax']))
      foreign.add(code);
    for (const code of foreignCurrencies(currency, daily, [
      'traffic_revenue',
      'ad_cost',
      'ad_sales',
    ]))
      foreign.add(code);
  }
  return foreign;
}

/** Adds the facts of a window up, bucket by bucket. */
function add(
  { interval, includeTax }: View,
  window: Window,
  { orders, daily, ordersCover }: Facts,
  exchange: Exchange,
): Sums[] {
  const sums = window.buckets.map(nothing);
  const ofDay = (day: number) =>
    day < window.first || day > window.last ? undefined : sums[bucketOfDay(window.buckets, day)];
  for (const row of orders) {
    const bucket =
      interval === 'h'
        ? sums[bucketOfInstant(window.buckets, Math.max(row.step_at!, window.from))]
        : ofDay(row.day);
    if (!bucket) continue;
    bucket.known = true;
    if (row.line_items === 0) continue;
    bucket.lineItems += row.line_items;
    bucket.units += row.units;
    bucket.sales += exchange.of(
      includeTax ? row.item_price + row.item_tax : row.item_price,
      row.currency,
      row.day,
    );
  }
  for (const row of daily) {
    const bucket = ofDay(row.day);
    if (!bucket) continue;
    bucket.known = true;
    bucket.pageViews += row.page_views;
    bucket.sessions += row.sessions;
    bucket.buyBoxWeighted += row.buy_box_weighted;
    bucket.buyBoxViews += row.buy_box_views;
    bucket.impressions += row.impressions;
    bucket.clicks += row.clicks;
    bucket.adSpend += exchange.of(row.ad_cost, row.currency, row.day);
    bucket.adSales += exchange.of(row.ad_sales, row.currency, row.day);
    if (ordersCover(row)) continue;
    bucket.lineItems += row.traffic_order_items;
    bucket.units += row.traffic_units;
    bucket.sales += exchange.of(row.traffic_revenue, row.currency, row.day);
  }
  return sums;
}

function nothing(): Sums {
  return {
    known: false,
    sales: 0n,
    lineItems: 0,
    units: 0,
    pageViews: 0,
    sessions: 0,
    buyBoxWeighted: 0n,
    buyBoxViews: 0,
    impressions: 0,
    clicks: 0,
    adSpend: 0n,
    adSales: 0n,
  };
}

/** The metrics of a bucket as they are answered. */
type Metrics = MetricsOf<SalesByPeriodRow>;

const unknown: Metrics = {
  unitsSold: 0,
  lineItemCount: 0,
  pageViews: 0,
  totalSessions: 0,
  impressions: 0,
  clicks: 0,
  sales: '-',
  avgLineItemValue: '-',
  pageViewsConversions: '-',
  sessionConversions: '-',
  buyboxWinPercentage: '-',
  adSpend: '-',
  adSales: '-',
  clickThroughRate: '-',
  acos: '-',
  tacos: '-',
};

const compare = comparing(unknown);

function metricsOf(sums: Sums, hourly: boolean, { amount, unitPrice }: AmountTexts): Metrics {
  const { sales, lineItems, units, pageViews, sessions, impressions, clicks, adSpend, adSales } =
    sums;
  const metrics: Metrics = {
    unitsSold: units,
    lineItemCount: lineItems,
    pageViews,
    totalSessions: sessions,
    impressions,
    clicks,
    sales: amount(sales),
    avgLineItemValue: unitPrice(sales, lineItems),
    pageViewsConversions: percent(units, pageViews),
    sessionConversions: percent(units, sessions),
    buyboxWinPercentage: ratioText(sums.buyBoxWeighted, sums.buyBoxViews * 1e6, percentPlaces),
    adSpend: amount(adSpend),
    adSales: amount(adSales),
    clickThroughRate: percent(clicks, impressions),
    acos: percent(adSpend, adSales),
    tacos: percent(adSpend, sales),
  };
  // What exists by day only says nothing of an hour.
  if (hourly) Object.assign(metrics, { adSpend: '-', adSales: '-', tacos: '-' });
  return metrics;
}

function percent(part: bigint | number, whole: bigint | number): string {
  return ratioText(part, whole, percentPlaces, 100);
}

function rowsOf(
  { channel: { currency }, zone, interval }: View,
  window: Window,
  current: Sums[],
  prior: Sums[] | undefined,
  texts: AmountTexts,
): SalesByPeriodRow[] {
  const hourly = interval === 'h';
  return window.buckets.map((bucket, index) => {
    const before = prior?.[index];
    const metrics = compare(
      metricsOf(current[index]!, hourly, texts),
      before?.known ? metricsOf(before, hourly, texts) : undefined,
    );
    return { ...timesOf(zone, bucket, currency), ...metrics };
  });
}
