/**
 * The sales of seller channels: from order lines and, on dates before a channel's first order line,
 * from the marketplace's own figures.
 */
import { localDay } from '../calendar/period.ts';
import { areWholeDays, clipped, isLong, type Range, type Span } from '../calendar/windows.ts';
import { calendarOffsets } from '../calendar/zone.ts';
import { byDay, condensed, type Question, questionFile } from '../engine/question.ts';
import type { Ask, DateRange } from '../engine/warehouse.ts';
import type { SeveralDays } from '../figures/exchange.ts';
import { unitsOf } from '../figures/money.ts';
import { condensing } from './condensedDays.ts';
import { areInQuarters, slotSeconds, wholeDays } from './localDays.ts';

/** The sums of order lines by channel, local day and currency; cancelled lines count 0. */
export type OrderFacts = {
  readonly channel: number;
  readonly day: number;
  readonly currency: string;
  readonly line_items: number;
  readonly units: number;
  readonly item_price: bigint;
  readonly item_tax: bigint;
};

/** The sums of one step of a day; `step_at` is its start in epoch seconds. */
export type OrderStep = OrderFacts & { readonly step_at: number };

/**
 * The sales of a seller channel on a local day in one currency, and the views of that date. A row
 * of several consecutive days has the sums of all of them, and the sales of its block in units day
 * by day, without and with tax.
 */
export type Sold = OrderFacts &
  Partial<SeveralDays> & {
    readonly page_views?: number;
    /** Order items of traffic, on dates before all order lines. */
    readonly order_items?: number;
    readonly prices?: Float64Array;
    readonly taxed_prices?: Float64Array;
  };

/** The facts of a seller channel and date that its sales and views are taken from. */
type StoreDay = OrderFacts & {
  readonly page_views: number;
  readonly orders_cover: number;
  readonly traffic_revenue: bigint;
  readonly traffic_units: number;
  readonly traffic_order_items: number;
  /** Buy box percentage x page views, and the page views with a known percentage. */
  readonly buy_box_weighted: bigint;
  readonly buy_box_views: number;
};

/** The sales of a vendor channel on a date in one currency. */
export type VendorSold = {
  readonly channel: number;
  readonly day: number;
  readonly currency: string;
  readonly glance_views: number;
  readonly ordered_revenue: bigint;
  readonly ordered_units: number;
  readonly shipped_revenue: bigint;
  readonly shipped_units: number;
};

/** The revenue that counts as the sales of vendor channels. */
export type VendorRevenueType = 'orderedRevenue' | 'shippedRevenue';

const orderSlots = questionFile<OrderStep>(import.meta.url, 'orderSlots.sql');
const orderLines = questionFile<OrderStep>(import.meta.url, 'orderLines.sql');
const orderLinesOfSkus = questionFile<OrderStep>(import.meta.url, 'orderLinesOfSkus.sql');
const orderDays = byDay(questionFile<OrderFacts>(import.meta.url, 'orderDays.sql'));
const orderExtent = questionFile<{ channel: number; since: number; until: number }>(
  import.meta.url,
  'orderExtent.sql',
);
const storeSales = byDay(questionFile<StoreDay>(import.meta.url, 'storeSales.sql'));
const condenseSales = condensing<Sold>({
  counts: ['line_items', 'units', 'page_views', 'order_items'],
  amounts: ['item_price', 'item_tax'],
  daily: {
    prices: ({ item_price }) => unitsOf(item_price),
    taxed_prices: ({ item_price, item_tax }) => unitsOf(item_price + item_tax),
  },
});
const soldDays = condensed(storeSales, (rows) => condenseSales(rows.map(soldOf)));
const viewedDays = condensed(storeSales, (rows) => condenseSales(rows.map(ofViews)));
const orderBlocks = condensed(orderDays, condenseSales);
const vendorSales = byDay(questionFile<VendorSold>(import.meta.url, 'vendorSales.sql'));
const coveredDays = questionFile<{ channel: number; day: number }>(
  import.meta.url,
  'coveredDays.sql',
);

const secondsPerDay = 86_400;
/** The most days between the ends of the same date in two zones. */
const zoneDays = 2;
/** A step longer than all time. */
const wholeRange = 1e12;
const allTime: Range = { from: -wholeRange, to: wholeRange };

/**
 * The range of instants in which each channel has order lines; a channel without order lines has no
 * entry.
 */
