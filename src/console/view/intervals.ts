/** The buckets that figures over time come in: days, weeks, months. */
import { addDays, addMonths, type Day, daysFrom, startOfUnit } from './days.ts';
import { eventOf } from './events.ts';
import { inMonth, inRange, inShortDay, inShortMonth, inWeekday } from './format.ts';
import type { Range } from './periods.ts';

/** The intervals, as the API and the address name them. */
export const intervals = [
  { id: 'd', name: 'Day' },
  { id: 'w', name: 'Week' },
  { id: 'M', name: 'Month' },
] as const;
/** The length of a bucket. */
export type Interval = (typeof intervals)[number]['id'];

/** Days of the longest period that is shown by the day. */
const byDayMax = 62;
/** Days of the longest period that is shown by the week. */
const byWeekMax = 400;

/** The interval that suits a period. */
export function standardInterval({ first, last }: Range): Interval {
  const days = daysFrom(first, last);
  if (days <= byDayMax) return 'd';
  return days <= byWeekMax ? 'w' : 'M';
}

/** The interval of the address; the one that suits the period where it names none. */
export function intervalOf(params: URLSearchParams, range: Range): Interval {
  const named = intervals.find(({ id }) => id === params.get('interval'));
  return named?.id ?? standardInterval(range);
}

/** The name of an interval, such as Day. */
export const intervalName = (interval: Interval): string =>
  intervals.find(({ id }) => id === interval)!.name;

/** The buckets of a range: calendar buckets, the first and the last clipped to it. */
export function bucketsOf({ first, last }: Range, interval: Interval): Range[] {
  const buckets: Range[] = [];
  for (let day = first; day <= last; ) {
    const next = nextOf(day, interval);
    buckets.push({ first: day, last: next > last ? last : addDays(next, -1) });
    day = next;
  }
  return buckets;
}

function nextOf(day: Day, interval: Interval): Day {
  if (interval === 'd') return addDays(day, 1);
  if (interval === 'w') return addDays(startOfUnit(day, 'week'), 7);
  return addMonths(startOfUnit(day, 'month'), 1);
}

/** The name of a bucket on an axis. */
export const bucketLabel = ({ first }: Range, interval: Interval): string =>
  interval === 'M' ? inShortMonth(first) : inShortDay(first);

/** The name of a bucket in full. */
export function bucketName(bucket: Range, interval: Interval): string {
  if (interval === 'd' || bucket.first === bucket.last) return inWeekday(bucket.first);
  const isWhole = interval === 'M' && bucket.last === addDays(nextOf(bucket.first, 'M'), -1);
  return isWhole && bucket.first.endsWith('-01') ? inMonth(bucket.first) : inRange(bucket, false);
}

/** Whether a bucket would hold the next day, too. */
const goesOn = ({ first, last }: Range, interval: Interval): boolean =>
  bucketsOf({ first, last: addDays(last, 1) }, interval).length === 1;

/**
 * The names of the buckets of a view's period, each with that of the bucket it is compared with.
 * Days have their events, too; `isCut` is true where the end of the period cuts a bucket short.
 */
export function namedBuckets(range: Range, prior: Range, interval: Interval) {
  const before = bucketsOf(prior, interval);
  const eventIn = (bucket: Range | undefined) =>
    interval === 'd' && bucket !== undefined ? eventOf(bucket.first) : undefined;
  return bucketsOf(range, interval).map((bucket, place) => ({
    ...bucket,
    key: bucket.first,
    label: bucketLabel(bucket, interval),
    name: bucketName(bucket, interval),
    priorName: before[place] === undefined ? '' : bucketName(before[place], interval),
    event: eventIn(bucket),
    priorEvent: eventIn(before[place]),
    isCut: bucket.last === range.last && goesOn(bucket, interval),
  }));
}
