/** Reads the figures of the profit and loss of stores in a range of any zone. */

import { localDay, startOfDay } from '../calendar/period.ts';
import { clipped, isLong, type Range } from '../calendar/windows.ts';
import { calendarOffsets, type ZoneOffsets } from '../calendar/zone.ts';
import { questionFile } from '../engine/question.ts';
import { daySource, enclosingSegments } from '../engine/segments/daySource.ts';
import { type CachedAsk, rowsOfDays } from '../engine/segments/router.ts';
import type { Ask, DateRange } from '../engine/warehouse.ts';
import { areInQuarters, slotSeconds, wholeDays } from './localDays.ts';
import {
  daysAtOnce,
  partialDays,
  readStoreEvents,
  storeDaysOf,
  storeSums,
  utcDay,
} from './profitEvents.ts';
import { type AdCost, type Figures, figuresOfAdCost } from './profitStatement.ts';

const storeAdCost = daySource(
  questionFile<AdCost & { readonly channel: number; readonly day: number }>(
    import.meta.url,
    'storeAdCost.sql',
  ),
  { texts: ['currency'], counts: ['local_date'], amounts: ['ad_cost'] },
);
const profitExtent = questionFile<{ since: number; until: number }>(
  import.meta.url,
  'profitExtent.sql',
);
const costDates = daySource(
  questionFile<{ readonly channel: number; readonly day: number }>(
    import.meta.url,
    'costDates.sql',
  ),
  { texts: [], counts: [], amounts: [] },
);

const secondsPerDay = 86_400;

type CostDate = { readonly channel: number; readonly day: number };

/** The stores, the zone and the range of figures. */
export type StoreRange = {
  readonly channels: readonly number[];
  readonly zone: string;
  readonly range: Range;
};

/**
 * Reads the figures of stores, including the reported advertising cost that counts. Those in the
 * currency `summedIn` may be of several days, and have the first of them.
 */
export async function readStoreFigures(
  ask: CachedAsk,
  stores: StoreRange,
  summedIn?: string,
): Promise<Figures[]> {
  const { channels, zone, range } = stores;
  const figures = await readPosted(ask, stores, summedIn);
  const days = { first: localDay(zone, range.from), last: localDay(zone, range.to) };
  for (const adCost of await rowsOfDays<AdCost>(ask, storeAdCost, channels, days))
    figures.push(figuresOfAdCost(adCost));
  return figures;
}

/** Reads whole local days, which other ranges share, and the rests separately. */
async function readPosted(
  ask: CachedAsk,
  stores: StoreRange,
  summedIn: string | undefined,
): Promise<Figures[]> {
  const { channels, zone } = stores;
  const range = await clippedToEvents(ask, stores);
  if (range === undefined) return [];
  const { days, rests } = wholeDays(zone, range);
  const parts: (readonly Figures[])[] = [];
  if (days !== undefined) parts.push(await readLocalDays(ask, channels, zone, days, summedIn));
  for (const rest of rests) parts.push(await readRange(ask, { channels, zone, range: rest }));
  return parts.flat();
}

/** Reads local days from the rollup, and events on the UTC days that it cannot answer for. */
async function readLocalDays(
  ask: CachedAsk,
  channels: readonly number[],
  zone: string,
  range: DateRange,
  summedIn: string | undefined,
): Promise<Figures[]> {
  const around = enclosingSegments(range);
  const offsets = calendarOffsets(
    zone,
    (around.first - 1) * secondsPerDay,
    (around.last + 2) * secondsPerDay,
  );
  const shifted = await readShiftedDays(ask, channels, zone, around, offsets);
  const unshifted = channels.filter((channel) => !shifted.has(channel));
  const read = async (some: readonly number[], apart: readonly number[]) => {
    const tables = await ask.days(storeDaysOf(zone, apart), some, range);
    return tables.flatMap((table) =>
      summedIn !== undefined && table.isIn(summedIn)
        ? table
            .sumsIn<Figures & { readonly day: number }>(range)
            .map((sums) => ({ ...sums, local_date: sums.day }))
        : table.rowsIn<Figures>(range),
    );
  };
  const figures = await read(unshifted, []);
  for (const [channel, days] of shifted) {
    figures.push(...(await read([channel], days)));
    const near = days.filter((day) => day >= range.first - 1 && day <= range.last + 1);
    for (let index = 0; index < near.length; index += daysAtOnce) {
      const some = near.slice(index, index + daysAtOnce);
      const instants = {
        from: some[0]! * secondsPerDay,
        to: some.at(-1)! * secondsPerDay + secondsPerDay - 1,
      };
      const events = await readStoreEvents(ask, { channel, range: instants, offsets, days: some });
      for (const row of events)
        if (row.local_date >= range.first && row.local_date <= range.last) figures.push(row);
    }
  }
  return figures;
}

