/** Fills a registry with the records of a backup, and compares the two afterwards. */
import { createHash } from 'node:crypto';
import {
  insertCopies,
  numberedTables,
  type RecordTable,
  recordTableNames,
} from '../engine/recordCopies.ts';
import type { Registry } from '../engine/registry.ts';
import type { CheckedBackup } from './format.ts';
import { recordsOf } from './read.ts';

/** The tables that the first start of a service fills. */
export const tablesOfStart: readonly RecordTable[] = ['installation', 'installationKey'];

/** Inserts all records in one transaction. */
export async function restoreRecords(backup: CheckedBackup, registry: Registry): Promise<void> {
  const { installationId, numbers } = backup.manifest;
  await registry.records.transaction().execute(async (transaction) => {
    for (const table of tablesOfStart) await transaction.deleteFrom(table).execute();
    for (const table of recordTableNames)
      for await (const rows of recordsOf(backup, table))
        await insertCopies(registry.engine, transaction, table, rows);
    await transaction
      .insertInto('installation')
      .values({ rowNumber: 1, installationId })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
  for (const table of numberedTables)
    if (numbers[table]) await registry.raiseNumber(table, numbers[table]);
}

/** The first table whose records differ from those of a backup; undefined if there is none. */
export async function compareRecords(
  backup: CheckedBackup,
  registry: Registry,
): Promise<RecordTable | undefined> {
  return await registry.snapshot(async (stored) => {
    for (const table of recordTableNames) {
      // The record of the installation may have been created together with the backup.
      if (table === 'installation') continue;
      const expected = await sumOf(recordsOf(backup, table));
      if ((await sumOf(stored.rows(table))) !== expected) return table;
    }
    return undefined;
  });
}

/** The number of rows and the sum of their digests, which does not depend on their order. */
async function sumOf(portions: AsyncIterable<readonly object[]>): Promise<string> {
  let [count, sum] = [0, 0n];
  for await (const rows of portions)
    for (const row of rows) {
      const columns = Object.entries(row).sort(([one], [other]) => (one < other ? -1 : 1));
      const digest = createHash('sha256').update(JSON.stringify(columns)).digest('hex');
      [count, sum] = [count + 1, BigInt.asUintN(256, sum + BigInt(`0x${digest}`))];
    }
  return `${count} ${sum}`;
}
