/** The profit and loss of a whole store. */

import type { Channel } from '../../access/channels.ts';
import { localDay, startOfDay } from '../../calendar/period.ts';
import { calendarOffsets } from '../../calendar/zone.ts';
import { questionFile } from '../../engine/question.ts';
import type { Ask, DateRange } from '../../engine/warehouse.ts';
import { clipped, isLong, type Range } from '../../report/period.ts';
import { exchangeInto, purposeOf } from '../../report/rates.ts';
import type { Handler } from '../handler.ts';
import type { readStoreProfitAndLoss as contract } from './contract.ts';
import { partialDays, readStoreEvents, storeDays, storeSums, utcDay } from './events.ts';
import {
  type AdCost,
  type Figures,
  figuresOfAdCost,
  foreignDays,
  foreignOf,
  statementOf,
} from './statement.ts';

const storeAdCost = questionFile<AdCost>(import.meta.url, 'storeAdCost.sql');
const profitExtent = questionFile<{ since: number; until: number }>(
  import.meta.url,
  'profitExtent.sql',
);
const costDates = questionFile<{ effective_from: number }>(import.meta.url, 'costDates.sql');

const secondsPerDay = 86_400;
/** The grain of the rollup. */
const slotSeconds = 900;

/** Answers POST /profitability/storeProfitAndLoss. */
export const readStoreProfitAndLoss: Handler<typeof contract> = async (
  { reportOptions },
  { channel, warehouse, limits },
) => {
  const { fromDate: from, toDate: to, timezone: zone } = reportOptions;
  const days = { first: localDay(zone, from), last: localDay(zone, to) };
  return await warehouse.readCached([channel.channelNumber, 0], limits, async (ask) => {
    const figures = await readFigures(ask, channel, zone, { from, to });
    for (const adCost of await ask(storeAdCost, { channel: channel.channelNumber, ...days }))
      figures.push(figuresOfAdCost(adCost));
    const foreign = foreignOf(channel.currency, figures, reportOptions);
    const exchange = await exchangeInto(
      channel.currency,
      foreign,
      foreignDays(channel.currency, figures),
      purposeOf(channel),
      (read) => read(ask),
    );
    return statementOf(figures, exchange, channel.currency, reportOptions).lines;
  });
};

/** Reads whole quarters of an hour from the rollup, and events on the days it cannot answer. */
async function readFigures(
  ask: Ask,
  { channelNumber: channel, currency }: Channel,
  zone: string,
  asked: Range,
): Promise<Figures[]> {
  const range = await clippedToEvents(ask, channel, asked);
  if (range === undefined) return [];
  const days = { first: localDay(zone, range.from), last: localDay(zone, range.to) };
  const offsets = calendarOffsets(zone, range.from, range.to);
  const firstUtc = utcDay(range.from);
  const lastUtc = utcDay(range.to);
  const apart = await readDaysApart(ask, channel, zone, range, days);
  const figures = await readStoreEvents(ask, { channel, range, offsets, days: apart });
  const sumsOf = (first: number, last: number) =>
    ask(storeSums, {
      ...{ channel, currency, ...range, ...offsets, apart },
      ...{ firstUtc: first, lastUtc: last, first: days.first },
    });
  if (apart.length > lastUtc - firstUtc) return figures;
  const whole = isLong(range) ? undefined : await readWholeDays(ask, channel, range, apart);
  // The date of an amount counts only for its exchange rate.
  const isDated = offsets.offsets.every((offset) => offset === 0);
  if (whole?.every((row) => isDated || row.currency === currency)) {
    figures.push(...whole);
    for (const day of partialDays(range, secondsPerDay))
      if (!apart.includes(day)) figures.push(...(await sumsOf(day, day)));
  } else figures.push(...(await sumsOf(firstUtc, lastUtc)));
  return figures;
}

/** Reads the UTC days that lie in a range as a whole, but for those `apart`. */
async function readWholeDays(
  ask: Ask,
  channel: number,
  { from, to }: Range,
  apart: readonly number[],
): Promise<Figures[]> {
  const first = utcDay(from + secondsPerDay - 1);
  const last = utcDay(to + 1) - 1;
  if (first > last) return [];
  const rows = await ask(storeDays, { channel, first, last });
  return rows.filter(({ day }) => !apart.includes(day));
}

/** The part of a range that has events, if any. */
async function clippedToEvents(
  ask: Ask,
  channel: number,
  range: Range,
): Promise<Range | undefined> {
  if (!isLong(range)) return range;
  const extents = await ask(profitExtent, { channel });
  return clipped(
    range,
    extents.map(({ since, until }) => ({ from: since, to: until + slotSeconds - 1 })),
  );
}

/** The UTC days whose events the rollup cannot answer for, in order. */
async function readDaysApart(
  ask: Ask,
  channel: number,
  zone: string,
  range: Range,
  days: DateRange,
): Promise<number[]> {
  const { offsets } = calendarOffsets(zone, range.from, range.to);
  const firstUtc = utcDay(range.from);
  const lastUtc = utcDay(range.to);
  if (offsets.some((offset) => offset % slotSeconds !== 0))
    return Array.from({ length: lastUtc - firstUtc + 1 }, (_, index) => firstUtc + index);
  const isUtc = offsets.every((offset) => offset === 0);
  const shifted = isUtc ? [] : await readShiftedDays(ask, channel, zone, days);
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
  channel: number,
  zone: string,
  { first, last }: DateRange,
): Promise<number[]> {
  const shifted: number[] = [];
  const around = { first: first - 1, last: last + 1 };
  for (const { effective_from: date } of await ask(costDates, { channel, ...around })) {
    // A cost whose date the zone skipped begins with the next date.
    const start = startOfDay(zone, date) ?? startOfDay(zone, date + 1)!;
    if (start !== date * secondsPerDay) shifted.push(utcDay(start));
  }
  return shifted;
}
