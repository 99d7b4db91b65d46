/**
 * Migrated, empty stores for tests. Migrating costs more than most tests do, so databases are
 * emptied and reused, and embedded stores are copied from a folder that is migrated once per run.
 */
import { existsSync, rmSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { queryClickHouse } from './clickhouse.ts';
import { queryPostgres } from './postgres.ts';
import { temporaryRoot } from './process.ts';
import { type FreshStores, freshStores, onEachServer, sharedServers, storesOf } from './shared.ts';

/** The variable that names the folder shared by the processes of one run. */
export const runFolderVariable = 'VITRINE_TEST_FOLDER';

/** Databases on the shared servers. */
export type PooledStores = Omit<FreshStores, 'drop'> & {
  /** Empties them for the next test. */
  release(): Promise<void>;
};

let ownFolder: Promise<string> | undefined;

/** Takes migrated databases that no other test uses; `migrate` prepares new ones. */
export async function acquireStores(
  migrate: (stores: FreshStores) => Promise<void>,
): Promise<PooledStores> {
  const folder = join(await runFolder(), 'databases');
  const stores = (await takeFrom(folder)) ?? (await create(migrate));
  return {
    ...stores,
    async release() {
      const isEmpty = await empty(stores).catch(() => false);
      if (isEmpty) await writeFile(join(folder, stores.name), '');
      else await stores.drop();
    },
  };
}

/** Makes migrated embedded stores in an empty folder; `migrate` prepares the first ones of a run. */
export async function copyEmbeddedStores(
  dataFolder: string,
  migrate: (folder: string) => Promise<void>,
): Promise<void> {
  const run = await runFolder();
  const template = join(run, 'embedded');
  if (existsSync(template)) {
    await cp(template, dataFolder, { recursive: true });
    return;
  }
  const made = await mkdtemp(join(run, 'embedded-'));
  await migrate(made);
  await cp(made, dataFolder, { recursive: true });
  // Another process may have been quicker.
  await rename(made, template).catch(() => rm(made, { recursive: true }));
}

async function create(migrate: (stores: FreshStores) => Promise<void>): Promise<FreshStores> {
  const stores = await freshStores();
  try {
    await migrate(stores);
    return stores;
  } catch (error) {
    await stores.drop();
    throw error;
  }
}

/** The process that deletes the file has the databases of that name. */
async function takeFrom(folder: string): Promise<FreshStores | undefined> {
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) {
    const isTaken = await unlink(join(folder, name)).then(
      () => true,
      () => false,
    );
    if (isTaken) return storesOf(await sharedServers(), name);
  }
  return undefined;
}

/** Empties both databases; returns whether they are again as their migration left them. */
async function empty({ clickhouseUrl, postgresUrl, name }: FreshStores): Promise<boolean> {
  const [areEmpty] = await Promise.all([
    onEachServer(clickhouseUrl, (url) => emptyWarehouse(url, name)),
    queryPostgres(postgresUrl, emptyRegistry),
  ]);
  return areEmpty.every(Boolean);
}

async function emptyWarehouse(url: string, name: string): Promise<boolean> {
  const found = await queryClickHouse(
    url,
    `SELECT DISTINCT table FROM system.parts
     WHERE active AND database = '${name}' AND table <> 'warehouse_version'
     UNION ALL
     SELECT '${busy}' FROM system.processes
     WHERE current_database = '${name}' AND query_id <> queryID()`,
  );
  const tables = found.split('\n').filter(Boolean);
  if (tables.includes(busy)) return false;
  await Promise.all(tables.map((table) => queryClickHouse(url, `TRUNCATE TABLE ${table}`)));
  return true;
}

/** Stands for a statement that still runs and may yet write. */
const busy = '(busy)';

/**
 * As a replica the session obeys neither foreign keys nor the trigger that protects the audit log.
 */
const emptyRegistry = `
  SET session_replication_role = replica;
  DO $$
  DECLARE
    name text;
    is_filled boolean;
  BEGIN
    FOR name IN
      SELECT quote_ident(tablename) FROM pg_tables
      WHERE schemaname = 'public' AND tablename NOT LIKE 'schema_version%'
    LOOP
      EXECUTE 'SELECT EXISTS (SELECT FROM ' || name || ')' INTO is_filled;
      IF is_filled THEN EXECUTE 'DELETE FROM ' || name; END IF;
    END LOOP;
    PERFORM setval(format('%I.%I', schemaname, sequencename)::regclass, 1, false)
    FROM pg_sequences WHERE last_value IS NOT NULL;
  END $$`;

/** The folder of the run; a test file that runs alone has its own and removes it at its end. */
function runFolder(): Promise<string> {
  const given = process.env[runFolderVariable];
  if (given !== undefined) return Promise.resolve(given);
  ownFolder ??= temporaryRoot()
    .then((root) => mkdtemp(join(root, 'vitrine-run-')))
    .then((folder) => {
      process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
      return folder;
    });
  return ownFolder;
}
