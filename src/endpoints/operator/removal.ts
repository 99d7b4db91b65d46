/** The removal of facts, as undoing an import and deleting facts share it. */
import { type FactTable, ownRates } from '../../../schema/warehouse/tables.ts';
import type { Channel } from '../../access/channels.ts';
import { isoDate, localDay } from '../../calendar/period.ts';
import type { FactsRemoved } from '../../contract/removals.ts';
import type { Amendment } from '../../engine/amendment.ts';
import { type Places, type Question, questionFile } from '../../engine/question.ts';
import { channelLock } from '../../engine/registry.ts';
import type { Row, Warehouse } from '../../engine/warehouse.ts';
import { datasets } from '../../import/datasets/datasets.ts';
import { settleTaxes } from '../../import/taxes/settle.ts';
import type { Context } from '../handler.ts';

const limits = { deadlineMilliseconds: 60_000 };

/** A removal: whose facts, and which of them by table. */
export type Removal = {
  /** Undefined for facts that belong to no channel. */
  readonly channel: Channel | undefined;
  readonly removed: readonly RemovedRows[];
  readonly dryRun: boolean;
};

/** Rows of a table to remove: by a condition, and the question about them. */
export type RemovedRows = Required<Pick<Amendment, 'removed' | 'parameters'>> & {
  readonly table: FactTable;
  readonly question: Question<Row>;
};

/**
 * Removes facts, or with `dryRun` returns what would be removed. `finish` is called after a
 * removal, still under the channel's lock.
 */
export async function removeFacts(
  { registry, warehouse }: Pick<Context<'operator'>, 'registry' | 'warehouse'>,
  { channel, removed, dryRun }: Removal,
  finish: (answer: FactsRemoved) => Promise<void>,
): Promise<FactsRemoved> {
  const number = channel?.channelNumber ?? 0;
  const timezone = channel?.timezone ?? 'UTC';
  return await registry.withLock(channelLock(number), async () => {
    const found = await findRows(warehouse, number, removed);
    const answer = { dryRun, ...summaryOf(found, timezone) };
    if (dryRun) return answer;
    const amendments = found.map(({ rows: { table, removed, parameters } }) => ({
      table: table.name,
      removed,
      parameters,
    }));
    if (amendments.length > 0)
      await warehouse.amend({ importId: 0, channel: number }, amendments, timezone);
    if (found.length > 0 && channel !== undefined)
      await settleTaxes({ registry, warehouse }, number);
    await finish(answer);
    return answer;
  });
}

type Found = { readonly rows: RemovedRows; readonly summary: Row };

/** The rows to remove of each table that has some: their number, and their first and last time. */
function findRows(
  warehouse: Warehouse,
  channel: number,
  removed: readonly RemovedRows[],
): Promise<Found[]> {
  return warehouse.read([channel], limits, async (ask) => {
    const found: Found[] = [];
    for (const rows of removed) {
      const [summary] = await ask(rows.question, { ...rows.parameters, channel });
      if ((summary!.found as number) > 0) found.push({ rows, summary: summary! });
    }
    return found;
  });
}

function summaryOf(found: readonly Found[], timezone: string): Omit<FactsRemoved, 'dryRun'> {
  const byDataset = new Map<string, { rows: number; days: number[] }>();
  for (const { rows, summary } of found) {
    const { table } = rows;
    const dataset = datasetOf(table.name);
    if (dataset === undefined) continue;
    const sum = byDataset.get(dataset) ?? { rows: 0, days: [] };
    sum.rows += summary.found as number;
    for (const time of [summary.first, summary.last]) {
      if (typeof time !== 'number') continue;
      sum.days.push(table.instant === undefined ? time : localDay(timezone, time));
    }
    byDataset.set(dataset, sum);
  }
  const dated = (days: readonly number[], choose: (...days: number[]) => number) =>
    days.length === 0 ? null : isoDate(choose(...days));
  const list = [...byDataset].map(([dataset, { rows, days }]) => ({
    dataset,
    rows,
    from: dated(days, Math.min),
    to: dated(days, Math.max),
  }));
  return { rows: list.reduce((sum, { rows }) => sum + rows, 0), datasets: list };
}

/** The dataset of a table's rows; undefined for tables that only support others. */
function datasetOf(table: string): string | undefined {
  if (table === 'order_record') return 'orders';
  return Object.values(datasets).find(({ destinations }) =>
    destinations.some((one) => one.table === table),
  )?.name;
}

/** All rows of a table. */
export function allRows(table: FactTable): RemovedRows {
  return { table, removed: 'true', parameters: { imports: [] }, question: rowsQuestion(table) };
}

/** The rows of a table that an import brought. */
export function rowsOfImport(table: FactTable, importId: number): RemovedRows {
  return {
    table,
    question: rowsQuestion(table),
    removed: 'one_of(import_id, {imports:Array(Int64)})',
    parameters: { imports: [importId] },
  };
}

function rowsQuestion(table: FactTable): Question<Row> {
  // The dates of instants are those of the channel's zone.
  const time = table.instant ?? table.day;
  const sums = [
    'CAST(count(*) AS BIGINT) AS found',
    ...(time === null ? [] : [`min(${time}) AS first`, `max(${time}) AS last`]),
  ];
  return questionOf('removedRows.sql', { table: table.name, sums });
}

const questionOf = (file: string, places: Places = {}) =>
  questionFile<Row>(import.meta.url, file, places);

/** The rows of a table in a range of the zone's dates. Published rates are no rows of a dataset. */
export function rowsInRange(
  table: FactTable,
  { first, last, from, until }: Readonly<Record<'first' | 'last' | 'from' | 'until', number>>,
): RemovedRows {
  const { name, instant } = table;
  const ofDays = 'day >= {first:Date} AND day <= {last:Date}';
  if (name === 'finance_claim')
    return {
      table,
      parameters: { from, until },
      question: questionOf('removedClaims.sql'),
      removed: 'from_at >= {from:Int64} AND to_at < {until:Int64}',
    };
  if (name === 'exchange_rate')
    return {
      table,
      question: questionOf('removedRates.sql'),
      removed: `${ofDays} AND source = {source:String}`,
      parameters: { first, last, source: ownRates },
    };
  if (instant === undefined)
    return {
      table,
      removed: ofDays,
      parameters: { first, last },
      question: questionOf('removedDays.sql', { table: name }),
    };
  // A local day lies within three UTC days.
  return {
    table,
    question: questionOf('removedInstants.sql', { table: name, instant }),
    removed: `${ofDays} AND ${instant} >= {from:Int64} AND ${instant} < {until:Int64}`,
    parameters: { first: first - 1, last: last + 1, from, until },
  };
}
