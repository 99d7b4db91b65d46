/** The profit and loss of a whole store. */

import type { Channel } from '../../access/channels.ts';
import { localDay, startOfDay } from '../../calendar/period.ts';
import { calendarOffsets } from '../../calendar/zone.ts';
import { questionFile } from '../../engine/question.ts';
import type { Ask, DateRange } from '../../engine/warehouse.ts';
import { exchangeInto } from '../../report/rates.ts';
import type { Range } from '../../report/sales.ts';
import type { Handler } from '../handler.ts';
import type { readStoreProfitAndLoss as contract } from './contract.ts';
import {
  brokenDays,
  type Figures,
  figuresOfSpend,
  foreignOf,
  readEvents,
  refuseVendor,
  type Spend,
  statementOf,
  utcDay,
} from './profit.ts';

const profitSlots = questionFile<Figures>(import.meta.url, 'profitSlots.sql');
const storeSpend = questionFile<Spend>(import.meta.url, 'storeSpend.sql');
const costDates = questionFile<{ effective_from: number }>(import.meta.url, 'costDates.sql');

const secondsPerDay = 86_400;
/** The grain of the rollup. */
const slotSeconds = 900;

/** Answers POST /profitability/storeProfitAndLoss. */
export const readStoreProfitAndLoss: Handler<typeof contract> = async (
  { reportOptions },
  { channel, warehouse, limits },
) => {
  refuseVendor(channel);
  const { fromDate: from, toDate: to, timezone: zone } = reportOptions;
  const days = { first: localDay(zone, from), last: localDay(zone, to) };
  return await warehouse.read([channel.channelNumber, 0], limits, async (ask) => {
    const figures = await readFigures(ask, channel, zone, { from, to }, days);
    const foreign = foreignOf(channel.currency, figures, reportOptions);
    const exchange = await exchangeInto(channel.currency, foreign, days, (read) => read(ask));
    return statementOf(figures, exchange, channel.currency, reportOptions).lines;
  });
};

/** Reads whole quarters of an hour from the rollup, and the events themselves on the days for which it does not answer. */
async function readFigures(
  ask: Ask,
  { channelNumber: channel, currency }: Channel,
  zone: string,
  range: Range,
  days: DateRange,
): Promise<Figures[]> {
  const offsets = calendarOffsets(zone, range.from, range.to);
  const firstUtc = utcDay(range.from);
  const lastUtc = utcDay(range.to);
  let apart: readonly number[];
  if (offsets.offsets.every((offset) => offset % slotSeconds === 0)) {
    const shifted = offsets.offsets.some((offset) => offset !== 0)
      ? await readShiftedDays(ask, channel, zone, days)
      : [];
    const all = new Set([
      ...brokenDays(range, slotSeconds),
      ...shifted.filter((day) => day >= firstUtc && day <= lastUtc),
    ]);
    apart = [...all].sort((a, b) => a - b);
  } else {
    apart = Array.from({ length: lastUtc - firstUtc + 1 }, (_, place) => firstUtc + place);
  }
  const figures: Figures[] = await readEvents(ask, channel, range, offsets, apart);
  if (apart.length <= lastUtc - firstUtc) {
    figures.push(
      ...(await ask(profitSlots, {
        channel,
        currency,
        ...range,
        firstUtc,
        lastUtc,
        ...offsets,
        first: days.first,
        apart,
      })),
    );
  }
  for (const spend of await ask(storeSpend, { channel, ...days }))
    figures.push(figuresOfSpend(spend));
  return figures;
}

/** The UTC days within which a date of the zone begins on which a unit cost begins: the rollup has that cost begin with a day of UTC. */
async function readShiftedDays(
  ask: Ask,
  channel: number,
  zone: string,
  { first, last }: DateRange,
): Promise<number[]> {
  const shifted: number[] = [];
  for (const { effective_from: date } of await ask(costDates, {
    channel,
    first: first - 1,
    last: last + 1,
  })) {
    // On a date that the zone left out, a cost begins with the next one.
    const start = startOfDay(zone, date) ?? startOfDay(zone, date + 1)!;
    if (start !== date * secondsPerDay) shifted.push(utcDay(start));
  }
  return shifted;
}
