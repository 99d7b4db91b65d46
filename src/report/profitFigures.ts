/** The figures of the profit and loss of stores in a range of any zone. */

import { localDay, startOfDay } from '../calendar/period.ts';
import { calendarOffsets } from '../calendar/zone.ts';
import { questionFile } from '../engine/question.ts';
import type { Ask, DateRange } from '../engine/warehouse.ts';
import { clipped, isLong, type Range } from './period.ts';
import {
  datedStoreSums,
  partialDays,
  readStoreEvents,
  storeDays,
  storeSums,
  utcDay,
} from './profitEvents.ts';
import { type AdCost, type Figures, figuresOfAdCost } from './profitStatement.ts';

const storeAdCost = questionFile<AdCost>(import.meta.url, 'storeAdCost.sql');
const profitExtent = questionFile<{ since: number; until: number }>(
  import.meta.url,
  'profitExtent.sql',
);
const costDates = questionFile<{ effective_from: number }>(import.meta.url, 'costDates.sql');

const secondsPerDay = 86_400;
/** The grain of the rollup. */
const slotSeconds = 900;

/** The stores and the range that figures are read of. */
export type StoreRange = {
  readonly channels: readonly number[];
  readonly zone: string;
  readonly range: Range;
  /** A currency whose amounts need no dates: they may all be dated to one day of the range. */
  readonly undated?: string;
};

/** Reads the figures of stores, with the reported advertising cost that counts. */
export async function readStoreFigures(ask: Ask, asked: StoreRange): Promise<Figures[]> {
  const { channels, zone, range } = asked;
  const figures = await readPosted(ask, asked);
  const days = { first: localDay(zone, range.from), last: localDay(zone, range.to) };
  for (const adCost of await ask(storeAdCost, { channels, ...days }))
    figures.push(figuresOfAdCost(adCost));
  return figures;
}

/** Reads whole quarters of an hour from the rollup, and events on the days it cannot answer. */
async function readPosted(ask: Ask, asked: StoreRange): Promise<Figures[]> {
  const { channels, zone, undated } = asked;
  const range = await clippedToEvents(ask, asked);
  if (range === undefined) return [];
  const first = localDay(zone, range.from);
  const offsets = calendarOffsets(zone, range.from, range.to);
  const firstUtc = utcDay(range.from);
  const lastUtc = utcDay(range.to);
  const apart = await readDaysApart(ask, { ...asked, range });
  const figures: Figures[] = [];
  for (const channel of channels)
    figures.push(...(await readStoreEvents(ask, { channel, range, offsets, days: apart })));
  if (apart.length > lastUtc - firstUtc) return figures;
  const sumsOf = (from: number, to: number) => {
    const shared = { channels, ...range, ...offsets, apart, firstUtc: from, lastUtc: to };
    return undated === undefined
      ? ask(datedStoreSums, shared)
      : ask(storeSums, { ...shared, currency: undated, first });
  };
  const isUtc = offsets.offsets.every((offset) => offset === 0);
  const mayBeWhole = !isLong(range) && (isUtc || undated !== undefined);
  const whole = mayBeWhole ? await readWholeDays(ask, channels, range, apart) : undefined;
  // In other zones than UTC the days of the rollup are not the dates of the amounts.
  if (whole?.every((row) => isUtc || row.currency === undated)) {
    figures.push(...whole);
    for (const day of partialDays(range, secondsPerDay))
      if (!apart.includes(day)) figures.push(...(await sumsOf(day, day)));
  } else figures.push(...(await sumsOf(firstUtc, lastUtc)));
  return figures;
}

/** Reads the UTC days that lie in a range as a whole, but for those `apart`. */
async function readWholeDays(
  ask: Ask,
  channels: readonly number[],
  { from, to }: Range,
  apart: readonly number[],
): Promise<Figures[]> {
  const first = utcDay(from + secondsPerDay - 1);
  const last = utcDay(to + 1) - 1;
  if (first > last) return [];
  const rows = await ask(storeDays, { channels, first, last });
  return rows.filter(({ day }) => !apart.includes(day));
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
async function readDaysApart(ask: Ask, { channels, zone, range }: StoreRange): Promise<number[]> {
  const { offsets } = calendarOffsets(zone, range.from, range.to);
  const firstUtc = utcDay(range.from);
  const lastUtc = utcDay(range.to);
  if (offsets.some((offset) => offset % slotSeconds !== 0))
    return Array.from({ length: lastUtc - firstUtc + 1 }, (_, index) => firstUtc + index);
  const days = { first: localDay(zone, range.from), last: localDay(zone, range.to) };
  const isUtc = offsets.every((offset) => offset === 0);
  const shifted = isUtc ? [] : await readShiftedDays(ask, channels, zone, days);
  const apart = new Set([
    ...partialDays(range, slotSeconds),
    ...shifted.filter((day) => day >= firstUtc && day <= lastUtc),
  ]);
  return [...apart].sort((a, b) => a - b);
}

/**
 * The UTC days inside which a date of the zone begins that is the first date of a unit cost. The
 * rollup has such a cost begin with the UTC day.
 */
async function readShiftedDays(
  ask: Ask,
  channels: readonly number[],
  zone: string,
  { first, last }: DateRange,
): Promise<number[]> {
  const shifted: number[] = [];
  const around = { first: first - 1, last: last + 1 };
  for (const { effective_from: date } of await ask(costDates, { channels, ...around })) {
    // A cost whose date the zone skipped begins with the next date.
    const start = startOfDay(zone, date) ?? startOfDay(zone, date + 1)!;
    if (start !== date * secondsPerDay) shifted.push(utcDay(start));
  }
  return shifted;
}
