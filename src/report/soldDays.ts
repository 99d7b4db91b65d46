/**
 * The sales of seller channels by day: from order lines and, on the dates before a channel has any,
 * from the marketplace's own figures.
 */
import { areWholeDays, clipped, enclosing, isLong, type Span } from '../calendar/windows.ts';
import { calendarOffsets } from '../calendar/zone.ts';
import { questionFile } from '../engine/question.ts';
import { type DaySource, daySource } from '../engine/segments/daySource.ts';
import type { DayTable } from '../engine/segments/dayTable.ts';
import { tablesOfRows } from '../engine/segments/format.ts';
import type { CachedAsk } from '../engine/segments/router.ts';
import type { Ask, DateRange } from '../engine/warehouse.ts';
import { wholeDays } from './localDays.ts';
import {
  allTime,
  extentOf,
  type OrderExtents,
  type OrderFacts,
  orderColumns,
  readOrderExtents,
  readOrderSteps,
  sinceDays,
  storeDay,
} from './sales.ts';
import { eachInSlices } from './slices.ts';

/**
 * The sales of a seller channel in one currency, on a day or on several from that day on, and the
 * views of these dates. Amounts are in millionths.
 */
export type Sold = {
  channel: number;
  day: number;
  currency: string;
  units: number;
  price: number | bigint;
  tax: number | bigint;
  page_views: number;
  /** Order items of traffic, on dates before all order lines. */
  order_items: number;
};

/** The sales of seller channels in a range of days. */
export type SoldFacts = {
  readonly parts: readonly SoldPart[];
  readonly range: DateRange;
};

/**
 * A table of sales. Those of `orders` are `days` of another zone; those of `dates` are dates of the
 * channel's own calendar. Of `others` only the dates before `since` count, the local day of the
 * first order line, and of the later ones the views.
 */
type SoldPart = { readonly table: DayTable } & (
  | { readonly of: 'orders'; readonly days: DateRange }
  | { readonly of: 'dates' }
  | { readonly of: 'others'; readonly since: number }
);

const orderDays = questionFile<OrderFacts>(import.meta.url, 'orderDays.sql');
const coveredDays = questionFile<{ channel: number; day: number }>(
  import.meta.url,
  'coveredDays.sql',
);

const secondsPerDay = 86_400;
/** By so many days a date ends later in one zone than in another, at most. */
const zoneDays = 2;

/** The order lines of whole stores by the local days of a zone. */
function orderDaysOf(zone: string): DaySource {
  return daySource(orderDays, orderColumns, {
    variant: zone,
    parametersOf: ({ first, last }) =>
      calendarOffsets(zone, (first - 1) * secondsPerDay, (last + 2) * secondsPerDay),
  });
}

/** Reads the sums of order lines by local days of the zone. */
async function readOrderDays(
  ask: CachedAsk,
  extents: OrderExtents,
  zone: string,
  range: Span,
): Promise<SoldPart[]> {
  const known = clipped(range, [...extents.values()]);
  if (known === undefined) return [];
  const { days, rests } = wholeDays(zone, known);
  const channels = [...extents.keys()];
  const parts: SoldPart[] = [];
  const add = (tables: readonly DayTable[], ofTables: DateRange) => {
    for (const table of tables) parts.push({ table, of: 'orders', days: ofTables });
  };
  // A table may have the whole of a day, of which the range has a part.
  if (days !== undefined) add(await ask.days(orderDaysOf(zone), channels, days), days);
  for (const rest of rests) {
    const rows = await readOrderSteps(ask, extents, zone, rest);
    add(tablesOfRows(rows, orderColumns), range);
  }
  return parts;
}

/** A channel whose sales are read. */
type Store = { readonly channelNumber: number; readonly timezone: string };

/** Reads the sales of each range, with the views of the dates that the range touches. */
export async function readSold(
  ask: CachedAsk,
  stores: readonly Store[],
  zone: string,
  ranges: readonly Span[],
): Promise<SoldFacts[]> {
  const [own, others] = byCalendar(stores, zone, ranges);
  const extents = await readNeededExtents(ask, others, ranges);
  const since = sinceDays(extents, zone);
  const facts: SoldFacts[] = [];
  for (const range of ranges) {
    const orders = await readOrderDays(ask, extents, zone, range);
    const dates = await ask.days(storeDay, own, range);
    const dated = await ask.days(storeDay, others, range);
    facts.push({
      range,
      parts: [
        ...orders,
        ...dates.map((table) => ({ table, of: 'dates' as const })),
        ...dated.map((table) => ({
          table,
          of: 'others' as const,
          since: since.get(table.channel) ?? Number.POSITIVE_INFINITY,
        })),
      ],
    });
  }
  return facts;
}

