import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { unpackPackages } from './debian.ts';
import { dataFolder, onPort, startServerProcess } from './process.ts';

/** A Redis server that runs for the tests and writes nothing to disk. */
export type RedisServer = {
  /** redis://127.0.0.1:port. */
  url: string;
  port: number;
  pid: number;
  /** Ends it in good order. */
  stop(): Promise<void>;
  /** Ends it by SIGKILL. */
  kill(): Promise<void>;
};

const cache = new URL('../../node_modules/.cache/vitrine/', import.meta.url);
const installed = fileURLToPath(new URL('redis', cache));
/** Debian's packages of the server and of the libraries that few machines have. */
const packages = ['redis-server', 'redis-tools', 'liblzf1', 'libjemalloc2', 'libatomic1'];

/** Starts a Redis server on a free loopback port, or on the given one. The first call of a machine without Redis fetches it. */
export async function startRedis(options: { port?: number } = {}): Promise<RedisServer> {
  const program = await findProgram();
  const start = async (port: number): Promise<RedisServer> => {
    const folder = await dataFolder(undefined, 'vitrine-redis-');
    const settings = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', ''];
    const server = await startServerProcess({
      // It says on standard output why it does not start, and only the other one is read.
      command: 'sh',
      arguments: ['-c', 'exec "$@" >&2', 'sh', program.path, ...settings, '--dir', folder.path],
      folder,
      environment: program.environment,
      stopSignal: 'SIGTERM',
      orphanSignal: 'SIGKILL',
      ready: async (_output, signal) => {
        while (!(await answers(port))) await delay(10, undefined, { signal });
      },
    });
    return { url: `redis://127.0.0.1:${port}`, port, ...server };
  };
  return onPort(options.port, start);
}

type Program = { path: string; environment: NodeJS.ProcessEnv };

async function findProgram(): Promise<Program> {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, 'redis-server');
    if (folder !== '' && existsSync(path)) return { path, environment: {} };
  }
  await install();
  const libraries = join(installed, 'usr', 'lib');
  const folders = (await readdir(libraries)).map((name) => join(libraries, name)).join(delimiter);
  const path = join(installed, 'usr', 'bin', 'redis-server');
  return { path, environment: { LD_LIBRARY_PATH: folders } };
}

/** Takes it from Debian's packages, which need not be installed for that. */
async function install(): Promise<void> {
  try {
    await unpackPackages(installed, packages);
  } catch (cause) {
    const advice = 'install Redis so that it is on the PATH. Fetching it from Debian failed.';
    throw new Error(`This test needs redis-server: ${advice}`, { cause });
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket.once('data', (data) => {
      resolve(data.toString().startsWith('+PONG'));
      socket.destroy();
    });
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
}
