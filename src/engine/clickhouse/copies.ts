/** Copies of facts into the served warehouse. */
import { facts, factTable, factTables } from '../../../schema/warehouse/tables.ts';
import { type FactsRange, isInRange } from '../copies.ts';
import type { Client } from './client.ts';
import { columnTypes, undatedColumns } from './schema.ts';
import type { Shards } from './shards.ts';
import { dayOf } from './staged.ts';
import { dateOf } from './vocabulary.ts';

/** The version of a channel that holds all its copied facts. */
const copiedVersion = 1;

/**
 * Replaces the rows of a range by the rows of a file, unless there are `rows` already. Each server
 * gets the rows of the channels whose home it becomes.
 */
export async function copyIn(
  shards: Shards,
  range: FactsRange,
  rows: number,
  file: string,
): Promise<void> {
  const table = factTable(range.table);
  const isInside = isInRange(range, table.day !== null, dateOf);
  const found = await shards.onAll((client) =>
    client.rows(`SELECT count() AS found FROM all_${table.name} WHERE ${isInside}`),
  );
  if (found.reduce((sum, [row]) => sum + (row!.found as number), 0) === rows) return;
  const columns = Object.entries({
    channel: 'Int32',
    import_id: 'Int64',
    ...table.columns,
  } as const)
    .map(([column, type]) => `${column} ${columnTypes[type]}`)
    .join(', ');
  const undated = undatedColumns(table.name).join(', ');
  await shards.onAll(async (client) => {
    await client.delete(`all_${table.name}`, isInside);
    await client.load(
      `INSERT INTO all_${table.name} (channel, day, version, import_id, ${undated})
       SELECT channel, ${dayOf(table)}, ${copiedVersion}, import_id, ${undated}
       FROM input('${columns}') WHERE ${shards.isHome(client)} FORMAT Parquet`,
      file,
    );
  });
}

/** Makes a channel's copied facts visible, and notes the imports that brought them. */
export async function showCopied(
  client: Client,
  channel: number,
  imports: readonly number[],
): Promise<void> {
  const [known] = await client.rows(
    `SELECT 1 FROM channel_version WHERE channel = ${channel} AND state = 'committed' LIMIT 1`,
  );
  if (known !== undefined) return;
  const days = facts.map(
    ({ name }) =>
      `SELECT DISTINCT channel, '${name}' AS fact, day, ${copiedVersion} AS version
       FROM all_${name} WHERE channel = ${channel}`,
  );
  await client.run(
    `INSERT INTO visible_day (channel, fact, day, version) ${days.join(' UNION ALL ')}`,
  );
  const tables = factTables.map(({ name }) => `'${name}'`).join(', ');
  if (imports.length > 0)
    await client.run(
      `INSERT INTO committed_import (import_id) VALUES ${imports.map((one) => `(${one})`).join(', ')}`,
    );
  await client.run(
    `INSERT INTO channel_version (channel, version, import_id, state, tables)
     VALUES (${channel}, ${copiedVersion}, 0, 'committed', [${tables}])`,
  );
}
