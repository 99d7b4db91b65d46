/**
 * Comparisons: the same question is asked for a period and for a prior one, and the rows are paired
 * by the index of their bucket or by their key.
 */
import { type Metric, unknownMetric, writtenMetric } from './metrics.ts';
import type { AmountTexts } from './texts.ts';

/** The metrics of a row that have a companion for the prior period: `sales` and `priorSales`. */
export type ComparedNames<Row> = {
  [Name in keyof Row & string]: `prior${Capitalize<Name>}` extends keyof Row ? Name : never;
}[keyof Row & string];

/** The metrics of a row with their companions. */
export type Compared<Row> = Pick<
  Row,
  | ComparedNames<Row>
  | (`prior${Capitalize<ComparedNames<Row>>}` extends infer Prior ? Prior & keyof Row : never)
>;

/** The sums of one bucket or key; `known` says whether any fact was added to them. */
export type Sums<Values> = {
  known: boolean;
  readonly values: Values;
  /** Whether the sums stay as they are for several answers, so that their texts are kept. */
  readonly isLasting?: boolean;
};

type Cells = Readonly<Record<string, string | number>>;
type Written = Pick<AmountTexts, 'currency' | 'places'> & {
  readonly cells: readonly (string | number)[];
};
type AnyValues = Readonly<Record<string, number | bigint>>;

/**
 * Writes rows: their first fields, and the metrics of a period with those of the prior period,
 * which are unknown where it is not asked for or has no facts.
 */
export function comparison<Row>(
  metrics: Readonly<Record<ComparedNames<Row>, Metric>>,
): <First extends Cells>(
  first: First,
  current: Sums<AnyValues>,
  prior: Sums<AnyValues> | undefined,
  texts: AmountTexts,
) => First & Compared<Row> {
  const entries = Object.entries<Metric>(metrics).map(([name, metric]) => ({
    name,
    priorName: `prior${name[0]!.toUpperCase()}${name.slice(1)}`,
    metric,
    unknown: unknownMetric(metric),
  }));
  // Not filled name by name: that would make a dictionary of it, and of each of its copies.
  const empty: Record<string, string | number> = Object.fromEntries(
    entries.flatMap(({ name, priorName }) => [
      [name, 0],
      [priorName, 0],
    ]),
  );
  let template: Record<string, string | number> | undefined;
  const kept = new WeakMap<Sums<AnyValues>, Written>();
  const unknowns = entries.map(({ unknown }) => unknown);
  const written = (sums: Sums<AnyValues>, texts: AmountTexts): Written['cells'] => {
    const known = kept.get(sums);
    if (known !== undefined && known.currency === texts.currency && known.places === texts.places)
      return known.cells;
    const cells = entries.map(({ metric }) => writtenMetric(metric, sums.values, texts));
    const { currency, places } = texts;
    if (sums.isLasting) kept.set(sums, { currency, places, cells });
    return cells;
  };
  return (first, current, prior, texts) => {
    const own = written(current, texts);
    const priors = prior?.known ? written(prior, texts) : unknowns;
    template ??= { ...first, ...empty };
    // A copy has all its fields from the start, which makes filling it twice as fast.
    const row = { ...template };
    for (const name in first) row[name] = first[name]!;
    for (let index = 0; index < entries.length; index++) {
      const { name, priorName } = entries[index]!;
      row[name] = own[index]!;
      row[priorName] = priors[index]!;
    }
    return row as typeof first & Compared<Row>;
  };
}
