/** What the views of this room share: the two periods, how their days are read, and rows that compare them. */
import {
  type Bucket,
  buckets,
  isoInstant,
  localDay,
  parseInterval,
} from '../../../calendar/period.ts';
import type { Ask, DateRange, QueryLimits, Warehouse } from '../../../engine/warehouse.ts';
import type { Range } from '../../../report/sales.ts';

/** Windows no further apart than this are read in one go. */
const gapDaysMax = 60;

/** One of the two periods, with the local dates that it touches. */
export type Span = Range & DateRange;

/** One of the two periods, divided. */
export type Window = Span & { readonly buckets: readonly Bucket[] };

type Periods = {
  readonly fromDate: number;
  readonly toDate: number;
  readonly priorFromDate?: number;
  readonly priorToDate?: number;
  readonly timezone: string;
};

/** The reporting period and, where one is asked for, the comparison period. */
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

/** The same, divided by the interval. */
export function windowsOf(periods: Periods & { readonly interval: string }): Window[] {
  const interval = parseInterval(periods.interval)!;
  return spansOf(periods).map((span) => ({
    ...span,
    buckets: buckets(periods.timezone, span.from, span.to, interval),
  }));
}

/** The days from the first to the last of all windows. */
export function enclosing(windows: readonly DateRange[]): DateRange {
  return {
    first: Math.min(...windows.map(({ first }) => first)),
    last: Math.max(...windows.map(({ last }) => last)),
  };
}

function areNear(windows: readonly DateRange[]): boolean {
  const days = windows.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  const { first, last } = enclosing(windows);
  return last - first + 1 <= days + gapDaysMax;
}

/**
 * Reads the facts of each window, all of one state, by `read`, which asks one question for any days. Windows near each other share the facts
 * of all days from the first to the last.
 */
export async function readDays<Facts>(
  warehouse: Warehouse,
  channelNumber: number,
  limits: QueryLimits,
  windows: readonly DateRange[],
  read: (ask: Ask, days: DateRange) => Promise<Facts>,
): Promise<Facts[]> {
  if (areNear(windows)) {
    // One question sees one state by itself.
    const facts = await read(
      (question, parameters) => warehouse.ask(question, parameters, limits),
      enclosing(windows),
    );
    return windows.map(() => facts);
  }
  return warehouse.read([channelNumber], limits, async (ask) => {
    const facts: Facts[] = [];
    for (const window of windows) facts.push(await read(ask, window));
    return facts;
  });
}

/** What is measured in a row: all but its times, its currency and the comparison. */
export type MetricsOf<Row> = {
  [Name in keyof Row as Name extends `prior${string}` | 'startTime' | 'endTime' | 'currency'
    ? never
    : Name]: Row[Name];
};

type Metrics = Readonly<Record<string, string | number>>;
type Prior<M> = { [Name in keyof M & string as `prior${Capitalize<Name>}`]: M[Name] };
type Named<M> = { [Name in keyof M]: M[Name] };

/** Puts metrics side by side with those of the comparison period, which are `unknown` where it has none: `sales` and `priorSales`. */
export function comparing<M extends Metrics>(
  unknown: M,
): (now: M, before: M | undefined) => Named<M & Prior<M>> {
  const names = Object.keys(unknown).map(
    (name) => [name, `prior${name[0]!.toUpperCase()}${name.slice(1)}`] as const,
  );
  const empty: Record<string, string | number> = Object.fromEntries(
    names.flatMap(([name, prior]) => [name, prior].map((one) => [one, 0])),
  );
  return (now, before = unknown) => {
    // A copy has all its fields from the start, which makes filling it twice as fast.
    const both = { ...empty };
    for (const [name, prior] of names) {
      both[name] = now[name]!;
      both[prior] = before[name]!;
    }
    return both as M & Prior<M>;
  };
}

/** The first and the last second of each bucket and the currency, as the rows of a view begin. */
export function timesOf(
  zone: string,
  { startEpochSeconds, endEpochSeconds }: Bucket,
  currency: string,
) {
  return {
    startTime: isoInstant(zone, startEpochSeconds),
    endTime: isoInstant(zone, endEpochSeconds),
    currency,
  };
}
