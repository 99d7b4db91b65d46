/**
 * Copies of facts, which leave a warehouse as Parquet files and enter another one of either engine:
 * the parts that both adapters share.
 */
import { type FactTable, facts } from '../../schema/warehouse/tables.ts';
import { type Question, question } from './question.ts';
import type { Parameters, Row } from './values.ts';

/** Writes the answer of a question as a new Parquet file in the staging folder. */
export type WriteFile = (question: Question, parameters: Parameters, file: string) => Promise<void>;

/** A channel and a day as a number; the day is 0 in undated tables. */
export type Place = { readonly channel: number; readonly day: number };

/** The rows of a table between two places, both inclusive, in order of channel and day. */
export type FactsRange = { readonly table: string; readonly from: Place; readonly to: Place };

/** The number of a channel's rows in a table, and the sums of numeric columns in millionths. */
export type FactsTotal = Row & { readonly channel: number; readonly row_count: number };

/** The columns of a copied table: the channel, the import, and the table's own columns. */
export function copiedColumns({ columns }: Pick<FactTable, 'columns'>): string[] {
  return ['channel', 'import_id', ...Object.keys(columns)];
}

/** The columns that a table's totals add up. */
export function summedColumns({ columns }: Pick<FactTable, 'columns'>): string[] {
  return Object.keys(columns).filter((column) =>
    ['Amount', 'Int32', 'Int64'].includes(columns[column]!),
  );
}

const ofChannels = 'one_of(channel, {channels:Array(Int32)})';

/** The questions that copies ask about a table. */
export type CopyQuestions = {
  /** The number of rows of each channel on each day, in order. */
  readonly counts: Question<{ channel: number; day: number; row_count: number }>;
  /** The rows of a range. */
  readonly rows: Question;
  /** The totals of each channel. */
  readonly totals: Question<FactsTotal>;
};

/** The questions of each table. */
export const copyQuestions: ReadonlyMap<string, CopyQuestions> = new Map(
  facts.map((table) => [table.name, questionsOf(table)]),
);

function questionsOf(table: FactTable): CopyQuestions {
  const { name, day } = table;
  const dates = day === null ? '' : ', day';
  const from = day === null ? 'TRUE' : 'day >= {fromDay:Date}';
  const to = day === null ? 'TRUE' : 'day <= {toDay:Date}';
  const sums = summedColumns(table).map(
    (column) => `CAST(sum(${column}) AS DECIMAL(38, 6)) AS ${column}`,
  );
  return {
    counts: question(
      `counts of ${name}`,
      `SELECT channel${dates}, count(*) AS row_count FROM ${name} WHERE ${ofChannels}
       GROUP BY channel${dates} ORDER BY channel${dates}`,
    ),
    rows: question(
      `rows of ${name}`,
      `SELECT ${copiedColumns(table).join(', ')} FROM ${name} WHERE ${ofChannels}
         AND (channel > {fromChannel:Int32} OR (channel = {fromChannel:Int32} AND ${from}))
         AND (channel < {toChannel:Int32} OR (channel = {toChannel:Int32} AND ${to}))`,
    ),
    totals: question(
      `totals of ${name}`,
      `SELECT ${['channel', 'count(*) AS row_count', ...sums].join(', ')} FROM ${name}
       WHERE ${ofChannels} GROUP BY channel ORDER BY channel`,
    ),
  };
}

/** The parameters of the rows of a range. */
export function rangeParameters(channels: readonly number[], { from, to }: FactsRange): Parameters {
  return {
    channels: channels.filter((channel) => channel >= from.channel && channel <= to.channel),
    fromChannel: from.channel,
    toChannel: to.channel,
    fromDay: from.day,
    toDay: to.day,
  };
}

/**
 * The condition that a row lies in a range; `dateOf` writes a day, `hasDays` says if there are any.
 */
export function isInRange(
  { from, to }: FactsRange,
  hasDays: boolean,
  dateOf: (day: number) => string,
): string {
  const bound = (sign: '<' | '>', { channel, day }: Place) =>
    `(channel ${sign} ${channel} OR (channel = ${channel}
      ${hasDays ? `AND day ${sign}= ${dateOf(day)}` : ''}))`;
  return `${bound('>', from)} AND ${bound('<', to)}`;
}
