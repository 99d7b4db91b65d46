/** The shape of a CSV report. */
import type { Channel } from '../../../access/channels.ts';
import type { ReportType } from '../../../contract/reports.ts';
import type { Registry } from '../../../engine/registry.ts';
import type { QueryLimits, Warehouse } from '../../../engine/warehouse.ts';
import type { Column } from '../../../report/csv.ts';
import type { ReportOptions } from './contract.ts';

/** The inputs that a report is computed from. */
export type ReportContext = {
  readonly channel: Channel;
  readonly warehouse: Warehouse;
  readonly registry: Registry;
  /** For every question: the rest of the report's time, and the signal that stops it. */
  readonly limits: QueryLimits;
};

/** Writes some rows. Await it before computing more, so that memory stays flat. */
export type Write<Row> = (rows: readonly Row[]) => Promise<void>;

/** A CSV report: a table of its columns, and the source of its rows. */
export type Report<Type extends ReportType = ReportType, Row = unknown> = {
  readonly reportType: Type;
  /** The kind of channel that it is about, where others are refused. */
  readonly channelKind?: Channel['kind'];
  columns(options: ReportOptions[Type], channel: Channel): readonly Column<Row>[];
  /**
   * Writes all rows in the order of the file. A repeated attempt starts again from the first row.
   * Throws Refusal if a repeated attempt would fail, too.
   */
  rows(options: ReportOptions[Type], context: ReportContext, write: Write<Row>): Promise<void>;
};

/** The payload of a report's job. */
export type ReportPayload = {
  readonly reportType: ReportType;
  readonly options: ReportOptions[ReportType];
};
