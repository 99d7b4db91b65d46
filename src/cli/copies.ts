/** Shared by `backup`, `restore`, `export` and `move`. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Option } from 'commander';
import type { CheckedBackup } from '../backup/format.ts';
import type { ComparedTotal } from '../backup/restoreFacts.ts';
import { type Several, severalOf, storedSecret, withSecretFiles } from '../config/secrets.ts';
import { type Config, readConfig } from '../config.ts';
import { dataFolder, Failure, isSet, open, refusal, type Service } from './service.ts';
import { countOf } from './table.ts';

/** In a folder that is being filled. */
const unfinishedName = '.unfinished';
/** Longer than a backup takes. */
const waitMilliseconds = 7 * 86_400_000;

/** Suppresses what a command says besides its result. */
export const quietOption = new Option('--quiet', 'print only the result, without messages');

/**
 * Unpacks what an operation of the service streams into a new folder. `last` is the file that makes
 * it whole. What an interrupted call has left in the folder is replaced.
 */
export async function receive(
  service: Service,
  [method, path]: readonly [method: string, path: string],
  folder: string,
  last: string,
): Promise<void> {
  await emptyFolder(folder);
  const response = await open(service, method, path, { waitMilliseconds });
  if (response.status !== 200)
    throw await refusal(response.status, await response.text(), service.address);
  const { unpack } = await import('../backup/read.ts');
  try {
    await unpack(response.body as unknown as AsyncIterable<Uint8Array>, folder, last);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    const { message, cause } = error as Error;
    throw new Failure(
      `Nothing was kept, because the copy broke off: ${(cause as Error)?.message ?? message}`,
      { cause: error },
    );
  }
  await rm(join(folder, unfinishedName));
}

/** Makes an empty folder. Refuses one with files in it, unless an interrupted call left them. */
async function emptyFolder(folder: string): Promise<void> {
  if (existsSync(join(folder, unfinishedName))) await rm(folder, { recursive: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0)
    throw new Failure(`${folder} is not empty: name a new folder.`);
  await writeFile(join(folder, unfinishedName), '');
}

/** Restores a checked backup into the stores that the environment names. */
export async function restoreHere(
  backup: CheckedBackup,
  onProgress: (line: string) => void,
): Promise<ComparedTotal[]> {
  // A new data folder would get a new secret, with which no backup opens.
  if (!['VITRINE_SECRET', 'DATABASE_URL', 'CLICKHOUSE_URL'].some(isSet)) secretsHere();
  return await restoreInto(backup, readConfig(process.env), onProgress);
}

/** The parts of the configuration that name the stores of a restore; embedded ones by default. */
type StoreNames = Pick<Config, 'dataFolder' | 'secrets'> &
  Partial<Pick<Config, 'databaseUrl' | 'clickhouseUrl' | 'reportStore' | 'limits'>>;

/** Restores a checked backup into stores. */
export async function restoreInto(
  backup: CheckedBackup,
  names: StoreNames,
  onProgress: (line: string) => void,
): Promise<ComparedTotal[]> {
  const [{ openRegistry, openWarehouse }, { openFiles }, { restore }] = await Promise.all([
    import('../main.ts'),
    import('../files/open.ts'),
    import('../backup/restore.ts'),
  ]);
  const none = { databaseUrl: undefined, clickhouseUrl: undefined, reportStore: undefined };
  const config = { ...none, ...names };
  const warehouse = await openWarehouse(config);
  try {
    const registry = await openRegistry(config);
    try {
      await Promise.all([registry.migrate(), warehouse.migrate()]);
      const files = await openFiles(config);
      return await restore(backup, {
        registry,
        warehouse,
        files,
        secrets: config.secrets,
        onProgress,
      });
    } finally {
      await registry.close();
    }
  } finally {
    await warehouse.close();
  }
}

/** The secrets of the environment or of the data folder; throws Failure where there is none. */
export function secretsHere(): Several {
  const given = severalOf(withSecretFiles(process.env).VITRINE_SECRET);
  if (given !== undefined) return given;
  const file = join(dataFolder(), 'secret');
  if (existsSync(file)) return storedSecret(dataFolder());
  throw new Failure(
    `There is no secret: put the file "secret" of the former data folder at ${file}, or set ` +
      'VITRINE_SECRET to what it was.',
  );
}

/** Runs work with a backup; a refusal ends the command with its message. */
export async function refusing<T>(work: () => Promise<T>): Promise<T> {
  const { BackupRefusal } = await import('../backup/format.ts');
  try {
    return await work();
  } catch (error) {
    throw error instanceof BackupRefusal ? new Failure(error.message) : error;
  }
}

/** The rows of all totals. */
export function rowsIn(totals: readonly ComparedTotal[]): string {
  return countOf(totals.reduce((sum, { expected }) => sum + (expected?.rows ?? 0), 0));
}

/** The absolute path of a folder that a command was given. */
export function folderOf(given: unknown): string {
  return resolve(String(given));
}
