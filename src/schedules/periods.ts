/** The periods of schedules, derived from the time at which a run is due. */
import {
  type DayNumber,
  endOfDay,
  localDay,
  monthOfDay,
  startOfDay,
  yearOfDay,
} from '../calendar/period.ts';
import type { SchedulePeriod } from '../contract/schedules.ts';

const daysOfWeek = 7;
/** Day 0, 1970-01-01, was a Thursday. */
const thursday = 3;

/** A period and its comparison period, in epoch seconds, both ends inclusive. */
export type ResolvedPeriod = {
  readonly fromDate: number;
  readonly toDate: number;
  readonly priorFromDate: number;
  readonly priorToDate: number;
};

type Days = { readonly first: DayNumber; readonly last: DayNumber };

/**
 * The period of a run. It is compared with the period before it: the same number of days, the
 * calendar week or month before, or the same days of the month or year before.
 */
export function resolvePeriod(
  period: SchedulePeriod,
  timezone: string,
  dueSeconds: number,
): ResolvedPeriod {
  const yesterday = localDay(timezone, dueSeconds) - 1;
  const { days, prior } = daysOf(period, yesterday);
  const start = (day: DayNumber) => startOfDay(timezone, day) ?? endBefore(timezone, day) + 1;
  const end = (day: DayNumber) => endOfDay(timezone, day) ?? endBefore(timezone, day);
  return {
    fromDate: start(days.first),
    toDate: end(days.last),
    priorFromDate: start(prior.first),
    priorToDate: end(prior.last),
  };
}

/** The last second before a day that a zone skips. */
function endBefore(timezone: string, day: DayNumber): number {
  return endOfDay(timezone, day - 1)!;
}

function daysOf(period: SchedulePeriod, yesterday: DayNumber): { days: Days; prior: Days } {
  const today = yesterday + 1;
  switch (period) {
    case 'lastWeek': {
      const monday = today - ((((today + thursday) % daysOfWeek) + daysOfWeek) % daysOfWeek);
      return before({ first: monday - daysOfWeek, last: monday - 1 });
    }
    case 'lastMonth': {
      const last = monthOfDay(today).firstDay - 1;
      const first = monthOfDay(last).firstDay;
      return {
        days: { first, last },
        prior: { first: monthOfDay(first - 1).firstDay, last: first - 1 },
      };
    }
    case 'monthToDate': {
      const { firstDay } = monthOfDay(yesterday);
      const prior = monthOfDay(firstDay - 1);
      return sameDays(firstDay, yesterday, prior);
    }
    case 'yearToDate': {
      const { firstDay } = yearOfDay(yesterday);
      return sameDays(firstDay, yesterday, yearOfDay(firstDay - 1));
    }
    default: {
      const count = { yesterday: 1, last7Days: 7, last30Days: 30, last90Days: 90 }[period];
      return before({ first: today - count, last: yesterday });
    }
  }
}

/** A number of days, and the same number before them. */
function before(days: Days): { days: Days; prior: Days } {
  const count = days.last - days.first + 1;
  return { days, prior: { first: days.first - count, last: days.first - 1 } };
}

/**
 * The days since the start of a calendar period, and the same number in the one before, if it has
 * them.
 */
function sameDays(
  first: DayNumber,
  last: DayNumber,
  prior: { readonly firstDay: DayNumber; readonly lastDay: DayNumber },
): { days: Days; prior: Days } {
  const lastPrior = Math.min(prior.firstDay + (last - first), prior.lastDay);
  return { days: { first, last }, prior: { first: prior.firstDay, last: lastPrior } };
}
