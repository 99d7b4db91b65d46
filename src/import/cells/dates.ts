/**
 * Dates as documents write them. A date such as 03/04/2025 has two readings, and often only the
 * document as a whole shows which one is right.
 */
import { endOfDay, startOfDay } from '../../calendar/period.ts';
import { instantOfClock } from '../../calendar/zone.ts';
import { instantOfDay } from '../ledger/content.ts';
import { CellError, date, dayOfDate } from './fields.ts';

const secondsPerDay = 86_400;
const monthNames = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
/** Day 0 of Excel's serial numbers, for every date after February 1900. */
const excelEpoch = -25_569;
/** Serial numbers of the years 1982 to 2091. Other five-digit numbers are not dates. */
const serialMin = 30_000;
const serialMax = 70_000;

/** Whether the day or the month comes first, before a year. */
export type DateOrder = 'dayFirst' | 'monthFirst';

/** A written date. A reading is undefined if the calendar has no such date. */
export type WrittenDate = {
  readonly dayFirst: number | undefined;
  readonly monthFirst: number | undefined;
  /** Second of the day, if a time is written. */
  readonly second?: number;
  /** Seconds east of UTC, if an offset is written. */
  readonly offset?: number;
};

/**
 * How a document writes dates. `flatFile`: numbers, years of two or four digits, perhaps a time.
 * `spreadsheet`: numbers, years of four digits, names of months, serial numbers of Excel; a time
 * after the date is ignored. `any`: both.
 */
export type DateStyle = 'flatFile' | 'spreadsheet' | 'any';

const numbers = /^(\d{1,4})([-/.])(\d{1,2})([-/.])(\d{1,4})(?:(T| +(?! ))(.*))?$/is;
/** Zones by the names that reports write, in hours east of UTC. Ambiguous names are missing. */
const zoneHours: Readonly<Record<string, number>> = {
  JST: 9,
  AEST: 10,
  AEDT: 11,
  BST: 1,
  CET: 1,
  CEST: 2,
  PST: -8,
  PDT: -7,
};
const zoneNames = Object.keys(zoneHours).join('|');
const time = new RegExp(
  `^(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:[.,]\\d{1,9})?)? ?(Z|UTC|GMT|${zoneNames}|[+-]\\d{2}(?::?\\d{2})?)?$`,
  'i',
);

/** Reads a date in one of the styles; undefined if the text is not a date. */
export function readDate(text: string, style: DateStyle): WrittenDate | undefined {
  const flat = style === 'spreadsheet' ? undefined : flatFileDate(text.trim());
  return flat ?? (style === 'flatFile' ? undefined : spreadsheetDate(text));
}

function flatFileDate(text: string): WrittenDate | undefined {
  const parts = numbers.exec(text);
  if (!parts) return undefined;
  const [, first, mark, second, otherMark, third, gap, rest] = parts as unknown as string[];
  if (mark !== otherMark) return undefined;
  const isShortYear = first!.length <= 2 && third!.length === 2;
  const days = readings([first!, second!, isShortYear ? `20${third}` : third!], mark!);
  if (days === undefined || gap === undefined) return days;
  const clock = time.exec(rest!);
  if (!clock) return undefined;
  const [hour, minute, seconds] = [clock[1], clock[2], clock[3] ?? 0].map(Number) as number[];
  if (hour! > 23 || minute! > 59 || seconds! > 59) return undefined;
  const zone = clock[4];
  return {
    ...days,
    second: hour! * 3600 + minute! * 60 + seconds!,
    ...(zone !== undefined && { offset: offsetOf(zone) }),
  };
}

function spreadsheetDate(text: string): WrittenDate | undefined {
  if (/^\d{5}(?:\.\d+)?$/.test(text)) {
    const serial = Math.floor(Number(text));
    return serial >= serialMin && serial <= serialMax ? oneReading(serial + excelEpoch) : undefined;
  }
  const monthName = /^([a-z]{3})[a-z]*\.? (\d{1,2}),? (\d{4})$/i.exec(text);
  if (monthName) return oneReading(dayOf(monthName[3]!, monthOf(monthName[1]!), monthName[2]!));
  const dayName = /^(\d{1,2})[-. ]+([a-z]{3})[a-z]*\.?[- ,]+(\d{4})$/i.exec(text);
  if (dayName) return oneReading(dayOf(dayName[3]!, monthOf(dayName[2]!), dayName[1]!));
  const parts = numbers.exec(text);
  if (!parts) return undefined;
  const [, first, mark, second, otherMark, third, gap] = parts as unknown as string[];
  const isYearFirst = first!.length === 4;
  if (!isYearFirst && (gap !== undefined || (mark === '.') !== (otherMark === '.')))
    return undefined;
  return readings([first!, second!, third!], mark!);
}

