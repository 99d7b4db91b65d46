/** The times of a schedule, by a cron expression of five fields in a time zone. */
import { Cron } from 'croner';

/** Names and signs of other dialects, which other programs read differently. */
const unsupported = /[^0-9*,/\-\sA-Za-z]|@|[LW#?]/;
const names =
  /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sun|mon|tue|wed|thu|fri|sat)\b/gi;

/** Why an expression is not a schedule; undefined if it is one. */
export function cronFailure(expression: string, now: number): string | undefined {
  const fields = expression.trim().split(/\s+/);
  if (fields.length !== 5)
    return 'must have five fields: minute hour day-of-month month day-of-week';
  const rest = expression.replace(names, '');
  if (unsupported.test(rest) || /[a-z]/i.test(rest))
    return 'may use numbers and names of months and days with * , - and /';
  try {
    if (cronOf(expression, 'UTC').nextRun(new Date(now)) === null) return 'is never due';
    return undefined;
  } catch {
    return 'is no cron expression of five fields';
  }
}

/**
 * The next times after one, in epoch milliseconds. A local time that clocks skip is due at the end
 * of the gap; one that comes twice is due the first time.
 */
export function nextTimes(
  expression: string,
  timezone: string,
  after: number,
  count: number,
): number[] {
  const times = cronOf(expression, timezone).nextRuns(count, new Date(after));
  return times.map((time) => time.getTime());
}

/** The last time up to one, in epoch milliseconds; undefined if there is none. */
export function lastTime(expression: string, timezone: string, until: number): number | undefined {
  // The library excludes the given second itself.
  const [last] = cronOf(expression, timezone).previousRuns(1, new Date(until + 1_000));
  return last?.getTime();
}

function cronOf(expression: string, timezone: string): Cron {
  return new Cron(expression, { timezone, mode: '5-part', paused: true });
}
