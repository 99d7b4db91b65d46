/**
 * The registry's migrations, in the order in which they run. Names sort in that order. A released
 * migration never changes; the next change is a new migration.
 */
import { type Kysely, sql } from 'kysely';
import { type MigrationProvider, Migrator } from 'kysely/migration';
import { createAudit } from './0001/audit.ts';
import { createChannels } from './0001/channels.ts';
import { createImports } from './0001/imports.ts';
import { createJobs, createRequests } from './0001/jobs.ts';
import { createOrganisations } from './0001/organisations.ts';
import { createReportChannels } from './0002/reportChannels.ts';
import { addReportFormats } from './0003/reportFormats.ts';
import { addUserNames } from './0004/userNames.ts';
import { addImportDocuments } from './0005/importDocuments.ts';
import { createWebhooks } from './0006/webhooks.ts';
import { createSchedules } from './0007/schedules.ts';
import { addImportReading } from './0008/importReading.ts';
import { createNamedCodes } from './0009/namedCodes.ts';
import { addTaxes } from './0010/taxes.ts';
import { addImportReadings } from './0011/importReadings.ts';
import { addWithdrawals } from './0012/withdrawals.ts';
import { addJobTurns } from './0013/jobTurns.ts';
import { createMail } from './0014/mail.ts';
import { allowChosenNumbers } from './0015/chosenNumbers.ts';
import { addSmallKeys } from './0016/smallKeys.ts';
import { type Engine, type TableBuilder, tableBuilder } from './columns.ts';

const migrations: Readonly<Record<string, (builder: TableBuilder) => Promise<void>>> = {
  async '0001-first'(builder) {
    await createOrganisations(builder);
    await createChannels(builder);
    await createImports(builder);
    await createJobs(builder);
    await createRequests(builder);
    await createAudit(builder);
  },
  '0002-report-channels': createReportChannels,
  '0003-report-formats': addReportFormats,
  '0004-user-names': addUserNames,
  '0005-import-documents': addImportDocuments,
  '0006-webhooks': createWebhooks,
  '0007-schedules': createSchedules,
  '0008-import-reading': addImportReading,
  '0009-named-codes': createNamedCodes,
  '0010-taxes': addTaxes,
  '0011-import-readings': addImportReadings,
  '0012-withdrawals': addWithdrawals,
  '0013-job-turns': addJobTurns,
  '0014-mail': createMail,
  '0015-chosen-numbers': allowChosenNumbers,
  '0016-small-keys': addSmallKeys,
};
const versionTable = 'schema_version';

/** Migrates the registry to the newest version in one transaction. Nodes wait for each other. */
export async function migrateRecords<Tables>(store: Kysely<Tables>, engine: Engine): Promise<void> {
  const provider: MigrationProvider = {
    getMigrations: async () =>
      Object.fromEntries(
        Object.entries(migrations).map(([name, migrate]) => [
          name,
          { up: (transaction: Kysely<unknown>) => migrate(tableBuilder(transaction, engine)) },
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

/**
 * The newest migration that the registry has (0 for none), and the newest that this program has.
 */
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