/**
 * Reads whole quarters of an hour from the rollup, and events on the days that it cannot answer
 * for.
 */
async function readRange(
  ask: CachedAsk,
  { channels, zone, range }: StoreRange,
): Promise<Figures[]> {
  const offsets = calendarOffsets(zone, range.from, range.to);
  const firstUtc = utcDay(range.from);
  const lastUtc = utcDay(range.to);
  const days = await readDaysApart(ask, { channels, zone, range });
  const figures: Figures[] = [];
  for (const channel of channels)
    figures.push(...(await readStoreEvents(ask, { channel, range, offsets, days })));
  if (days.length > lastUtc - firstUtc) return figures;
  const shared = { channels, ...range, ...offsets, firstUtc, lastUtc };
  return figures.concat(await ask(storeSums, { ...shared, apart: days }));
}

/** The part of a range that has events, if any. */
async function clippedToEvents(
  ask: Ask,
  { channels, range }: StoreRange,
): Promise<Range | undefined> {
  if (!isLong(range)) return range;
  const extents = await ask(profitExtent, { channels });
  return clipped(
    range,
    extents.map(({ since, until }) => ({ from: since, to: until + slotSeconds - 1 })),
  );
}

/** The UTC days whose events the rollup cannot answer for, in order. */
async function readDaysApart(
  ask: CachedAsk,
  { channels, zone, range }: StoreRange,
): Promise<number[]> {
  const firstUtc = utcDay(range.from);
  const lastUtc = utcDay(range.to);
  const offsets = calendarOffsets(zone, range.from, range.to);
  if (!areInQuarters(offsets))
    return Array.from({ length: lastUtc - firstUtc + 1 }, (_, index) => firstUtc + index);
  const days = { first: localDay(zone, range.from), last: localDay(zone, range.to) };
  const shifted = await readShiftedDays(ask, channels, zone, days, offsets);
  const apart = new Set([
    ...partialDays(range, slotSeconds),
    ...[...shifted.values()].flat().filter((day) => day >= firstUtc && day <= lastUtc),
  ]);
  return [...apart].sort((a, b) => a - b);
}

/**
 * The UTC days, in order, within which a date of the zone begins that is the first date of a
 * channel's unit cost. In the rollup, such a cost begins with the UTC day.
 */
async function readShiftedDays(
  ask: CachedAsk,
  channels: readonly number[],
  zone: string,
  { first, last }: DateRange,
  { offsets }: ZoneOffsets,
): Promise<ReadonlyMap<number, readonly number[]>> {
  // Dates in UTC begin with its days.
  if (offsets.every((offset) => offset === 0)) return new Map();
  const shifted = new Map<number, Set<number>>();
  const around = { first: first - 1, last: last + 1 };
  for (const { channel, day } of await rowsOfDays<CostDate>(ask, costDates, channels, around)) {
    // A cost whose date the zone skipped begins with the next date.
    const start = startOfDay(zone, day) ?? startOfDay(zone, day + 1)!;
    if (start === day * secondsPerDay) continue;
    shifted.set(channel, (shifted.get(channel) ?? new Set()).add(utcDay(start)));
  }
  return new Map([...shifted].map(([channel, days]) => [channel, [...days].sort((a, b) => a - b)]));
}
