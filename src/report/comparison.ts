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
export type Sums<Values> = { known: boolean; readonly values: Values };

type AnyValues = Readonly<Record<string, number | bigint>>;

/**
 * Writes the metrics of a period with those of the prior period, which are unknown where it is not
 * asked for or has no facts.
 */
export function comparison<Row>(
  metrics: Readonly<Record<ComparedNames<Row>, Metric>>,
): (
  current: Sums<AnyValues>,
  prior: Sums<AnyValues> | undefined,
  texts: AmountTexts,
) => Compared<Row> {
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
  return (current, prior, texts) => {
    // A copy has all its fields from the start, which makes filling it twice as fast.
    const both = { ...empty };
    for (const { name, priorName, metric, unknown } of entries) {
      both[name] = writtenMetric(metric, current.values, texts);
      both[priorName] = prior?.known ? writtenMetric(metric, prior.values, texts) : unknown;
    }
    return both as Compared<Row>;
  };
}