/** The readings of three numbers; undefined if there are none. */
function readings(
  [first, second, third]: readonly [string, string, string],
  mark: string,
): WrittenDate | undefined {
  if (first.length === 4)
    return third.length > 2 ? undefined : oneReading(dayOf(first, second, third));
  if (first.length > 2 || third.length !== 4) return undefined;
  const dayFirst = dayOf(third, second, first);
  // With points, the day always comes first.
  if (mark === '.') return oneReading(dayFirst);
  const monthFirst = dayOf(third, first, second);
  return dayFirst === undefined && monthFirst === undefined ? undefined : { dayFirst, monthFirst };
}

function oneReading(day: number | undefined): WrittenDate | undefined {
  return day === undefined ? undefined : { dayFirst: day, monthFirst: day };
}

function monthOf(name: string): string {
  return String(monthNames.indexOf(name.toLowerCase()) + 1);
}

function dayOf(year: string, month: string, day: string): number | undefined {
  const read = date.read(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`);
  return typeof read === 'string' ? dayOfDate(read) : undefined;
}

function offsetOf(zone: string): number {
  const hours = zoneHours[zone.toUpperCase()];
  if (hours !== undefined) return hours * 3600;
  const parts = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone);
  if (!parts) return 0;
  return (parts[1] === '-' ? -1 : 1) * (Number(parts[2]) * 3600 + Number(parts[3] ?? 0) * 60);
}

/** Whether a date has two different readings. */
export function isAmbiguous({ dayFirst, monthFirst }: WrittenDate): boolean {
  return dayFirst !== undefined && monthFirst !== undefined && dayFirst !== monthFirst;
}

/**
 * The day of a date, read in an order or, without one, if it is unambiguous; otherwise the reason.
 */
export function plainDay(text: string, order?: DateOrder): number | CellError {
  const written = readDate(text, 'flatFile');
  const found = readingOf(written, order);
  return found instanceof CellError ? found : written![found]!;
}

/**
 * The instant of a date, read in an order or, without one, if it is unambiguous; otherwise the
 * reason.
 */
export function plainInstant(text: string, zone: string, order?: DateOrder): number | CellError {
  const written = readDate(text, 'flatFile');
  const found = readingOf(written, order);
  return found instanceof CellError ? found : instantOf(written!, found, zone)!;
}

/** The order in which to read a date: the given one if possible, or the only possible one. */
export function readingOf(
  written: WrittenDate | undefined,
  order: DateOrder | undefined,
): DateOrder | CellError {
  if (written === undefined) return new CellError('must be a date');
  if (order !== undefined && written[order] !== undefined) return order;
  const own = written.dayFirst === undefined ? 'monthFirst' : 'dayFirst';
  if (order === undefined && isAmbiguous(written))
    return new CellError('has two readings: write the date with the year first');
  return order === undefined
    ? own
    : new CellError('is not in the order of the other dates: write them with the year first');
}

/**
 * The instant of a date, epoch seconds; undefined if the date is invalid in that order. A time
 * without an offset is local to the zone. A date without a time stands for its `edge`, by default
 * midday.
 */
export function instantOf(
  written: WrittenDate,
  order: DateOrder,
  zone: string,
  edge?: 'start' | 'end',
): number | undefined {
  const day = written[order];
  if (day === undefined) return undefined;
  if (written.second === undefined) {
    const found =
      edge === 'start' ? startOfDay(zone, day) : edge === 'end' ? endOfDay(zone, day) : undefined;
    return found ?? instantOfDay(zone, day);
  }
  const clock = day * secondsPerDay + written.second;
  return written.offset === undefined ? instantOfClock(zone, clock) : clock - written.offset;
}

/** A date without hyphens (20250131) with them; any other value as it is. */
export function withHyphens(value: unknown): unknown {
  const parts = /^(\d{4})(\d{2})(\d{2})$/.exec(String(value));
  return parts ? `${parts[1]}-${parts[2]}-${parts[3]}` : value;
}

/** The day number of a value that is a date (YYYY-MM-DD); undefined for any other value. */
export function dayIn(value: unknown): number | undefined {
  const read = date.read(value);
  return typeof read === 'string' ? dayOfDate(read) : undefined;
}
