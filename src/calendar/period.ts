import { offsetAt, stretchAt } from './zone.ts';

/** The length of a bucket: hour, day, week from Monday, month, quarter or year. */
export type Interval = 'h' | 'd' | 'w' | 'M' | 'Q' | 'y';

/** A local calendar date as whole days since 1970-01-01. */
export type DayNumber = number;

/** A first and a last day, both inclusive. */
export type DateRange = { readonly first: DayNumber; readonly last: DayNumber };

/**
 * One bucket of a range: its first and last second, both inclusive, and its local dates, clipped to
 * the dates of the range. A month starts with its first date even if the zone skipped that date.
 */
export type Bucket = {
  readonly startEpochSeconds: number;
  readonly endEpochSeconds: number;
  readonly firstDay: DayNumber;
  readonly lastDay: DayNumber;
};

/** A day after every fact: 2299-12-31. */
export const never: DayNumber = 120_529;

/** The maximum number of buckets of a range. */
export const bucketsMax = 4000;

const secondsPerHour = 3600;
const secondsPerDay = 86_400;

const intervalsByText = new Map<string, Interval>([
  ['h', 'h'],
  ['d', 'd'],
  ['w', 'w'],
  ['M', 'M'],
  ['Q', 'Q'],
  ['y', 'y'],
  ['hour', 'h'],
  ['day', 'd'],
  ['week', 'w'],
  ['month', 'M'],
  ['quarter', 'Q'],
  ['year', 'y'],
]);

// No bucket is longer: clocks move by a day at most, when islands cross the date line.
const longestSeconds: Readonly<Record<Interval, number>> = {
  h: secondsPerHour,
  d: 2 * secondsPerDay,
  w: 8 * secondsPerDay,
  M: 32 * secondsPerDay,
  Q: 93 * secondsPerDay,
  y: 367 * secondsPerDay,
};

/**
 * The interval of a letter (h d w M Q y) or word (hour day week month quarter year); undefined for
 * anything else.
 */
export function parseInterval(text: string): Interval | undefined {
  return intervalsByText.get(text);
}

/** The day number of a date `YYYY-MM-DD`. Throws RangeError for anything else. */
export function dayNumber(date: string): DayNumber {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(date)
    ? dayOfDate(Number(date.slice(0, 4)), Number(date.slice(5, 7)), Number(date.slice(8)))
    : undefined;
  if (day === undefined || isoDate(day) !== date)
    throw new RangeError(`Not a calendar date: ${date}`);
  return day;
}

/** The date `YYYY-MM-DD` of a day number. */
export function isoDate(day: DayNumber): string {
  const { year, month, dayOfMonth } = dateOfDay(day);
  return `${year < 1000 ? String(year).padStart(4, '0') : year}-${pairs[month]}-${pairs[dayOfMonth]}`;
}

/** The first and last day of the month of a day. */
export function monthOfDay(day: DayNumber): {
  readonly firstDay: DayNumber;
  readonly lastDay: DayNumber;
} {
  return { firstDay: day - dateOfDay(day).dayOfMonth + 1, lastDay: followingPeriod('M', day) - 1 };
}

/** The first and last day of the calendar year of a day. */
export function yearOfDay(day: DayNumber): {
  readonly firstDay: DayNumber;
  readonly lastDay: DayNumber;
} {
  const { year } = dateOfDay(day);
  return { firstDay: dayOfDate(year, 1, 1), lastDay: dayOfDate(year + 1, 1, 1) - 1 };
}

/**
 * The local date of an epoch second. When clocks go back over midnight, the seconds that show the
 * earlier date again belong to the day that has begun, so local days never overlap or alternate.
 */
export function localDay(zone: string, epochSeconds: number): DayNumber {
  return Math.floor(
    (epochSeconds + stretchAt(zone, 'calendar', epochSeconds).offset) / secondsPerDay,
  );
}