export type OrderExtents = ReadonlyMap<number, Range>;

/** Reads the extents of the order lines of channels. */
export async function readOrderExtents(
  ask: Ask,
  channels: readonly number[],
): Promise<OrderExtents> {
  const rows = await ask(orderExtent, { channels });
  return new Map(
    rows.map(({ channel, since, until }) => [
      channel,
      { from: since, to: until + slotSeconds - 1 },
    ]),
  );
}

/**
 * Reads the sums of order lines by local days of the zone or, if `hourly`, by steps within one
 * hour: of the SKUs or, without any, of the whole store. However long the range is, only its part
 * with order lines is divided into days.
 */
export async function readOrderSteps(
  ask: Ask,
  extents: OrderExtents,
  zone: string,
  range: Range,
  {
    hourly = false,
    skus = [],
  }: { readonly hourly?: boolean; readonly skus?: readonly string[] } = {},
): Promise<OrderStep[]> {
  const known = clipped(range, [...extents.values()]);
  if (known === undefined) return [];
  const { from, to } = known;
  const channels = [...extents.keys()];
  const offsets = calendarOffsets(zone, from, to);
  const inQuarters = areInQuarters(offsets);
  const step = hourly ? (inQuarters ? slotSeconds : 1) : wholeRange;
  const parametersOf = (start: number, end: number) => ({
    channels,
    from: start,
    to: end,
    firstUtc: Math.floor(start / secondsPerDay),
    lastUtc: Math.floor(end / secondsPerDay),
    step,
    ...offsets,
  });
  const lines = (start: number, end: number) =>
    start > end
      ? []
      : skus.length > 0
        ? ask(orderLinesOfSkus, { ...parametersOf(start, end), skus })
        : ask(orderLines, parametersOf(start, end));
  const firstSlot = Math.ceil(from / slotSeconds) * slotSeconds;
  const slotsEnd = Math.floor((to + 1) / slotSeconds) * slotSeconds;
  if (skus.length > 0 || !inQuarters || firstSlot >= slotsEnd) return lines(from, to);
  return [
    ...(await lines(from, firstSlot - 1)),
    ...(await ask(orderSlots, parametersOf(firstSlot, slotsEnd - 1))),
    ...(await lines(slotsEnd, to)),
  ];
}

/**
 * Reads the sums of order lines by local days of the zone. Whole days are read year by year, with
 * the offsets of that year, so that requests for other ranges share their blocks.
 */
async function readOrderDays(
  ask: Ask,
  extents: OrderExtents,
  zone: string,
  range: Range,
  question: Question<OrderFacts>,
): Promise<OrderFacts[]> {
  const known = clipped(range, [...extents.values()]);
  if (known === undefined) return [];
  const { years, rests } = wholeDays(zone, known);
  const channels = [...extents.keys()];
  const parts: OrderFacts[][] = [];
  for (const { first, last, offsets } of years)
    parts.push(await ask(question, { channels, first, last, ...offsets }));
  for (const rest of rests) parts.push(await readOrderSteps(ask, extents, zone, rest));
  return parts.flat();
}

/** The local day of each channel's first order line. */
export function sinceDays(extents: OrderExtents, zone: string): ReadonlyMap<number, number> {
  return new Map(
    [...extents].map(([channel, { from }]) => [
      channel,
      from === allTime.from ? Number.NEGATIVE_INFINITY : localDay(zone, from),
    ]),
  );
}

/** Whether views are read, and whether a row may cover several days. */
type SoldOptions = { readonly withViews?: boolean; readonly inBlocks?: boolean };

/** A channel with the zone of its calendar. */
type Store = { readonly channelNumber: number; readonly timezone: string };

/**
 * Reads the sales of each range, with few questions for any number of channels. `withViews` also
 * reads the views of the dates that the range touches. With `inBlocks`, a row may cover several
 * days.
 */
