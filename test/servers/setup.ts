import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ClickHouseServer, startClickHouse } from './clickhouse.ts';
import { runFolderVariable } from './pool.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';
import { addressVariables } from './shared.ts';

let servers: [ClickHouseServer, PostgresServer] | undefined;

/** Starts one server of each kind for all test files; the test runner calls it before the first of them. */
export async function globalSetup(): Promise<void> {
  servers = await Promise.all([startClickHouse(), startPostgres()]);
  // The runner gives its environment to the process of every test file that it starts after this.
  process.env[addressVariables.clickhouse] = servers[0].url;
  process.env[addressVariables.postgres] = servers[1].url;
  // Inside the folder of a server, so it disappears with it even where this process is killed.
  const folder = join(servers[1].directory, 'run');
  await mkdir(folder);
  process.env[runFolderVariable] = folder;
  // Imports are read by threads, and a thread starts twice as fast with what another has compiled.
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
    new URL('../../node_modules/.cache/vitrine', import.meta.url),
  );
}

/** Stops them after the last test file, whether the tests passed or not. */
export async function globalTeardown(): Promise<void> {
  await Promise.all((servers ?? []).map((server) => server.stop()));
}
