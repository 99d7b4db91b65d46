/**
 * Metrics: the columns they are made of, and how they are computed and written. A report has one
 * entry for each of its metrics; everything else about them follows from that entry.
 */
import type { SeveralDays } from './condensedDays.ts';
import { amountPlaces, denominatorNoise, roundedRatio, roundedSum, type Sum } from './money.ts';
import type { SortColumn } from './page.ts';
import { type Exchange, exchangedAmount } from './rates.ts';
import { type AmountTexts, noText, ratioText } from './texts.ts';

/**
 * A column that is summed: a count, an amount of money, or a weight, a plain number in millionths.
 */
export type Column<
  Name extends string = string,
  Type extends 'count' | 'amount' | 'weight' = 'count' | 'amount' | 'weight',
> = { readonly name: Name; readonly type: Type };

/** A column of counts. */
export function countColumn<const Name extends string>(name: Name): Column<Name, 'count'> {
  return { name, type: 'count' };
}

/** A column of amounts of money. */
export function amountColumn<const Name extends string>(name: Name): Column<Name, 'amount'> {
  return { name, type: 'amount' };
}

/** A column of plain numbers in millionths. */
export function weightColumn<const Name extends string>(name: Name): Column<Name, 'weight'> {
  return { name, type: 'weight' };
}

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

/** The value of each column: a number for counts, a bigint for amounts and weights. */
export type ValuesOf<C extends Column> = {
  [One in C as One['name']]: One['type'] extends 'count' ? number : bigint;
};

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

type Values = Readonly<Record<string, number | bigint>>;

/** Sums of nothing. */
export function zeroSums<C extends Column>(columns: readonly C[]): ValuesOf<C> {
  return Object.fromEntries(
    columns.map(({ name, type }) => [name, type === 'count' ? 0 : 0n]),
  ) as ValuesOf<C>;
}

/** Adds facts of one or several days to sums; amounts are exchanged from their currency. */
export function addFacts<C extends Column>(
  sums: ValuesOf<C>,
  facts: ValuesOf<C> & { readonly currency: string; readonly day: number } & Partial<SeveralDays>,
  columns: readonly C[],
  exchange: Exchange,
): void {
  const [to, from] = [sums as Record<string, number | bigint>, facts as unknown as Values];
  for (const { name, type } of columns) {
    if (type === 'count') to[name] = (to[name] as number) + (from[name] as number);
    else if (type === 'weight') to[name] = (to[name] as bigint) + (from[name] as bigint);
    else
      to[name] =
        (to[name] as bigint) + exchangedAmount(facts, name, from[name] as bigint, exchange);
  }
}

/** The columns of amounts. */
export function amountNames<C extends Column>(
  columns: readonly C[],
): Extract<C, { type: 'amount' }>['name'][] {
  return columns.filter(({ type }) => type === 'amount').map(({ name }) => name);
}

/** A metric as the views write it: a count as a number, everything else as text. */
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

/** A metric of a period without any fact. */
export function unknownMetric({ kind }: Metric): string | number {
  return kind === 'count' ? 0 : noText;
}

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

/** How a list is sorted by each metric: by the number that it shows. */
export function metricSorts<M extends Metrics>(metrics: M): Record<keyof M, SortColumn> {
  const sorts = {} as Record<string, SortColumn>;
  for (const [name, metric] of Object.entries(metrics))
    sorts[name] = { kind: 'number', sql: shownValue(metric) };
  return sorts as Record<keyof M, SortColumn>;
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

/** The SQL that sums columns. */
export function summed(columns: readonly Column[]): string {
  return columns
    .map(({ name, type }) =>
      type === 'count' ? `CAST(sum(${name}) AS BIGINT) AS ${name}` : `sum(${name}) AS ${name}`,
    )
    .join(',\n');
}

/** The SQL that sums columns of facts and converts the amounts; metricNumbers() reads them. */
export function summedAndConverted(columns: readonly Column[]): string {
  return columns
    .flatMap(({ name, type }) =>
      type === 'amount'
        ? [
            `sum(unconverted(${name}, currency)) AS ${name}`,
            `sum_converted(${name}, currency, day) AS ${name}_converted`,
          ]
        : [summed([{ name, type }])],
    )
    .join(',\n');
}

/** The names of these sums. */
export function summedColumns(columns: readonly Column[]): string[] {
  return columns.flatMap(({ name, type }) =>
    type === 'amount' ? [name, `${name}_converted`] : [name],
  );
}

/** The SQL of these sums where there is nothing to sum. */
export function noSums(columns: readonly Column[]): string {
  return columns
    .flatMap(({ name, type }) =>
      type === 'amount' ? [`amount(0) AS ${name}`, `0 AS ${name}_converted`] : [`0 AS ${name}`],
    )
    .join(',\n');
}

/** The SQL of the same columns from a joined table of sums, zero where a row has none. */
export function sumsOrZero(columns: readonly Column[], table: string): string {
  const orZero = (name: string, zero: string) => `coalesce(${table}.${name}, ${zero}) AS ${name}`;
  return columns
    .flatMap(({ name, type }) =>
      type === 'amount'
        ? [orZero(name, 'amount(0)'), orZero(`${name}_converted`, '0')]
        : [orZero(name, '0')],
    )
    .join(',\n');
}
