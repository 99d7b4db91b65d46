/**
 * Divides a range of a zone for reading rollups by quarters of an hour: into local days by year.
 */
import { endOfDay, localDay, startOfDay, yearOfDay } from '../calendar/period.ts';
import type { Range } from '../calendar/windows.ts';
import { calendarOffsets, type ZoneOffsets } from '../calendar/zone.ts';
import type { DateRange } from '../engine/warehouse.ts';

const secondsPerDay = 86_400;
/** A range of more whole days is read by one question. */
const wholeDaysMax = 3_000;

/** The grain of the rollups of order lines and of profit. */
export const slotSeconds = 900;

/** Local days of one year, with the zone's offsets throughout that year. */
export type DaysOfYear = DateRange & { readonly offsets: ZoneOffsets };

/** The whole days of a range by year, and the parts of days at its ends. */
type WholeDays = { readonly years: readonly DaysOfYear[]; readonly rests: readonly Range[] };

/**
 * Divides a range, so that requests for other ranges share the blocks of its whole days. A very
 * long range counts as a rest, and so does one whose offsets are not whole quarters of an hour.
 */
export function wholeDays(zone: string, range: Range): WholeDays {
  const { from, to } = range;
  const [start, end] = [localDay(zone, from), localDay(zone, to)];
  const first = startOfDay(zone, start) === from ? start : start + 1;
  const last = endOfDay(zone, end) === to ? end : end - 1;
  const [wholeFrom, wholeTo] = [startOfDay(zone, first), endOfDay(zone, last)];
  const whole = { years: [], rests: [range] };
  if (wholeFrom === undefined || wholeTo === undefined || wholeFrom > wholeTo) return whole;
  if (last - first > wholeDaysMax) return whole;
  const years: DaysOfYear[] = [];
  for (let day = first; day <= last; ) {
    const { firstDay, lastDay } = yearOfDay(day);
    const around = [(firstDay - 1) * secondsPerDay, (lastDay + 2) * secondsPerDay] as const;
    const offsets = calendarOffsets(zone, ...around);
    if (!areInQuarters(offsets)) return whole;
    years.push({ first: day, last: Math.min(last, lastDay), offsets });
    day = lastDay + 1;
  }
  const rests = [
    { from, to: wholeFrom - 1 },
    { from: wholeTo + 1, to },
  ];
  return { years, rests: rests.filter((rest) => rest.from <= rest.to) };
}

/** Whether every local day begins with a whole quarter of an hour. */
export function areInQuarters({ offsets }: ZoneOffsets): boolean {
  return offsets.every((offset) => offset % slotSeconds === 0);
}
