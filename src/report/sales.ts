/**
 * The sales of seller channels: from order lines and, on the dates before a channel has any, from
 * the marketplace's own figures.
 */
import { localDay } from '../calendar/period.ts';
import { calendarOffsets } from '../calendar/zone.ts';
import { byDay, questionFile } from '../engine/question.ts';
import type { Ask, DateRange } from '../engine/warehouse.ts';
import { clipped, type Range } from './period.ts';

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

/** The sales of a channel on a local day in one currency. */
export type Sold = Pick<OrderFacts, 'channel' | 'day' | 'currency' | 'item_price' | 'item_tax'>;

const orderSlots = questionFile<OrderStep>(import.meta.url, 'orderSlots.sql');
const orderLines = questionFile<OrderStep>(import.meta.url, 'orderLines.sql');
const orderExtent = questionFile<{ channel: number; since: number; until: number }>(
  import.meta.url,
  'orderExtent.sql',
);
const trafficSales = byDay(
  questionFile<{
    channel: number;
    day: number;
    currency: string;
    traffic_revenue: bigint;
  }>(import.meta.url, 'trafficSales.sql'),
);

const secondsPerDay = 86_400;
/** The grain of the rollup of order lines, and of the steps by which hours are read. */
const slotSeconds = 900;
/** A step longer than all time. */
const wholeRange = 1e12;

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
  const inQuarters = offsets.offsets.every((offset) => offset % slotSeconds === 0);
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
    start > end ? [] : ask(orderLines, { ...parametersOf(start, end), skus });
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
  return new Map([...extents].map(([channel, { from }]) => [channel, localDay(zone, from)]));
}

/** Reads the sales of each range, in few questions for any number of channels. */
export async function readSold(
  ask: Ask,
  channels: readonly number[],
  zone: string,
  ranges: readonly (Range & DateRange)[],
): Promise<Sold[][]> {
  const extents = await readOrderExtents(ask, channels);
  const since = sinceDays(extents, zone);
  const sold: Sold[][] = [];
  for (const range of ranges) {
    const rows: Sold[] = await readOrderSteps(ask, extents, zone, range);
    const uncovered = channels.filter((channel) => !(since.get(channel)! <= range.first));
    if (uncovered.length > 0) {
      const { first, last } = range;
      for (const { channel, day, currency, traffic_revenue } of await ask(trafficSales, {
        channels: uncovered,
        first,
        last,
      })) {
        if (!(since.get(channel)! <= day))
          rows.push({ channel, day, currency, item_price: traffic_revenue, item_tax: 0n });
      }
    }
    sold.push(rows);
  }
  return sold;
}
