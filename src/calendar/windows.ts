/** The period of a report and the prior period: their dates and their buckets. */
import {
  type Bucket,
  buckets,
  type DateRange,
  endOfDay,
  localDay,
  parseInterval,
  startOfDay,
} from './period.ts';
import { sameDays } from './zone.ts';

/** One question reads windows that are at most this many days apart. */
const gapDaysMax = 60;

/** A range of instants, both ends inclusive, in epoch seconds. */
export type Range = { readonly from: number; readonly to: number };

/**
 * Longer ranges are clipped to their facts; clipping a shorter one would cost more than it saves.
 */
const longSeconds = 400 * 86_400;

/** Whether a range is long enough to be clipped to its facts. */
export function isLong({ from, to }: Range): boolean {
  return to - from > longSeconds;
}

/**
 * Whether spans are whole days of a channel's own calendar, so that `store_day` has them. Over a
 * long range, in which few days may have facts, zones are not compared.
 */
export function areWholeDays(zone: string, ofChannel: string, spans: readonly Span[]): boolean {
  return spans.every(
    ({ from, to, first, last }) =>
      from === startOfDay(zone, first) &&
      to === endOfDay(zone, last) &&
      (zone === ofChannel || (!isLong({ from, to }) && sameDays(zone, ofChannel, from, to))),
  );
}

/** The part of a range that lies between the first and the last instant of some extents. */
export function clipped({ from, to }: Range, extents: readonly Range[]): Range | undefined {
  const start = Math.max(from, Math.min(...extents.map((extent) => extent.from)));
  const end = Math.min(to, Math.max(...extents.map((extent) => extent.to)));
  return start <= end ? { from: start, to: end } : undefined;
}

/** A period with the local dates that it touches. */
export type Span = Range & DateRange;

/** A period divided into buckets. */
export type Window = Span & { readonly buckets: readonly Bucket[] };

type Periods = {
  readonly fromDate: number;
  readonly toDate: number;
  readonly priorFromDate?: number;
  readonly priorToDate?: number;
  readonly timezone: string;
};

/** The period and, if given, the prior period. */
export function spansOf({
  fromDate,
  toDate,
  priorFromDate,
  priorToDate,
  timezone,
}: Periods): Span[] {
  const span = (from: number, to: number) => ({
    from,
    to,
    first: localDay(timezone, from),
    last: localDay(timezone, to),
  });
  return priorFromDate === undefined
    ? [span(fromDate, toDate)]
    : [span(fromDate, toDate), span(priorFromDate, priorToDate!)];
}

/** The periods, divided by the interval. */
export function windowsOf(periods: Periods & { readonly interval: string }): Window[] {
  const interval = parseInterval(periods.interval)!;
  return spansOf(periods).map((span) => ({
    ...span,
    buckets: buckets(periods.timezone, span.from, span.to, interval),
  }));
}

/** The days from the first to the last of the rows, which may be very many. */
export function daysOf(rows: Iterable<{ readonly day: number }>): DateRange {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { day } of rows) {
    if (day < first) first = day;
    if (day > last) last = day;
  }
  return { first, last };
}

/** The days from the first to the last day of all windows. */
export function enclosing(windows: readonly DateRange[]): DateRange {
  return {
    first: Math.min(...windows.map(({ first }) => first)),
    last: Math.max(...windows.map(({ last }) => last)),
  };
}

/** The ranges to query: one range for all windows if they are near each other. */
export function rangesOf(windows: readonly DateRange[]): readonly DateRange[] {
  const days = windows.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  const { first, last } = enclosing(windows);
  return last - first + 1 <= days + gapDaysMax ? [{ first, last }] : windows;
}
