/**
 * Fills an empty installation from a backup made with either pair of stores. It may stop at any
 * moment and be repeated: until it is complete, a mark in the stores prevents the service from
 * starting.
 */
import { openedKey } from '../access/installationKey.ts';
import { isUnfinished, unfinishedMark } from '../engine/pairing.ts';
import { recordTableNames } from '../engine/recordCopies.ts';
import type { InstallationKeyRecord, Registry } from '../engine/registry.ts';
import type { Warehouse } from '../engine/warehouse.ts';
import type { FileStore } from '../files/store.ts';
import { BackupRefusal, type CheckedBackup, type Manifest } from './format.ts';
import { checkCode } from './manifest.ts';
import { recordsOf } from './read.ts';
import { type ComparedTotal, compareTotals, isEqual, restoreFacts } from './restoreFacts.ts';
import { compareRecords, restoreRecords, tablesOfStart } from './restoreRecords.ts';
import { restoreReport } from './restoreReports.ts';

/** The stores to fill. */
export type Target = {
  readonly registry: Registry;
  readonly warehouse: Warehouse;
  readonly files: FileStore;
  /** The secrets that may open the installation. */
  readonly secrets: readonly string[];
  readonly onProgress: (line: string) => void;
};

/**
 * Fills the stores, and returns the totals of all facts. Throws BackupRefusal before any change.
 */
export async function restore(backup: CheckedBackup, target: Target): Promise<ComparedTotal[]> {
  const { manifest } = backup;
  const { registry, warehouse, onProgress } = target;
  await checkSchema(manifest, target);
  await checkSecret(backup, target);
  const mark = unfinishedMark(manifest.backupId);
  if (await isOwnUnfinished(manifest, target)) onProgress('going on where it was interrupted');
  else {
    await checkEmpty(target);
    await warehouse.setInstallation(mark);
  }
  await restoreFacts(backup, warehouse, onProgress);
  for (const report of manifest.reports) await restoreReport(backup, target.files, report);
  const hasRecords = (await isFilled(registry)) && (await isOf(manifest, registry));
  if (!hasRecords) await restoreRecords(backup, registry);
  const otherRecords = await compareRecords(backup, registry);
  if (otherRecords !== undefined) throw differing(`records of ${otherRecords}`);
  const compared = await compareTotals(backup, warehouse);
  const wrong = compared.find((one) => !isEqual(one));
  if (wrong !== undefined) throw differing(`facts of ${wrong.table}`);
  await warehouse.setInstallation(manifest.installationId);
  return compared;
}

function differing(copies: string): BackupRefusal {
  return new BackupRefusal(
    `The ${copies} are not those of the backup, so the restore has not ended: ` +
      'empty the stores and run it again.',
  );
}

async function checkSchema({ schema }: Manifest, { registry, warehouse }: Target): Promise<void> {
  const stores = [
    ['registry', schema.registry, (await registry.checkHealth()).schema.newest],
    ['warehouse', schema.warehouse, (await warehouse.checkHealth()).schema.newest],
  ] as const;
  for (const [store, made, newest] of stores)
    if (made !== newest)
      throw new BackupRefusal(
        `The backup has schema version ${made} of the ${store} and this program has ${newest}: ` +
          'restore it with the release that made it, then upgrade.',
      );
}

/** Checks that a secret opens the key of the backup, and that the manifest was written under it. */
async function checkSecret(backup: CheckedBackup, { secrets }: Target): Promise<void> {
  // Altered records hold no key, or one that does not open.
  const key = await keyOf(backup, secrets).catch(() => undefined);
  if (key !== undefined) return checkCode(backup, key);
  throw new BackupRefusal(
    'The secret is not that of the backup, so nothing was changed: put the file "secret" of the ' +
      'former data folder into the new one, or set VITRINE_SECRET to what it was.',
  );
}

async function keyOf(
  backup: CheckedBackup,
  secrets: readonly string[],
): Promise<string | undefined> {
  const known: InstallationKeyRecord[] = [];
  for await (const rows of recordsOf(backup, 'installationKey')) known.push(...rows);
  return openedKey(known, secrets);
}

/** Whether the stores hold an unfinished restore of this backup. */
async function isOwnUnfinished(
  manifest: Manifest,
  { registry, warehouse }: Target,
): Promise<boolean> {
  const mark = await warehouse.readMark();
  if (mark.installationId !== unfinishedMark(manifest.backupId)) return false;
  return (await isOf(manifest, registry)) || !(await isFilled(registry));
}

async function checkEmpty({ registry, warehouse }: Target): Promise<void> {
  const { installationId, lastImport } = await warehouse.readMark();
  if (isUnfinished(installationId))
    throw new BackupRefusal(
      'The stores hold an unfinished restore or move of another backup, so nothing was changed: ' +
        'finish that one, or empty both stores.',
    );
  if (lastImport > 0 || (await isFilled(registry)))
    throw new BackupRefusal(
      'The stores are not empty, so nothing was changed: restore into a new data folder or into ' +
        'new databases.',
    );
}

async function isFilled({ records }: Registry): Promise<boolean> {
  for (const table of recordTableNames.filter((name) => !tablesOfStart.includes(name))) {
    const found = await records
      .selectFrom(table)
      .select(({ lit }) => lit(1).as('found'))
      .limit(1)
      .executeTakeFirst();
    if (found !== undefined) return true;
  }
  return false;
}

/** Whether the records belong to the installation of a backup. */
async function isOf({ installationId }: Manifest, { records }: Registry): Promise<boolean> {
  const found = await records
    .selectFrom('installation')
    .select('installationId')
    .executeTakeFirst();
  return found?.installationId === installationId;
}
