/**
 * Writes figures as cells, with a fixed number of decimal places; blank if there is nothing to
 * divide by.
 */
import { type Metric, type Places, sumOf } from '../../../figures/metrics.ts';
import {
  denominatorNoise,
  quotientText,
  roundedRatio,
  roundedSum,
  type Sum,
  unitsOf,
} from '../../../figures/money.ts';
import type { Digits } from '../../../report/typedColumns.ts';

const oneUnit = 1_000_000n;

/** Zero, as a sum. */
export const nothing: Sum = { exact: 0n, converted: 0 };

/** A count as a sum, to divide by. */
export function counted(count: number): Sum {
  return { exact: BigInt(count) * oneUnit, converted: 0 };
}

/** The total of two sums. */
export function plus(a: Sum, b: Sum): Sum {
  return { exact: a.exact + b.exact, converted: a.converted + b.converted };
}

/** The difference of two sums. */
export function minus(a: Sum, b: Sum): Sum {
  return { exact: a.exact - b.exact, converted: a.converted - b.converted };
}

/** A sum with `places` decimal places, rounded half away from zero. */
export function sumCell(sum: Sum, places: number): string {
  return sum.converted === 0
    ? quotientText(sum.exact, oneUnit, places)
    : roundedSum(sum, places).toFixed(places);
}

/**
 * `part` / `whole` x `factor` with `places` decimal places; blank if the whole is zero or negative.
 */
export function ratioCell(part: Sum, whole: Sum, places: number, factor = 1): string | null {
  if (unitsOf(whole.exact) + whole.converted <= denominatorNoise) return null;
  if (part.converted === 0 && whole.converted === 0)
    return quotientText(part.exact, whole.exact, places, factor);
  return roundedRatio(part, whole, places, factor).toFixed(places);
}

/** The same for counts. */
export function countRatioCell(
  part: number,
  whole: number,
  places: number,
  factor = 1,
): string | null {
  return whole > 0 ? quotientText(part, whole, places, factor) : null;
}

/** The decimal places of a metric's cells. */
export function metricDigits({ kind, places: own }: Metric, places: Places): Digits {
  if (kind === 'count') return 'whole';
  if (kind === 'amount') return places.amount;
  return kind === 'unitPrice' ? places.unitPrice : own;
}

/** A metric as a cell; its row has the sums that metricNumbers() reads. */
export function metricCell(
  metric: Metric,
  row: Readonly<Record<string, number | bigint>>,
  places: Places,
): number | string | null {
  const { kind, part, whole, factor } = metric;
  if (kind === 'count') return row[part.name] as number;
  if (kind === 'amount') return sumCell(sumOf(part, row), places.amount);
  const digits = metricDigits(metric, places) as number;
  return ratioCell(sumOf(part, row), sumOf(whole!, row), digits, factor);
}
