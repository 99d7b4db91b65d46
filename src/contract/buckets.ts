/** The rule of a range that is divided into buckets. */
import {
  bucketsMax,
  countBuckets,
  localDay,
  parseInterval,
  startOfDay,
} from '../calendar/period.ts';
import type { Rule } from './endpoint.ts';

/** The longest range that hours may divide, in days. */
const hourlyDaysMax = 31;

type Divided = Readonly<Record<string, number | undefined>> & {
  readonly timezone: string;
  readonly interval?: string;
};

/**
 * The rule that a range does not have too many buckets, and hours only within a month. The dates,
 * `timezone` and `interval` are in the object `within`.
 */
export function bucketRule(within: string, from: string, to: string): Rule {
  const path = (field: string) => (within === '' ? field : `${within}.${field}`);
  const range = `${path(from)} to ${path(to)}`;
  return {
    at: path(to),
    reads: [path(from), path('timezone'), path('interval')],
    check: (input: Record<string, unknown>) => {
      const {
        timezone,
        interval: word,
        [from]: start,
        [to]: end,
      } = (within === '' ? input : input[within]) as Divided;
      if (word === undefined) return undefined;
      const interval = parseInterval(word)!;
      if (start === undefined || end === undefined || end < start) return undefined;
      if (interval === 'h' && end >= daysLater(timezone, start, hourlyDaysMax)) {
        return `${path('interval')} h is for ranges of at most ${hourlyDaysMax} days: ${range} is longer`;
      }
      return countBuckets(timezone, start, end, interval) > bucketsMax
        ? `${range} has more than ${bucketsMax} buckets: ask for longer ones by ${path('interval')}`
        : undefined;
    },
  };
}

/** The same local time some days later. */
function daysLater(zone: string, instant: number, days: number): number {
  const day = localDay(zone, instant);
  const later = startOfDay(zone, day + days) ?? startOfDay(zone, day + days + 1)!;
  return later + (instant - startOfDay(zone, day)!);
}
