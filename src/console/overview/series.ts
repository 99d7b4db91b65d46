/** Figures over time, added up over stores: ratios come from sums. */
import type { LinePoint } from '../charts/lines.tsx';
import type { DataAnswer } from '../data.ts';
import { addDays, type Day } from '../view/days.ts';
import { inRange, inShortDay, inWeekday, numberOf } from '../view/format.ts';
import type { View } from '../view/view.ts';
import { type Pair, ratio, type SalesRow } from './figures.ts';

/** A bucket of time with a figure of this period and of the prior one. */
export type Bucket = Pair & {
  /** The local start, such as 2026-11-21T00:00:00+01:00; "" where the prior period has no pair. */
  readonly startTime: string;
};
/** The buckets of a figure. */
export type Series = readonly Bucket[];

/** Sales, orders and the average order of all stores, bucket by bucket. */
export function seriesOfSales(rows: readonly SalesRow[]) {
  const starts = rows[0]?.buckets?.map(({ startTime }) => startTime) ?? [];
  const sums = starts.map((startTime, place) => {
    const all = rows.map((row) => row.buckets![place]!);
    const sold = all.filter(({ orders, priorOrders }) => Number(orders) + Number(priorOrders) > 0);
    const add = (some: typeof all, figure: 'sales' | 'priorSales' | 'orders' | 'priorOrders') =>
      some.reduce((total, bucket) => total + Number(bucket[figure] ?? 0), 0);
    return { startTime, all, sold, add };
  });
  return {
    sales: sums.map(({ startTime, all, add }) => ({
      startTime,
      value: add(all, 'sales'),
      prior: add(all, 'priorSales'),
    })),
    orders: sums.map(({ startTime, all, add }) => ({
      startTime,
      value: add(all, 'orders'),
      prior: add(all, 'priorOrders'),
    })),
    average: sums.map(({ startTime, sold, add }) => ({
      startTime,
      value: ratio(add(sold, 'sales'), add(sold, 'orders')),
      prior: ratio(add(sold, 'priorSales'), add(sold, 'priorOrders')),
    })),
  };
}

/** The rows of the profit of all stores. */
export type ProfitRows = DataAnswer<'viewProfitByPeriod'>['formattedChartData'];
type ProfitFigure = 'netProfit' | 'totalRevenue' | 'advertisingSpend' | 'sales';

/** Net profit, margin and advertising in percent of sales: over all buckets, and in each. */
export function seriesOfProfit(rows: ProfitRows = []) {
  const sum = (some: ProfitRows, figure: ProfitFigure, isPrior: boolean) => {
    const name = isPrior
      ? (`prior${figure[0]!.toUpperCase()}${figure.slice(1)}` as 'priorSales')
      : figure;
    const known = some.map((row) => numberOf(row[name])).filter((value) => value !== undefined);
    return known.length === 0 ? undefined : known.reduce((total, value) => total + value, 0);
  };
  const share = (some: ProfitRows, figure: ProfitFigure, of: ProfitFigure, isPrior: boolean) =>
    ratio(sum(some, figure, isPrior) ?? 0, sum(some, of, isPrior) ?? 0, 100);
  const inBuckets = (figureOf: (some: ProfitRows, isPrior: boolean) => number | undefined) => ({
    total: { value: figureOf(rows, false), prior: figureOf(rows, true) },
    buckets: rows.map((row) => ({
      startTime: row.startTime,
      value: figureOf([row], false),
      prior: figureOf([row], true),
    })),
  });
  return {
    netProfit: inBuckets((some, isPrior) => sum(some, 'netProfit', isPrior)),
    margin: inBuckets((some, isPrior) => share(some, 'netProfit', 'totalRevenue', isPrior)),
    tacos: inBuckets((some, isPrior) => share(some, 'advertisingSpend', 'sales', isPrior)).buckets,
  };
}

/** The points of a chart: buckets named by their days. */
export function pointsOf(
  series: Series,
  interval: 'day' | 'week' | 'month',
  { range, prior, today }: View,
): LinePoint[] {
  return series.map(({ startTime, value, prior: before }, place) => {
    const first = startTime.slice(0, 10);
    const next = series[place + 1]?.startTime.slice(0, 10);
    const last = next === undefined ? range.last : addDays(next, -1);
    const shift = daysBetween(range.first, first);
    const priorFirst = addDays(prior.first, shift);
    const name = (from: Day, to: Day) =>
      interval === 'day' || from === to
        ? inWeekday(from)
        : inRange({ first: from, last: to }, false);
    return {
      key: startTime,
      label: inShortDay(first),
      name: name(first, last),
      priorName: interval === 'day' ? inShortDay(priorFirst) : 'Prior period',
      value,
      prior: before,
      isPartial: last >= today,
    };
  });
}

const daysBetween = (one: Day, other: Day) =>
  Math.round((Date.parse(other) - Date.parse(one)) / 86_400_000);
