/**
 * Metrics: the columns that they are made of, and how they are computed and written. A report has
 * one entry per metric; everything else about the metric follows from it.
 */
import type { Column } from './columns.ts';
import { amountPlaces, roundedRatio, roundedSum, type Sum } from './money.ts';
import { type AmountTexts, noText, ratioText } from './texts.ts';

/**
 * A metric: a column, or the quotient of two columns times a factor. A `unitPrice` has the decimal
 * places of prices in its currency, a `ratio` its own `places`. An `unavailable` metric is always
 * unknown.
 */
export type Metric<C extends Column = Column> = {
  readonly kind: 'count' | 'amount' | 'unitPrice' | 'ratio' | 'unavailable';
  readonly part: C;
  readonly whole?: C;
  readonly factor: number;
  readonly places: number;
};

/** The metrics of a report by name, in the order of the answer. */
export type Metrics<C extends Column = Column> = Readonly<Record<string, Metric<C>>>;

/** The columns that metrics are made of. */
export type ColumnOf<M extends Metrics> = M[keyof M] extends Metric<infer C> ? C : never;

/** A count, unchanged. */
export function count<C extends Column<string, 'count'>>(part: C): Metric<C> {
  return { kind: 'count', part, factor: 1, places: 0 };
}

/** An amount in its currency's minor unit. */
export function amount<C extends Column<string, 'amount'>>(part: C): Metric<C> {
  return { kind: 'amount', part, factor: 1, places: 0 };
}

/** An amount per piece. */
export function unitPrice<P extends Column<string, 'amount'>, W extends Column<string, 'count'>>(
  part: P,
  whole: W,
): Metric<P | W> {
  return { kind: 'unitPrice', part, whole, factor: 1, places: 0 };
}

/** A quotient with `places` decimal places. */
export function ratio<P extends Column, W extends Column>(
  part: P,
  whole: W,
  places: number,
  factor = 1,
): Metric<P | W> {
  return { kind: 'ratio', part, whole, factor, places };
}

/** A quotient in percent. */
export function percent<P extends Column, W extends Column>(
  part: P,
  whole: W,
  places: number,
): Metric<P | W> {
  return ratio(part, whole, places, 100);
}

/** The metric as unknown, such as advertising by the hour. */
export function unavailable<C extends Column>(metric: Metric<C>): Metric<C> {
  return { ...metric, kind: 'unavailable' };
}

/** The columns of metrics, without repeats. */
export function columnsOf<M extends Metrics>(metrics: M): ColumnOf<M>[] {
  const columns = new Map<string, Column>();
  for (const { part, whole } of Object.values(metrics))
    for (const column of [part, whole]) if (column) columns.set(column.name, column);
  return [...columns.values()] as ColumnOf<M>[];
}

type Values = Readonly<Record<string, number | bigint>>;

/** A metric as views write it: a count as a number, everything else as text. */
export function writtenMetric(
  { kind, part, whole, factor, places }: Metric,
  sums: Values,
  texts: AmountTexts,
): string | number {
  const value = sums[part.name]!;
  if (kind === 'count') return value as number;
  if (kind === 'amount') return texts.amount(value as bigint);
  if (kind === 'unavailable') return noText;
  const divisor = sums[whole!.name]!;
  if (kind === 'unitPrice') return texts.unitPrice(value as bigint, divisor as number);
  const isMean = part.type === 'weight' && whole!.type === 'count';
  const scaled = isMean ? (divisor as number) * 10 ** amountPlaces : divisor;
  return ratioText(value, scaled, places, factor);
}

/** The value of a metric in a period without facts. */
export function unknownMetric({ kind }: Metric): string | number {
  return kind === 'count' ? 0 : noText;
}

/** The numbers of decimal places of amounts and unit prices. */
export type Places = { readonly amount: number; readonly unitPrice: number };

/**
 * The metrics of a list's row, as numbers. The amounts of a row are sums of unconverted() and, in
 * columns named `..._converted`, of converted().
 */
export function metricNumbers<M extends Metrics>(
  metrics: M,
  row: Values,
  places: Places,
): Record<keyof M, number> {
  const sum = (column: Column) => sumOf(column, row);
  const numbers: Record<string, number> = {};
  for (const [name, { kind, part, whole, factor, places: own }] of Object.entries(metrics)) {
    if (kind === 'count') numbers[name] = row[part.name] as number;
    else if (kind === 'amount') numbers[name] = roundedSum(sum(part), places.amount);
    else {
      const ratioPlaces = kind === 'unitPrice' ? places.unitPrice : own;
      numbers[name] = roundedRatio(sum(part), sum(whole!), ratioPlaces, factor);
    }
  }
  return numbers as Record<keyof M, number>;
}

/** The sum of a column in such a row. */
export function sumOf({ name, type }: Column, row: Values): Sum {
  return type === 'amount'
    ? { exact: row[name] as bigint, converted: row[`${name}_converted`] as number }
    : { exact: BigInt(row[name]!) * 10n ** BigInt(amountPlaces), converted: 0 };
}
