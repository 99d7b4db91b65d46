/** What a kind of CSV report is: its columns, and how its rows come about. */

import type { Channel } from '../../../access/channels.ts';
import type { Registry } from '../../../engine/registry.ts';
import type { QueryLimits, Warehouse } from '../../../engine/warehouse.ts';
import type { Cell, Column } from '../../../report/csv.ts';
import type { ReportOptions } from './contract.ts';

/** The types of reports, by which their kinds are told apart. */
export type ReportType = keyof ReportOptions;

/** What the rows of a report are computed with. */
export type ReportContext = {
  readonly channel: Channel;
  readonly warehouse: Warehouse;
  readonly registry: Registry;
  /** To be given to every question: what is left of the time that the whole report may take, and the signal by which it is stopped. */
  readonly limits: QueryLimits;
};

/** Takes a portion of rows, one cell for each column, and resolves when more may be given: to be awaited, so that memory stays flat. */
export type Put = (rows: readonly (readonly Cell[])[]) => Promise<void>;

/** One kind of report. */
export type ReportKind<Type extends ReportType = ReportType> = {
  readonly reportType: Type;
  readonly columns: (options: ReportOptions[Type]) => readonly Column[];
  /**
   * Gives all rows to `put`, in the order of the file. It may be called again for a report that it has already begun; then everything
   * that was put before is forgotten. Throws Refusal where another attempt would be of no use.
   */
  readonly rows: (options: ReportOptions[Type], context: ReportContext, put: Put) => Promise<void>;
};

/** Columns by their names, in order; those that are not named in `texts` are numbers. */
export function columnsOf(names: readonly string[], texts: readonly string[]): Column[] {
  return names.map((name) => ({ name, type: texts.includes(name) ? 'text' : 'number' }));
}
