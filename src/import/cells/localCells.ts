/**
 * Dates and amounts of flat files as their country writes them. A single cell may be read in two ways; which one is right, the document tells
 * as a whole.
 */
import { endOfDay, startOfDay } from '../../calendar/period.ts';
import { offsetAt } from '../../calendar/zone.ts';
import { instantOfDay } from '../ledger/content.ts';
import { date, dayOfDate } from './fields.ts';

const secondsPerDay = 86_400;

/** Which of two numbers that stand before a year is the day. */
export type DateOrder = 'dayFirst' | 'monthFirst';

/** A date that was read: its day number in either order, undefined where there is no such date; and its time, where it has one. */
export type LocalDate = {
  readonly dayFirst: number | undefined;
  readonly monthFirst: number | undefined;
  /** Second of the day. */
  readonly second?: number;
  /** Seconds east of UTC, where it is told. */
  readonly offset?: number;
};

const datePart = String.raw`(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})`;
const timePart = String.raw`(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?`;
const zonePart = String.raw`Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?`;
const written = new RegExp(`^${datePart}(?:(?:T| +)${timePart} ?(${zonePart})?)?$`, 'i');

/** Reads a date with or without a time, of four digits of the year first, or of two or four last; undefined where the text is none. */
export function localDate(text: string): LocalDate | undefined {
  const parts = written.exec(text.trim());
  if (!parts) return undefined;
  const [, first, mark, second, third, hour, minute, seconds = '0', zone] = parts as unknown as [
    string,
    string,
    string,
    string,
    string,
    ...string[],
  ];
  const days = daysOf(first, mark, second, third);
  if (days.dayFirst === undefined && days.monthFirst === undefined) return undefined;
  if (hour === undefined) return days;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(seconds) > 59) return undefined;
  const time = { ...days, second: Number(hour) * 3600 + Number(minute) * 60 + Number(seconds) };
  return zone === undefined ? time : { ...time, offset: offsetOf(zone) };
}

function daysOf(
  first: string,
  mark: string,
  second: string,
  third: string,
): Pick<LocalDate, DateOrder> {
  const both = (day: number | undefined) => ({ dayFirst: day, monthFirst: day });
  if (first.length === 4) return both(dayOf(first, second, third));
  const year = third.length === 2 ? `20${third}` : third;
  if (first.length > 2 || year.length !== 4) return both(undefined);
  const dayFirst = dayOf(year, second, first);
  // Points stand between day and month only where the day comes first.
  return mark === '.' ? both(dayFirst) : { dayFirst, monthFirst: dayOf(year, first, second) };
}

function dayOf(year: string, month: string, day: string): number | undefined {
  const read = date.read(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`);
  return typeof read === 'string' ? dayOfDate(read) : undefined;
}

function offsetOf(zone: string): number {
  const parts = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone);
  if (!parts) return 0;
  return (parts[1] === '-' ? -1 : 1) * (Number(parts[2]) * 3600 + Number(parts[3] ?? 0) * 60);
}

/**
 * The instant of a date, epoch seconds; undefined where the order has no such date. A time without its offset is one of the zone's clocks; a
 * date without a time is the zone's, and stands for its `edge`, or else for the middle of the day.
 */
export function instantOf(
  local: LocalDate,
  order: DateOrder,
  zone: string,
  edge?: 'start' | 'end',
): number | undefined {
  const day = local[order];
  if (day === undefined) return undefined;
  if (local.second === undefined) {
    const found =
      edge === 'start' ? startOfDay(zone, day) : edge === 'end' ? endOfDay(zone, day) : undefined;
    return found ?? instantOfDay(zone, day);
  }
  const wall = day * secondsPerDay + local.second;
  if (local.offset !== undefined) return wall - local.offset;
  // Off by an hour at most, where clocks change near by: then the offset there is the one that counts.
  const near = wall - offsetAt(zone, wall);
  return wall - offsetAt(zone, near);
}

/** The instant of a date that tells by itself how it is to be read, or the reason why it cannot be told. */
export function plainInstant(text: string, zone: string): number | { readonly reason: string } {
  const shown = JSON.stringify(text.trim().slice(0, 40));
  const local = localDate(text);
  if (local === undefined) return { reason: `cannot be read as a date (it is ${shown})` };
  const { dayFirst, monthFirst } = local;
  if (dayFirst !== undefined && monthFirst !== undefined && dayFirst !== monthFirst) {
    return { reason: `may be read in two ways (it is ${shown}): write it with the year first` };
  }
  return instantOf(local, dayFirst === undefined ? 'monthFirst' : 'dayFirst', zone)!;
}

/** The mark before decimals. */
export type DecimalMark = '.' | ',';

/**
 * The mark before decimals in a document with these amounts, each of which is written with all `places` of its currency. Amounts such as 1,234
 * tell it only where no other does: then their mark parts thousands.
 */
export function decimalMarkOf(amounts: Iterable<string>, places: number): DecimalMark {
  const clear = { '.': 0, ',': 0 };
  const likely = { '.': 0, ',': 0 };
  for (const text of amounts) {
    const digits = text.replaceAll(/[^\d.,]/g, '');
    const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
    if (last < 0) continue;
    const mark = digits[last] as DecimalMark;
    const other = mark === '.' ? ',' : '.';
    const looksGrouped = digits.length - last === 4 && /^[1-9]\d{0,2}$/.test(digits.slice(0, last));
    if (digits.includes(other)) clear[mark]++;
    else if (digits.indexOf(mark) !== last) clear[other]++;
    else if (!looksGrouped || places === 3) clear[mark]++;
    else likely[other]++;
  }
  if (clear['.'] !== clear[',']) return clear['.'] > clear[','] ? '.' : ',';
  return likely[','] > likely['.'] ? ',' : '.';
}

const number: Readonly<Record<DecimalMark, RegExp>> = {
  '.': /^([-+]?)(\d{1,3}(?:,\d{2,3})*,\d{3}|\d+|(?=\.\d))(?:\.(\d*))?$/,
  ',': /^([-+]?)(\d{1,3}(?:\.\d{2,3})*\.\d{3}|\d+|(?=,\d))(?:,(\d*))?$/,
};

/** An amount as a plain decimal (-1234.56); undefined where it is none with that mark before its decimals. */
export function plainAmount(text: string, mark: DecimalMark): string | undefined {
  const parts = number[mark].exec(text.replaceAll(/[\s\u00a0\u202f']/g, '').replace(/^[−–]/, '-'));
  if (!parts) return undefined;
  const whole = parts[2]!.replaceAll(/[.,]/g, '') || '0';
  return `${parts[1] === '-' ? '-' : ''}${whole}${parts[3] ? `.${parts[3]}` : ''}`;
}
