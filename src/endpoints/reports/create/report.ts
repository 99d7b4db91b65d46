/** The shape of a CSV report. */

import type { Channel } from '../../../access/channels.ts';
import type { ReportFormat, ReportType } from '../../../contract/reports.ts';
import type { Registry } from '../../../engine/registry.ts';
import type { QueryLimits, Warehouse } from '../../../engine/warehouse.ts';
import type { TypedColumn } from '../../../report/typedColumns.ts';
import type { ReportOptions } from './contract.ts';

/** The inputs that a report is computed from. */
export type ReportContext = {
  /** The channel that the report belongs to. */
  readonly channel: Channel;
  /** All channels of the report: its own, then those in its options, in their order. */
  readonly channels: readonly Channel[];
  readonly warehouse: Warehouse;
  readonly registry: Registry;
  /** The limits of every question: the report's remaining time, and the signal that stops it. */
  readonly limits: QueryLimits;
};

/** Writes some rows. Await it before computing more, so that memory use stays constant. */
export type Write<Row> = (rows: readonly Row[]) => Promise<void>;

/** The channels that a report accepts: channels of a kind, or channels with advertising. */
export type ReportChannels = Channel['kind'] | 'advertised';

/** A table of a report: its columns, and the source of its rows. */
export type Table<Type extends ReportType = ReportType, Row = unknown> = {
  /** The columns; `channels` are all channels of the report, its own `channel` first. */
  columns(
    options: ReportOptions[Type],
    channel: Channel,
    channels: readonly Channel[],
  ): readonly TypedColumn<Row>[];
  /**
   * Writes all rows in the order of the file. A repeated attempt starts from the first row. Throws
   * Refusal if another attempt would fail, too.
   */
  rows(options: ReportOptions[Type], context: ReportContext, write: Write<Row>): Promise<void>;
};

/** A CSV report. */
export type Report<Type extends ReportType = ReportType, Row = unknown> = Table<Type, Row> & {
  readonly reportType: Type;
  /** The channels that it accepts, if it refuses others. */
  readonly channelKind?: ReportChannels;
};

/** A report of several tables: a zip archive with one file for each. */
export type Archive<Type extends ReportType = ReportType> = Pick<
  Report<Type>,
  'reportType' | 'channelKind'
> & {
  /** The tables by file name, without the ending. */
  // biome-ignore lint/suspicious/noExplicitAny: each table has rows of its own.
  readonly tables: Readonly<Record<string, Table<Type, any>>>;
};

/** The channels that options name besides the report's own, without repeats, in their order. */
export function furtherChannelIds(
  options: ReportPayload['options'],
  { channelId }: Pick<Channel, 'channelId'>,
): string[] {
  const named = options !== undefined && 'channelIds' in options ? (options.channelIds ?? []) : [];
  return [...new Set(named)].filter((one) => one !== channelId);
}

/** The payload of a report's job. */
export type ReportPayload = {
  readonly reportType: ReportType;
  readonly options: ReportOptions[ReportType];
  readonly format: ReportFormat;
};
