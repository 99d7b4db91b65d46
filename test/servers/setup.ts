import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { level } from '../level.ts';
import { runFolderVariable } from './pool.ts';
import { temporaryRoot } from './process.ts';
import { addressVariables, type SharedServers, startSharedServers } from './shared.ts';

/** The folder and servers that the processes of a fast run share. */
let folder: string | undefined;
let servers: SharedServers | undefined;

/** Starts one server of each kind for all test files; the test runner calls it before the first of them. */
export async function globalSetup(): Promise<void> {
  // Threads that read imports start twice as fast with compiled code.
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
    new URL('../../node_modules/.cache/vitrine', import.meta.url),
  );
  if (level === 'fast') {
    folder = await mkdtemp(join(await temporaryRoot(), 'vitrine-run-'));
    process.env[runFolderVariable] = folder;
    return;
  }
  servers = await startSharedServers();
  // The runner gives its environment to the process of every test file that it starts after this.
  process.env[addressVariables.clickhouse] = servers.clickhouseUrl;
  process.env[addressVariables.postgres] = servers.postgresUrl;
  // Inside the folder of a server, so it disappears with it even where this process is killed.
  const shared = join(servers.directory, 'run');
  await mkdir(shared);
  process.env[runFolderVariable] = shared;
}

/** Stops them after the last test file, whether the tests passed or not. */
export async function globalTeardown(): Promise<void> {
  await servers?.stop();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
}