export async function readSold(
  ask: Ask,
  stores: readonly Store[],
  zone: string,
  ranges: readonly Span[],
  { withViews = false, inBlocks = false }: SoldOptions = {},
): Promise<Sold[][]> {
  const [wholeDayed, others] = byWholeDays(stores, zone, ranges);
  const extents = await readNeededExtents(ask, others, ranges);
  const since = sinceDays(extents, zone);
  const sold: Sold[][] = [];
  for (const range of ranges) {
    const { first, last } = range;
    const isCovered = (channel: number, day: number) => since.get(channel)! <= day;
    const [covered, uncovered] = divided(others, (channel) => isCovered(channel, first));
    const readDates = async (
      question: Question<StoreDay | Sold>,
      channels: readonly number[],
      ofRow: (row: StoreDay) => Sold,
    ): Promise<Sold[]> => {
      if (channels.length === 0) return [];
      const rows = await ask(inBlocks ? question : storeSales, { channels, first, last });
      return rows.map((row) => (isOfDate(row) ? ofRow(row) : row));
    };
    const dated = await readStoreDays(ask, uncovered, range);
    sold.push(
      [
        await readOrderDays(ask, extents, zone, range, inBlocks ? orderBlocks : orderDays),
        await readDates(soldDays, wholeDayed, soldOf),
        withViews ? await readDates(viewedDays, covered, ofViews) : [],
        dated.filter(({ channel, day }) => !isCovered(channel, day)).map(ofTraffic),
        withViews ? dated.filter(({ channel, day }) => isCovered(channel, day)).map(ofViews) : [],
      ].flat(),
    );
  }
  return sold;
}

/** Reads the facts of seller channels by the dates of their own calendars. */
export async function readStoreDays(
  ask: Ask,
  channels: readonly number[],
  { first, last }: DateRange,
): Promise<StoreDay[]> {
  return channels.length > 0 ? ask(storeSales, { channels, first, last }) : [];
}

/** Reads the sales of vendor channels by the marketplace's dates. */
export async function readVendorSold(
  ask: Ask,
  channels: readonly number[],
  { first, last }: DateRange,
): Promise<VendorSold[]> {
  return channels.length > 0 ? ask(vendorSales, { channels, first, last }) : [];
}

/**
 * Divides channels: the first list has the numbers of channels in whose own calendars the ranges
 * are whole days, so that store_day has their sales; the second list has all others.
 */
function byWholeDays(
  stores: readonly Store[],
  zone: string,
  ranges: readonly Span[],
): readonly [number[], number[]] {
  const zones = new Map<string, boolean>();
  const [wholeDayed, others]: [number[], number[]] = [[], []];
  for (const { channelNumber, timezone } of stores) {
    const isWhole = zones.get(timezone) ?? areWholeDays(zone, timezone, ranges);
    zones.set(timezone, isWhole);
    (isWhole ? wholeDayed : others).push(channelNumber);
  }
  return [wholeDayed, others];
}

/**
 * Reads the extents of the order lines of channels. Reading them takes all order lines, so they are
 * assumed to be all time if they change nothing: for a short range after the first day with order
 * lines in any zone.
 */
async function readNeededExtents(
  ask: Ask,
  channels: readonly number[],
  ranges: readonly Span[],
): Promise<OrderExtents> {
  if (channels.length === 0) return new Map();
  const areShort = !ranges.some(isLong);
  const first = Math.min(...ranges.map((range) => range.first));
  const covered = new Set<number>();
  if (areShort)
    for (const { channel, day } of await ask(coveredDays, { channels }))
      if (first >= day + zoneDays) covered.add(channel);
  const others = channels.filter((channel) => !covered.has(channel));
  return new Map([
    ...[...covered].map((channel) => [channel, allTime] as const),
    ...(others.length > 0 ? await readOrderExtents(ask, others) : []),
  ]);
}

function divided<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

function isOfDate(row: StoreDay | Sold): row is StoreDay {
  return 'orders_cover' in row;
}

/** The sales of a date in the channel's own calendar. */
function soldOf(row: StoreDay): Sold {
  return row.orders_cover === 1 ? row : ofTraffic(row);
}

/** The sales of a date before all order lines: the marketplace's own figures. */
function ofTraffic(row: StoreDay): Sold {
  const { channel, day, currency, page_views } = row;
  return {
    channel,
    day,
    currency,
    page_views,
    line_items: row.traffic_order_items,
    order_items: row.traffic_order_items,
    units: row.traffic_units,
    item_price: row.traffic_revenue,
    item_tax: 0n,
  };
}

/** The views of a date whose sales are read from order lines. */
function ofViews({ channel, day, currency, page_views }: StoreDay): Sold {
  return {
    channel,
    day,
    currency,
    page_views,
    line_items: 0,
    units: 0,
    item_price: 0n,
    item_tax: 0n,
  };
}