/** The days from the first to the last sale. */
export function soldDays({ parts, range }: SoldFacts): DateRange {
  return enclosing(parts.map((part) => extentOf([part.table], daysOfPart(part, range))));
}

/**
 * Takes the sales of a range one after the other, as one object whose fields change. Sales in the
 * target currency need no conversion by day, so those of several days may be taken as one. After
 * each slice of them other work of the process has its turn.
 */
export async function eachSold(
  { parts, range }: SoldFacts,
  target: string,
  take: (sold: Sold) => void,
  isWanted: (table: DayTable) => boolean = () => true,
): Promise<void> {
  const wanted = parts.filter(({ table }) => isWanted(table));
  await eachInSlices(wanted, (part) => eachOfPart(part, range, target, take));
}

/** The days of a range that a part counts. */
function daysOfPart(part: SoldPart, { first, last }: DateRange): DateRange {
  if (part.of !== 'orders') return { first, last };
  const { days } = part;
  return { first: Math.max(first, days.first), last: Math.min(last, days.last) };
}

/** The source of sales: order lines, figures of traffic, or none, as only views count. */
type Basis = 'orders' | 'traffic' | 'views';

/** Takes the sales of a table, and returns how many there were. */
function eachOfPart(
  part: SoldPart,
  range: DateRange,
  target: string,
  take: (sold: Sold) => void,
): number {
  const { table } = part;
  const [start, end] = table.rowsOf(daysOfPart(part, range));
  const columns = soldColumns(table, part.of !== 'orders');
  const basisOf = basisBy(part);
  const currencies = table.texts('currency');
  const isOfOne = table.isIn(target);
  const sold: Sold = {
    channel: table.channel,
    day: 0,
    currency: target,
    units: 0,
    price: 0,
    tax: 0,
    page_views: 0,
    order_items: 0,
  };
  let taken = 0;
  for (let row = start; row < end; taken++) {
    const basis = basisOf(row);
    let next = row + 1;
    if (isOfOne) while (next < end && basisOf(next) === basis) next += 1;
    else sold.currency = currencies.at(row);
    sold.day = table.days[row]!;
    const { units, price } = basis === 'traffic' ? columns.traffic! : columns.orders;
    const hasSales = basis !== 'views';
    sold.page_views = Number(columns.traffic?.views.sum(row, next) ?? 0);
    sold.order_items = basis === 'traffic' ? Number(columns.traffic!.items.sum(row, next)) : 0;
    sold.units = hasSales ? Number(units.sum(row, next)) : 0;
    sold.price = hasSales ? price.sum(row, next) : 0;
    sold.tax = basis === 'orders' ? columns.orders.tax.sum(row, next) : 0;
    take(sold);
    row = next;
  }
  return taken;
}

/** Finds the source of the sales of each row. */
function basisBy(part: SoldPart): (row: number) => Basis {
  const { table } = part;
  if (part.of === 'orders') return () => 'orders';
  if (part.of === 'others') return (row) => (table.days[row]! < part.since ? 'traffic' : 'views');
  const covers = table.numbers('orders_cover');
  return (row) => (covers.at(row) === 1 ? 'orders' : 'traffic');
}

function soldColumns(table: DayTable, hasTraffic: boolean) {
  const numbers = (name: string) => table.numbers(name);
  return {
    orders: {
      units: numbers('units'),
      price: numbers('item_price'),
      tax: numbers('item_tax'),
    },
    traffic: hasTraffic
      ? {
          views: numbers('page_views'),
          units: numbers('traffic_units'),
          items: numbers('traffic_order_items'),
          price: numbers('traffic_revenue'),
        }
      : undefined,
  };
}

/**
 * The numbers of the channels whose own calendars have the ranges as whole days, so that store_day
 * has their sales, and those of the others.
 */
function byCalendar(
  stores: readonly Store[],
  zone: string,
  ranges: readonly Span[],
): readonly [number[], number[]] {
  const zones = new Map<string, boolean>();
  const [own, others]: [number[], number[]] = [[], []];
  for (const { channelNumber, timezone } of stores) {
    const isOwn = zones.get(timezone) ?? areWholeDays(zone, timezone, ranges);
    zones.set(timezone, isOwn);
    (isOwn ? own : others).push(channelNumber);
  }
  return [own, others];
}

/**
 * Reads the extents of the order lines of channels. They are not read, but taken to be all time,
 * where they change nothing: a short range after the first day with order lines in any zone.
 * Reading them takes all order lines.
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