/** The first epoch second of a local day; undefined for a skipped day (2011-12-30 in Apia). */
export function startOfDay(zone: string, day: DayNumber): number | undefined {
  const start = firstSecondFrom(zone, day);
  return localDay(zone, start) === day ? start : undefined;
}

/** The last epoch second of a local day, inclusive; undefined for a skipped day. */
export function endOfDay(zone: string, day: DayNumber): number | undefined {
  return startOfDay(zone, day) === undefined ? undefined : firstSecondFrom(zone, day + 1) - 1;
}

/**
 * The calendar buckets from one epoch second to another, both inclusive: ascending, without gaps,
 * the first and last clipped to the range. Throws RangeError above `bucketsMax`; see
 * `countBuckets`.
 */
export function buckets(
  zone: string,
  fromEpochSeconds: number,
  toEpochSeconds: number,
  interval: Interval,
): Bucket[] {
  const found: Bucket[] = [];
  if (
    !walkBuckets(zone, fromEpochSeconds, toEpochSeconds, interval, (bucket) => found.push(bucket))
  ) {
    throw new RangeError(`More than ${bucketsMax} buckets`);
  }
  return found;
}

/** The number of buckets of a range, counted up to `bucketsMax + 1`. */
export function countBuckets(
  zone: string,
  fromEpochSeconds: number,
  toEpochSeconds: number,
  interval: Interval,
): number {
  let count = 0;
  const complete = walkBuckets(zone, fromEpochSeconds, toEpochSeconds, interval, () => {
    count += 1;
  });
  return complete ? count : bucketsMax + 1;
}

/** The index of the (first) bucket with a local date, or -1. */
export function bucketOfDay(sorted: readonly Bucket[], day: DayNumber): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]!.lastDay < day) low = middle + 1;
    else high = middle;
  }
  return low < sorted.length && sorted[low]!.firstDay <= day ? low : -1;
}

/** The index of the bucket with an epoch second, or -1. */
export function bucketOfInstant(sorted: readonly Bucket[], epochSeconds: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]!.endEpochSeconds < epochSeconds) low = middle + 1;
    else high = middle;
  }
  return low < sorted.length && sorted[low]!.startEpochSeconds <= epochSeconds ? low : -1;
}

/**
 * An epoch second as `YYYY-MM-DDTHH:mm:ss.SSS+HH:MM` with the offset in force (`+00:00` for UTC).
 * If an offset has seconds, the clock drops them too, so the text denotes the exact instant.
 */
export function isoInstant(zone: string, epochSeconds: number): string {
  const offsetMinutes = Math.trunc(offsetAt(zone, epochSeconds) / 60);
  const local = epochSeconds + offsetMinutes * 60;
  const day = Math.floor(local / secondsPerDay);
  const second = local - day * secondsPerDay;
  const clock = `${pairs[Math.floor(second / 3600)]}:${pairs[Math.floor(second / 60) % 60]}:${pairs[second % 60]}`;
  const distance = Math.abs(offsetMinutes);
  return `${isoDate(day)}T${clock}.000${offsetMinutes < 0 ? '-' : '+'}${pairs[Math.floor(distance / 60)]}:${pairs[distance % 60]}`;
}

const pairs = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'));

function walkBuckets(
  zone: string,
  fromEpochSeconds: number,
  toEpochSeconds: number,
  interval: Interval,
  take: (bucket: Bucket) => void,
): boolean {
  // Refuses a range that is far too long before it makes buckets or looks up offsets.
  if (toEpochSeconds - fromEpochSeconds >= bucketsMax * longestSeconds[interval]) return false;
  const lastDay = localDay(zone, toEpochSeconds);
  let count = 0;
  let start = fromEpochSeconds;
  let day = localDay(zone, fromEpochSeconds);
  while (start <= toEpochSeconds) {
    const nextDay = interval === 'h' ? day : followingPeriod(interval, day);
    const nextStart = interval === 'h' ? nextHour(zone, start) : firstSecondFrom(zone, nextDay);
    // A skipped day has no length and no bucket.
    if (nextStart > start) {
      if (count === bucketsMax) return false;
      count += 1;
      take({
        startEpochSeconds: start,
        endEpochSeconds: Math.min(nextStart - 1, toEpochSeconds),
        firstDay: day,
        lastDay: interval === 'h' ? day : Math.min(nextDay - 1, lastDay),
      });
    }
    start = nextStart;
    day = interval === 'h' ? localDay(zone, nextStart) : nextDay;
  }
  return true;
}

