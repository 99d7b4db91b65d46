/** Figures over time, added up over stores: ratios come from sums. */
import type { Pair } from '../charts/points.ts';
import { numberOf } from '../view/format.ts';
import type { ProfitRow } from '../view/profits.ts';
import { ratio, type SalesRow } from './figures.ts';

/** A figure of this period and of the prior one, bucket by bucket. */
export type Series = readonly Pair[];

/** Sales, orders and the average order of all stores, bucket by bucket. */
export function seriesOfSales(rows: readonly SalesRow[]) {
  const sums = (rows[0]?.buckets ?? []).map((_, place) => {
    const all = rows.map((row) => row.buckets![place]!);
    const sold = all.filter(({ orders, priorOrders }) => Number(orders) + Number(priorOrders) > 0);
    const add = (some: typeof all, figure: 'sales' | 'priorSales' | 'orders' | 'priorOrders') =>
      some.reduce((total, bucket) => total + Number(bucket[figure] ?? 0), 0);
    return { all, sold, add };
  });
  return {
    sales: sums.map(({ all, add }) => ({
      value: add(all, 'sales'),
      prior: add(all, 'priorSales'),
    })),
    orders: sums.map(({ all, add }) => ({
      value: add(all, 'orders'),
      prior: add(all, 'priorOrders'),
    })),
    average: sums.map(({ sold, add }) => ({
      value: ratio(add(sold, 'sales'), add(sold, 'orders')),
      prior: ratio(add(sold, 'priorSales'), add(sold, 'priorOrders')),
    })),
  };
}

/** The rows of the profit of all stores. */
export type ProfitRows = readonly ProfitRow[];
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
