/**
 * The sums of order lines, by local days of a zone or by steps of a day, and the rollups of sales.
 */
import { localDay } from '../calendar/period.ts';
import { clipped, type Range } from '../calendar/windows.ts';
import { calendarOffsets } from '../calendar/zone.ts';
import { questionFile } from '../engine/question.ts';
import { rollupSource } from '../engine/segments/daySource.ts';
import type { DayTable } from '../engine/segments/dayTable.ts';
import type { Ask, DateRange } from '../engine/warehouse.ts';
import { areInQuarters, slotSeconds } from './localDays.ts';

/** The facts of a store by the dates of its own calendar: orders, traffic and advertising. */
export const storeDay = rollupSource('store_day');
/** The facts of a vendor by the marketplace's dates. */
export const vendorDay = rollupSource('vendor_day');

/** The sums of the order lines of one channel, local day and currency; canceled ones count 0. */
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

/** The revenue that counts as the sales of vendor channels. */
export type VendorRevenueType = 'orderedRevenue' | 'shippedRevenue';

const orderSlots = questionFile<OrderStep>(import.meta.url, 'orderSlots.sql');
const orderLines = questionFile<OrderStep>(import.meta.url, 'orderLines.sql');
const orderLinesOfSkus = questionFile<OrderStep>(import.meta.url, 'orderLinesOfSkus.sql');
/** The columns of sums of order lines. */
export const orderColumns = {
  texts: ['currency'],
  counts: ['line_items', 'units'],
  amounts: ['item_price', 'item_tax'],
};
const orderExtent = questionFile<{ channel: number; since: number; until: number }>(
  import.meta.url,
  'orderExtent.sql',
);
const secondsPerDay = 86_400;
/** A step longer than all time. */
const wholeRange = 1e12;
/** A range that holds every instant. */
export const allTime: Range = { from: -wholeRange, to: wholeRange };

/** The instants between which each channel has order lines; a channel without any has no entry. */
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
 * Reads the sums of order lines by local days of the zone or, `hourly`, by steps that lie within
 * one hour: of the SKUs or, without any, of the whole store. However long the range is, only the
 * part of it with order lines is divided into days.
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

/** The local day since which each channel has order lines. */
export function sinceDays(extents: OrderExtents, zone: string): ReadonlyMap<number, number> {
  return new Map(
    [...extents].map(([channel, { from }]) => [
      channel,
      from === allTime.from ? Number.NEGATIVE_INFINITY : localDay(zone, from),
    ]),
  );
}

/** The days from the first to the last fact of tables in a range. */
export function extentOf(tables: readonly DayTable[], range: DateRange): DateRange {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const table of tables) {
    const [start, end] = table.rowsOf(range);
    if (start === end) continue;
    first = Math.min(first, table.days[start]!);
    last = Math.max(last, table.days[end - 1]!);
  }
  return { first, last };
}

/** The column of the revenue that counts as the sales of vendor channels. */
export function vendorRevenueColumn(type: VendorRevenueType): string {
  return type === 'orderedRevenue' ? 'ordered_revenue' : 'shipped_revenue';
}
