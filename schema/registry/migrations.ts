/**
 * The registry's migrations in the order in which they run. A migration that has been released is never changed: the next
 * one follows it. Names sort as they run.
 */
import type { Kysely } from 'kysely';
import { type MigrationProvider, Migrator } from 'kysely/migration';
import { createRecords } from './0001-records.ts';
import { createAccess } from './0002-access.ts';
import type { Engine } from './words.ts';

/** Brings the registry up to the newest version, in one transaction; nodes that call it at once wait for one another. */
export async function migrateRecords<Tables>(store: Kysely<Tables>, engine: Engine): Promise<void> {
  const provider: MigrationProvider = {
    getMigrations: async () => ({
      '0001-records': { up: (transaction: Kysely<unknown>) => createRecords(transaction, engine) },
      '0002-access': { up: (transaction: Kysely<unknown>) => createAccess(transaction, engine) },
    }),
  };
  const migrator = new Migrator({
    db: store,
    provider,
    migrationTableName: 'schema_version',
    migrationLockTableName: 'schema_version_lock',
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}
