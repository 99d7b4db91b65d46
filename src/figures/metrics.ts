/**
 * Metrics: the columns they are made of, and how they are computed and written. A report has one
 * entry for each of its metrics; everything else about them follows from that entry.
 */
import type { Column } from './columns.ts';
import { amountPlaces, roundedRatio, roundedSum, type Sum } from './money.ts';
import { noText } from './texts.ts';

/**
 * A metric: a column, or the quotient of two times a factor. A `unitPrice` has the places of a
 * price in its currency, a `ratio` has places of its own. An `unavailable` one is always unknown.
 */
export type Metric<C extends Column = Column> = {
  readonly kind: 'count' | 'amount' | 'unitPrice' | 'ratio' | 'unavailable';
  readonly part: C;
  readonly whole?: C;
  readonly factor: number;
  readonly places: number;
};

/** The metrics of a report by their names, in the order of the answer. */
export type Metrics<C extends Column = Column> = Readonly<Record<string, Metric<C>>>;

/** The columns that metrics are made of. */
export type ColumnOf<M extends Metrics> = M[keyof M] extends Metric<infer C> ? C : never;

/** A count as it is. */
export function count<C extends Column<string, 'count'>>(part: C): Metric<C> {
  return { kind: 'count', part, factor: 1, places: 0 };
}

/** An amount in the minor unit of its currency. */
export function amount<C extends Column<string, 'amount'>>(part: C): Metric<C> {
  return { kind: 'amount', part, factor: 1, places: 0 };
}

/** An amount by piece. */
export function unitPrice<P extends Column<string, 'amount'>, W extends Column<string, 'count'>>(
  part: P,
  whole: W,
): Metric<P | W> {
  return { kind: 'unitPrice', part, whole, factor: 1, places: 0 };
}

/** A quotient with so many decimal places. */
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

/** The metric where it cannot be known, such as advertising by the hour. */
export function unavailable<C extends Column>(metric: Metric<C>): Metric<C> {
  return { ...metric, kind: 'unavailable' };
}

/** The columns of metrics, each once. */
export function columnsOf<M extends Metrics>(metrics: M): ColumnOf<M>[] {
  const columns = new Map<string, Column>();
  for (const { part, whole } of Object.values(metrics))
    for (const column of [part, whole]) if (column) columns.set(column.name, column);
  return [...columns.values()] as ColumnOf<M>[];
}

/** A metric of a period without any fact. */
export function unknownMetric({ kind }: Metric): string | number {
  return kind === 'count' ? 0 : noText;
}

type Values = Readonly<Record<string, number | bigint>>;

/** How many decimal places amounts and unit prices have. */
export type Places = { readonly amount: number; readonly unitPrice: number };

/**
 * The metrics of a row of a list, as numbers. The amounts of a row are sums of unconverted() and,
 * in columns named `..._converted`, of converted().
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
