/** The SQL of columns and metrics, in functions that both engines know. */
import type { Column } from './columns.ts';
import type { Metric, Metrics } from './metrics.ts';
import { denominatorNoise } from './money.ts';

/** The order of a list by a number. */
type NumberSort = { readonly kind: 'number'; readonly sql: string };

/** The orders of a list by each metric: by the number that is shown. */
export function metricSorts<M extends Metrics>(metrics: M): Record<keyof M, NumberSort> {
  const sorts = {} as Record<string, NumberSort>;
  for (const [name, metric] of Object.entries(metrics))
    sorts[name] = { kind: 'number', sql: shownValue(metric) };
  return sorts as Record<keyof M, NumberSort>;
}

function shownValue({ kind, part, whole, factor, places }: Metric): string {
  if (kind === 'count') return part.name;
  if (kind === 'amount') return roundedAmount(sumTerm(part));
  const quotient = `CASE WHEN ${sumTerm(whole!)} > ${denominatorNoise.toFixed(9)}
    THEN ${sumTerm(part)} / ${sumTerm(whole!)} ELSE 0 END`;
  return kind === 'unitPrice'
    ? `round_half_up(${quotient}, {unitPriceScale:Float64})`
    : `round_half_up(${quotient} * ${factor}, ${10 ** places})`;
}

/** A number rounded as amounts are shown; the parameter `amountScale` is a power of ten. */
export function roundedAmount(sql: string): string {
  return `round_half_up(${sql}, {amountScale:Float64})`;
}

function sumTerm({ name, type }: Column): string {
  return type === 'amount'
    ? `(CAST(${name} AS DOUBLE) + ${name}_converted)`
    : `CAST(${name} AS DOUBLE)`;
}

/** The SQL that sums each of the columns. */
export function summed(columns: readonly Column[]): string[] {
  return columns.map(({ name, type }) =>
    type === 'count' ? `CAST(sum(${name}) AS BIGINT) AS ${name}` : `sum(${name}) AS ${name}`,
  );
}

/** The SQL that sums columns of facts and converts the amounts; metricNumbers() reads them. */
export function summedAndConverted(columns: readonly Column[]): string[] {
  return columns.flatMap((column) => {
    const { name, type } = column;
    if (type !== 'amount') return summed([column]);
    return [
      `sum(unconverted(${name}, currency)) AS ${name}`,
      `sum_converted(${name}, currency, day) AS ${name}_converted`,
    ];
  });
}

/** The names of the columns of summedAndConverted(). */
export function summedColumns(columns: readonly Column[]): string[] {
  return columns.flatMap(({ name, type }) =>
    type === 'amount' ? [name, `${name}_converted`] : [name],
  );
}

/** The SQL of these sums where there is nothing to sum. */
export function zeroColumns(columns: readonly Column[]): string[] {
  return columns.flatMap(({ name, type }) =>
    type === 'amount' ? [`amount(0) AS ${name}`, `0 AS ${name}_converted`] : [`0 AS ${name}`],
  );
}

/** The SQL of the same columns from a joined table of sums, zero where a row has none. */
export function sumsOrZero(columns: readonly Column[], table: string): string[] {
  const orZero = (name: string, zero: string) => `coalesce(${table}.${name}, ${zero}) AS ${name}`;
  return columns.flatMap(({ name, type }) =>
    type === 'amount'
      ? [orZero(name, 'amount(0)'), orZero(`${name}_converted`, '0')]
      : [orZero(name, '0')],
  );
}
