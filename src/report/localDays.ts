/**
 * Divides a range of a zone for reading rollups by quarters of an hour: into local days by year.
 */
import { endOfDay, localDay, startOfDay } from '../calendar/period.ts';
import type { Range } from '../calendar/windows.ts';
import { calendarOffsets, type ZoneOffsets } from '../calendar/zone.ts';
import type { DateRange } from '../engine/warehouse.ts';

const secondsPerDay = 86_400;
/** A range of more whole days is read by one question. */
const wholeDaysMax = 3_000;

/** The grain of the rollups of order lines and of profit. */
export const slotSeconds = 900;

/** The whole days of a range, and the parts of days at its ends. */
type WholeDays = { readonly days: DateRange | undefined; readonly rests: readonly Range[] };

/**
 * Divides a range, so that requests about other ranges share its whole days. A range of many days
 * is a rest, as is one whose offsets are not in quarters of an hour.
 */
export function wholeDays(zone: string, range: Range): WholeDays {
  const { from, to } = range;
  const [start, end] = [localDay(zone, from), localDay(zone, to)];
  const first = startOfDay(zone, start) === from ? start : start + 1;
  const last = endOfDay(zone, end) === to ? end : end - 1;
  const [wholeFrom, wholeTo] = [startOfDay(zone, first), endOfDay(zone, last)];
  const whole = { days: undefined, rests: [range] };
  if (wholeFrom === undefined || wholeTo === undefined || wholeFrom > wholeTo) return whole;
  if (last - first > wholeDaysMax) return whole;
  const around = [(first - 1) * secondsPerDay, (last + 2) * secondsPerDay] as const;
  if (!areInQuarters(calendarOffsets(zone, ...around))) return whole;
  const rests = [
    { from, to: wholeFrom - 1 },
    { from: wholeTo + 1, to },
  ];
  return { days: { first, last }, rests: rests.filter((rest) => rest.from <= rest.to) };
}

/** Whether every local day begins with a whole quarter of an hour. */
export function areInQuarters({ offsets }: ZoneOffsets): boolean {
  return offsets.every((offset) => offset % slotSeconds === 0);
}