function firstSecondFrom(zone: string, day: DayNumber): number {
  // Offsets are below a day, so a day begins less than a day before its midnight in UTC.
  let instant = (day - 1) * secondsPerDay;
  while (true) {
    const stretch = stretchAt(zone, 'calendar', instant);
    const midnight = day * secondsPerDay - stretch.offset;
    if (midnight < stretch.endEpochSeconds) return Math.max(midnight, stretch.startEpochSeconds);
    instant = stretch.endEpochSeconds;
  }
}

function nextHour(zone: string, epochSeconds: number): number {
  // An hour is 3600 seconds of real time from a full local hour. An offset change by part of an
  // hour ends the current hour; the next one ends at the first full hour of the new clock.
  let stretch = stretchAt(zone, 'clock', epochSeconds);
  const phase = hourPhase(stretch.offset);
  const edge = (Math.floor((epochSeconds + phase) / secondsPerHour) + 1) * secondsPerHour - phase;
  while (stretch.endEpochSeconds < edge) {
    const end = stretch.endEpochSeconds;
    stretch = stretchAt(zone, 'clock', end);
    if (hourPhase(stretch.offset) !== phase) return end;
  }
  return edge;
}

function hourPhase(offset: number): number {
  return ((offset % secondsPerHour) + secondsPerHour) % secondsPerHour;
}

function followingPeriod(interval: Interval, day: DayNumber): DayNumber {
  if (interval === 'd') return day + 1;
  // Day 0 was a Thursday, three days after a Monday.
  if (interval === 'w') return day + 7 - ((((day + 3) % 7) + 7) % 7);
  const { year, month } = dateOfDay(day);
  if (interval === 'M') return dayOfDate(year, month + 1, 1);
  if (interval === 'Q') return dayOfDate(year, month + 3 - ((month - 1) % 3), 1);
  return dayOfDate(year + 1, 1, 1);
}

// Both conversions count years from March, so the leap day comes last; see "chrono-Compatible
// Low-Level Date Algorithms" by Howard Hinnant.
function dayOfDate(year: number, month: number, dayOfMonth: number): DayNumber {
  const marchYear = year + Math.floor((month - 3) / 12);
  const marchMonth = (month + 9) % 12;
  const dayOfYear = Math.floor((153 * marchMonth + 2) / 5) + dayOfMonth - 1;
  return (
    365 * marchYear +
    Math.floor(marchYear / 4) -
    Math.floor(marchYear / 100) +
    Math.floor(marchYear / 400) +
    dayOfYear -
    719_468
  );
}

function dateOfDay(day: DayNumber): { year: number; month: number; dayOfMonth: number } {
  const shifted = day + 719_468;
  const cycle = Math.floor(shifted / 146_097);
  const dayOfCycle = shifted - cycle * 146_097;
  const yearOfCycle = Math.floor(
    (dayOfCycle -
      Math.floor(dayOfCycle / 1460) +
      Math.floor(dayOfCycle / 36_524) -
      Math.floor(dayOfCycle / 146_096)) /
      365,
  );
  const dayOfYear =
    dayOfCycle - (365 * yearOfCycle + Math.floor(yearOfCycle / 4) - Math.floor(yearOfCycle / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return {
    year: cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0),
    month,
    dayOfMonth: dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1,
  };
}
