/** Days as texts such as 2026-11-21, and the seconds at which they begin in a time zone. */
import { TZDateMini } from '@date-fns/tz/date/mini';

const millisecondsPerDay = 86_400_000;

/** A day of a calendar, such as 2026-11-21. */
export type Day = string;

const textOf = (milliseconds: number): Day => new Date(milliseconds).toISOString().slice(0, 10);

/** The day `count` days later; earlier when it is negative. */
export const addDays = (day: Day, count: number): Day =>
  textOf(Date.parse(day) + count * millisecondsPerDay);

/** The same day of another month; its last day where the month is shorter. */
export function addMonths(day: Day, count: number): Day {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  const first = Date.UTC(year, month - 1 + count, 1);
  const last = Date.UTC(year, month + count, 0);
  return textOf(Math.min(first + (date - 1) * millisecondsPerDay, last));
}

/** How many days lie from one day to another, both included. */
export const daysFrom = (first: Day, last: Day): number =>
  Math.round((Date.parse(last) - Date.parse(first)) / millisecondsPerDay) + 1;

/** Whether a text is a day of the calendar. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  textOf(Date.parse(text)) === text;

/** The current day in a time zone. */
export function today(zone: string, now = Date.now()): Day {
  const parts = new TZDateMini(now, zone);
  return textOf(Date.UTC(parts.getFullYear(), parts.getMonth(), parts.getDate()));
}

/** Epoch seconds at which a day begins in a time zone. */
export function startOf(day: Day, zone: string): number {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  return Math.floor(new TZDateMini(year, month - 1, date, zone).getTime() / 1000);
}

/** The first and the last second of a range of days in a time zone. */
export const secondsOf = (first: Day, last: Day, zone: string) => ({
  fromDate: startOf(first, zone),
  toDate: startOf(addDays(last, 1), zone) - 1,
});

/** The first day of the week (Monday), month, quarter or year of a day. */
export function startOfUnit(day: Day, unit: 'week' | 'month' | 'quarter' | 'year'): Day {
  const [year, month] = day.split('-').map(Number) as [number, number];
  if (unit === 'week') return addDays(day, -((new Date(day).getUTCDay() + 6) % 7));
  const first = { month: month - 1, quarter: Math.floor((month - 1) / 3) * 3, year: 0 }[unit];
  return textOf(Date.UTC(year, first, 1));
}
