/** The simulated business of the demonstration, and sums of its figures. */
import assert from 'node:assert/strict';
import { type Plan, plans } from '../demonstration/plans.ts';
import { historySince } from '../demonstration/rates.ts';
import type { DayRows } from '../demonstration/rows.ts';
import { simulateDays } from '../demonstration/simulation.ts';
import { localDay } from '../src/calendar/period.ts';

/** The plan of a channel of the demonstration. */
export const planOf = (channelId: string) => plans.find((plan) => plan.channelId === channelId)!;

/** A dataset of simulated days, and a row of it. */
type Dataset = keyof DayRows;
type RowOf<Of extends Dataset> = DayRows[Of][number];

/** The business as of a day, by the epoch milliseconds of its noon. */
export type Business = {
  /** The day of the start, in days since 1970. */
  readonly anchorDay: number;
  /** The days of a plan, simulated once. */
  daysOf(plan: Plan): readonly DayRows[];
  /** The rows of a dataset, of all days or of these. */
  factsOf<Of extends Dataset>(plan: Plan, dataset: Of, days?: readonly DayRows[]): RowOf<Of>[];
};

/** Opens the business; each plan is simulated when it is first needed. */
export function businessAt(now: number): Business {
  const anchorDay = now / 86_400_000 - 0.5;
  const simulated = new Map<Plan, readonly DayRows[]>();
  const daysOf = (plan: Plan): readonly DayRows[] => {
    // East of UTC the local day may be a day ahead.
    const lastDay = localDay(plan.timezone, now / 1000) - 1;
    const days = simulated.get(plan) ?? [...simulateDays(plan, anchorDay, lastDay)];
    simulated.set(plan, days);
    return days;
  };
  return {
    anchorDay,
    daysOf,
    factsOf: <Of extends Dataset>(plan: Plan, dataset: Of, days = daysOf(plan)) =>
      days.flatMap((day) => day[dataset] as readonly RowOf<Of>[]),
  };
}

/** The published rates of the demonstration since a day, newest first. */
export function ratesSince(day: number) {
  const [[, ...currencies], ...lines] = historySince(day).map((line) => line.split(',')) as [
    string[],
    ...string[][],
  ];
  return lines.flatMap(([date, ...rates]) =>
    rates.flatMap((perEuro, at) =>
      Number(perEuro) > 0 ? [{ date: date!, currency: currencies[at]!, perEuro }] : [],
    ),
  );
}

/** A figure of a row, by its name or computed. */
type Figure<Row> = keyof Row | ((row: Row) => number);

/** The sum of a figure of rows. */
export function sum<Row>(rows: readonly Row[], figure: Figure<Row>): number {
  const of = typeof figure === 'function' ? figure : (row: Row) => Number(row[figure]);
  return rows.reduce((total, row) => total + of(row), 0);
}

/** The sum of one figure of rows over that of another, or over a number. */
export function ratio<Row>(rows: readonly Row[], part: Figure<Row>, whole: Figure<Row> | number) {
  return sum(rows, part) / (typeof whole === 'number' ? whole : sum(rows, whole));
}

/** The share of the rows that satisfy a condition. */
export const shareOf = <Row>(rows: readonly Row[], is: (row: Row) => boolean) =>
  rows.filter(is).length / rows.length;

/** Expects a value between two others, or to be one of them. */
export function between(value: number, min: number, max: number, what: string): void {
  assert.ok(value >= min && value <= max, `${what} is ${value}, not between ${min} and ${max}`);
}
