/**
 * Comparisons: the same question is asked for a period and for a prior one, and the rows are paired
 * by the index of their bucket or by their key.
 */
import { priorName } from '../contract/byPeriod.ts';
import type { Cells } from './cells.ts';
import { asciiBytes, type JsonBytes } from './jsonBytes.ts';
import { columnsOf, type Metric, type Metrics, unknownMetric } from './metrics.ts';
import { type AmountUnits, metricWriter } from './writtenMetrics.ts';

/** The metrics of a row that have a companion for the prior period: `sales` and `priorSales`. */
export type ComparedNames<Row> = {
  [Name in keyof Row & string]: `prior${Capitalize<Name>}` extends keyof Row ? Name : never;
}[keyof Row & string];

/** The sums of one bucket or key; `known` says whether any fact was added to them. */
export type Sums = {
  known: boolean;
  /** The sums of the metrics' columns, in the order of `columnsOf`. */
  readonly cells: Cells;
  /** Metrics that are unknown although the sums have their columns. */
  unknown?: ReadonlySet<string>;
};

/**
 * Writes a row: `head` is the JSON of its first fields without the closing brace. Sums that are
 * undefined are those of nothing; the metrics of the prior period are unknown where it is not
 * requested or has no facts.
 */
export type WriteRow = (
  out: JsonBytes,
  head: string,
  current: Sums | undefined,
  prior: Sums | undefined,
  units: AmountUnits,
) => void;

/**
 * Makes the writer of rows: their first fields, the metrics of a period with those of the prior
 * period, and metrics without a companion.
 */
export function comparison<Row, Alone extends keyof Row & string = never>(
  compared: Readonly<Record<ComparedNames<Row>, Metric>>,
  alone = {} as Readonly<Record<Alone, Metric>>,
): WriteRow {
  const metrics: Metrics = { ...compared, ...alone };
  const columns = columnsOf(metrics);
  const nothing: Sums = { known: false, cells: columns.map(() => 0) };
  const entries = Object.entries(metrics).map(([name, metric]) => {
    const none = JSON.stringify(unknownMetric(metric));
    const prior = name in compared ? asciiBytes(`,"${priorName(name)}":`) : undefined;
    return {
      name,
      own: asciiBytes(`,"${name}":`),
      prior,
      none: asciiBytes(none),
      write: metricWriter(metric, columns),
    };
  });
  return (out, head, current, prior, units) => {
    const own = current ?? nothing;
    const before = prior?.known ? prior : undefined;
    out.text(head);
    for (const entry of entries) {
      const { name, none, write } = entry;
      out.raw(entry.own);
      if (own.unknown?.has(name)) out.raw(none);
      else write(out, own.cells, units);
      if (entry.prior === undefined) continue;
      out.raw(entry.prior);
      if (before === undefined || before.unknown?.has(name)) out.raw(none);
      else write(out, before.cells, units);
    }
    out.text('}');
  };
}
