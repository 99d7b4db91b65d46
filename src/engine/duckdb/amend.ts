/** Changes existing facts in one transaction, with their rollups. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { type Dependency, factTable } from '../../../schema/warehouse/tables.ts';
import { type Amendment, affectedDays, dependentDays } from '../amendment.ts';
import { question } from '../question.ts';
import { ordersFromDay } from '../rollup.ts';
import type { BatchKey } from '../warehouse.ts';
import { computeRollups, firstPurchase } from './rollups.ts';
import { stampTables } from './stamps.ts';
import { runStatement } from './statements.ts';

/**
 * Makes the changes within the connection's transaction; returns the number of removed rows per
 * table.
 */
export async function amendFacts(
  connection: DuckDBConnection,
  key: BatchKey,
  amendments: readonly Amendment[],
  timezone: string,
): Promise<Record<string, number>> {
  const { channel } = key;
  const firstBefore = await firstPurchase(connection, channel);
  const byTable = new Map<string, readonly number[]>();
  const byDependency = new Map<Dependency, readonly number[]>();
  const rowsRemoved: Record<string, number> = {};
  // All rows are found before any is changed, because conditions may read several tables.
  for (const amendment of amendments) {
    const parameters = { ...amendment.parameters, channel };
    for (const [dependency, body] of dependentDays(amendment)) {
      const found = await runStatement(connection, body, parameters);
      byDependency.set(
        dependency,
        found.map((row) => row.day as number),
      );
    }
    const days = await runStatement(connection, affectedDays(amendment), parameters);
    rowsRemoved[amendment.table] = days.reduce((sum, row) => sum + (row.removed as number), 0);
    if (factTable(amendment.table).day !== null)
      byTable.set(
        amendment.table,
        days.map((row) => row.day as number),
      );
  }
  for (const amendment of amendments) await change(connection, channel, amendment);
  const ordersFrom = ordersFromDay(timezone, firstBefore);
  const changed = { byTable, byDependency };
  const computed = await computeRollups(connection, key, timezone, changed, ordersFrom);
  await stampTables(connection, channel, [...amendments.map(({ table }) => table), ...computed]);
  return rowsRemoved;
}

async function change(
  connection: DuckDBConnection,
  channel: number,
  { table, removed, changed, set = {}, parameters }: Amendment,
): Promise<void> {
  const run = (start: string, condition: string) =>
    runStatement(
      connection,
      question(`change of ${table}`, `${start} WHERE channel = {channel:Int32} AND (${condition})`),
      { ...parameters, channel },
    );
  if (removed !== undefined) await run(`DELETE FROM ${table}`, removed);
  const values = Object.entries(set).map(([column, value]) => `${column} = ${value}`);
  if (changed !== undefined) await run(`UPDATE ${table} SET ${values.join(', ')}`, changed);
}
