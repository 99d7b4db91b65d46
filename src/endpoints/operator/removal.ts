/** The removal of facts, which undoing an import and deleting facts share. */
import { type FactTable, facts } from '../../../schema/warehouse/tables.ts';
import type { Channel } from '../../access/channels.ts';
import { isoDate, localDay } from '../../calendar/period.ts';
import type { FactsRemoved } from '../../contract/removals.ts';
import type { Amendment } from '../../engine/amendment.ts';
import { questionFile } from '../../engine/question.ts';
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
  readonly removed: readonly Pick<Amendment, 'table' | 'removed' | 'parameters'>[];
  readonly dryRun: boolean;
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
    const tables = new Set(found.map(({ table }) => table.name));
    const amendments = removed.filter(({ table }) => tables.has(table));
    if (amendments.length > 0)
      await warehouse.amend({ importId: 0, channel: number }, amendments, timezone);
    if (tables.size > 0 && channel !== undefined)
      await settleTaxes({ registry, warehouse }, number);
    await finish(answer);
    return answer;
  });
}

type Found = { readonly table: FactTable; readonly row: Row };

/** The tables with rows to remove: their number, and their first and last day or instant. */
function findRows(
  warehouse: Warehouse,
  channel: number,
  removed: Removal['removed'],
): Promise<Found[]> {
  return warehouse.read([channel], limits, async (ask) => {
    const found: Found[] = [];
    for (const { table: name, removed: condition = 'false', parameters } of removed) {
      const table = facts.find((one) => one.name === name)!;
      // Instants have their dates in the channel's zone.
      const times = table.instant ?? table.day ?? 'NULL';
      const body = questionFile<Row>(import.meta.url, 'removedRows.sql', {
        table: name,
        times,
        removed: condition,
      });
      const [row] = await ask(body, { ...parameters, channel });
      if ((row!.found as number) > 0) found.push({ table, row: row! });
    }
    return found;
  });
}

function summaryOf(found: readonly Found[], timezone: string): Omit<FactsRemoved, 'dryRun'> {
  const byDataset = new Map<string, { rows: number; days: number[] }>();
  for (const { table, row } of found) {
    const dataset = datasetOf(table.name);
    if (dataset === undefined) continue;
    const sum = byDataset.get(dataset) ?? { rows: 0, days: [] };
    sum.rows += row.found as number;
    for (const time of [row.first, row.last]) {
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

/**
 * The condition, with its parameters, that a row of a table lies in a range of the zone's dates.
 */
export function isInRange(
  { name, day, instant }: FactTable,
  { first, last, from, until }: Readonly<Record<'first' | 'last' | 'from' | 'until', number>>,
): { readonly removed: string; readonly parameters: Readonly<Record<string, number>> } {
  if (name === 'finance_claim')
    return {
      removed: 'from_at >= {from:Int64} AND to_at < {until:Int64}',
      parameters: { from, until },
    };
  if (instant === undefined)
    return {
      removed: `${day} >= {first:Date} AND ${day} <= {last:Date}`,
      parameters: { first, last },
    };
  // A local day lies within three UTC days.
  return {
    removed: `${day} >= {first:Date} AND ${day} <= {last:Date}
      AND ${instant} >= {from:Int64} AND ${instant} < {until:Int64}`,
    parameters: { first: first - 1, last: last + 1, from, until },
  };
}
