/**
 * The registry's migrations in the order in which they run. A migration that has been released is never changed: the next
 * one follows it. Names sort as they run.
 */
import { type Kysely, sql } from 'kysely';
import { type MigrationProvider, Migrator } from 'kysely/migration';
import { createRecords } from './0001-records.ts';
import { createAccess } from './0002-access.ts';
import { createJobs } from './0003-jobs.ts';
import { createReports } from './0004-reports.ts';
import { createAccounts } from './0005-accounts.ts';
import type { Engine } from './words.ts';

const migrations = {
  '0001-records': createRecords,
  '0002-access': createAccess,
  '0003-jobs': createJobs,
  '0004-reports': createReports,
  '0005-accounts': createAccounts,
};
const versionTable = 'schema_version';

/** Brings the registry up to the newest version, in one transaction; nodes that call it at once wait for one another. */
export async function migrateRecords<Tables>(store: Kysely<Tables>, engine: Engine): Promise<void> {
  const provider: MigrationProvider = {
    getMigrations: async () =>
      Object.fromEntries(
        Object.entries(migrations).map(([name, create]) => [
          name,
          { up: (transaction: Kysely<unknown>) => create(transaction, engine) },
        ]),
      ),
  };
  const migrator = new Migrator({
    db: store,
    provider,
    migrationTableName: versionTable,
    migrationLockTableName: 'schema_version_lock',
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}

/** The number of the newest migration that the registry holds, 0 for none, and of the newest that this program knows. */
export async function schemaOf<Tables>(
  store: Kysely<Tables>,
): Promise<{ held: number; newest: number }> {
  const { rows } = await sql<{
    held: string | null;
  }>`SELECT max(name) AS held FROM ${sql.table(versionTable)}`.execute(store);
  return {
    held: numberOf(rows[0]?.held ?? ''),
    newest: Math.max(...Object.keys(migrations).map(numberOf)),
  };
}

function numberOf(migration: string): number {
  return Number(/^\d+/.exec(migration)?.[0] ?? 0);
}
