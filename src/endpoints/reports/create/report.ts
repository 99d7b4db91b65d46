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
  /** All channels that it is about: its own, then those that its options name, in their order. */
  readonly channels: readonly Channel[];
  readonly warehouse: Warehouse;
  readonly registry: Registry;
  /** For every question: the rest of the report's time, and the signal that stops it. */
  readonly limits: QueryLimits;
};

/** Writes some rows. Await it before computing more, so that memory stays flat. */
export type Write<Row> = (rows: readonly Row[]) => Promise<void>;

/** The channels that a report is about: those of a kind, or those with advertising. */
export type ReportChannels = Channel['kind'] | 'advertised';

/** A table of a report: its columns, and the source of its rows. */
export type Table<Type extends ReportType = ReportType, Row = unknown> = {
  /** The columns; `channels` are all that the report is about, its own `channel` first. */
  columns(
    options: ReportOptions[Type],
    channel: Channel,
    channels: readonly Channel[],
  ): readonly TypedColumn<Row>[];
  /**
   * Writes all rows in the order of the file. A repeated attempt starts again from the first row.
   * Throws Refusal if a repeated attempt would fail, too.
   */
  rows(options: ReportOptions[Type], context: ReportContext, write: Write<Row>): Promise<void>;
};

/** A CSV report. */
export type Report<Type extends ReportType = ReportType, Row = unknown> = Table<Type, Row> & {
  readonly reportType: Type;
  /** The channels that it is about, where others are refused. */
  readonly channelKind?: ReportChannels;
};

/** A report of several tables: a zip archive of a file for each. */
export type Archive<Type extends ReportType = ReportType> = Pick<
  Report<Type>,
  'reportType' | 'channelKind'
> & {
  /** By the names of their files, without the ending. */
  // biome-ignore lint/suspicious/noExplicitAny: each table has rows of its own.
  readonly tables: Readonly<Record<string, Table<Type, any>>>;
};

/** The channels that options name beside the report's own one, each once, in their order. */
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
