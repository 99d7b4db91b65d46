/** The buckets of a store's figures: those of all views, and hours. */
import { TZDateMini } from '@date-fns/tz/date/mini';
import { addDays, type Day, daysFrom, startOf } from '../view/days.ts';
import { inShortDay, inWeekday } from '../view/format.ts';
import {
  type Interval as DailyInterval,
  intervals as dailyIntervals,
  intervalName as dailyName,
  intervalOf as dailyOf,
  namedBuckets,
  standardInterval as standardDaily,
} from '../view/intervals.ts';
import type { Range } from '../view/periods.ts';
import type { View } from '../view/view.ts';

/** The length of a bucket. */
export type Interval = DailyInterval | 'h';

/** The longest period that hours divide, in days. */
const hourlyDaysMax = 31;
/** The longest period that is shown by the hour unless the reader chooses. */
const standardHourlyDays = 2;
const secondsPerHour = 3_600;

/** The name of an interval, such as Day. */
export const intervalName = (interval: Interval): string =>
  interval === 'h' ? 'Hour' : dailyName(interval);

const suitsHours = ({ first, last }: Range) => daysFrom(first, last) <= hourlyDaysMax;

/** The intervals of a period, as a choice. */
export function intervalsOf(range: Range, hasHours: boolean): { id: Interval; name: string }[] {
  const hours = { id: 'h', name: 'Hour' } as const;
  return [...(hasHours && suitsHours(range) ? [hours] : []), ...dailyIntervals];
}

/** The interval of a view whose address names none. */
export function standardInterval(range: Range, hasHours: boolean): Interval {
  const isShort = daysFrom(range.first, range.last) <= standardHourlyDays;
  return isShort && hasHours ? 'h' : standardDaily(range);
}

/** The interval of the address, where it suits the period. */
export function intervalOf(params: URLSearchParams, range: Range, hasHours: boolean): Interval {
  const named = params.get('interval');
  if (named === 'h' && hasHours && suitsHours(range)) return 'h';
  if (dailyIntervals.some(({ id }) => id === named)) return dailyOf(params, range);
  return standardInterval(range, hasHours);
}

/** A part of the period, with its names. */
export type Bucket = Range & {
  readonly label: string;
  readonly name: string;
  readonly priorName: string | undefined;
  readonly event: string | undefined;
  readonly priorEvent: string | undefined;
  /** Whether the end of the period cuts it short. */
  readonly isCut: boolean;
};

/** The buckets of a view, each with the name of the one that it is compared with. */
export function bucketsOfView({ range, prior, zone }: View, interval: Interval): Bucket[] {
  if (interval === 'h') {
    const before = hoursOf(prior, zone);
    return hoursOf(range, zone).map(({ day, hour, name }, place) => ({
      first: day,
      last: day,
      label: range.first === range.last ? hour : inShortDay(day),
      name,
      priorName: before[place]?.name,
      event: undefined,
      priorEvent: undefined,
      isCut: false,
    }));
  }
  return namedBuckets(range, prior, interval).map((bucket) => ({
    ...bucket,
    priorName: bucket.priorName || undefined,
  }));
}

/** The hours of a range of days in a time zone. */
function hoursOf(range: Range, zone: string): { day: Day; hour: string; name: string }[] {
  const hours = [];
  const end = startOf(addDays(range.last, 1), zone);
  for (let at = startOf(range.first, zone); at < end; at += secondsPerHour) {
    const local = new TZDateMini(at * 1000, zone);
    const two = (part: number) => String(part).padStart(2, '0');
    const day = `${local.getFullYear()}-${two(local.getMonth() + 1)}-${two(local.getDate())}`;
    const hour = `${two(local.getHours())}:${two(local.getMinutes())}`;
    hours.push({ day, hour, name: `${inWeekday(day)}, ${hour}` });
  }
  return hours;
}
