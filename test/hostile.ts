/**
 * Opens thousands of hostile connections to a service in its own process, kind after kind, and
 * prints its memory and how long another client waits meanwhile.
 * `node test/hostile.ts [connections=4000] [seconds=20] [kind]`
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { defaultLimits } from '../src/config.ts';
import { makeCustomer, type Service, startService } from './service.ts';

const file = fileURLToPath(import.meta.url);
const program = fileURLToPath(new URL('../src/cli/vitrine.ts', import.meta.url));
const { config } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { config: { heap: string } };

/** As many as a single address may have, nearly. */
const addressConnections = 250;
const tickMilliseconds = 50;
/** From the last opening to the measurement. */
const settleMilliseconds = 3_000;
/** Connections opened in a tick: at first, and again after the service has closed them. */
const openedPerTick = 15;
const reopenedPerTick = 1;
/** As many bytes of incomplete bodies as a service holds. */
const bodyBytesMax = defaultLimits.bodyMegabytes * 1_000_000;
/** The number of ticks between the pieces of a dripping body. */
const dripTicks = 100;

type Attack = {
  /** The text that a connection sends when it opens. */
  readonly opening: (key: string) => string;
  /** The text that it adds every few seconds. */
  readonly drip?: string;
  readonly reads: boolean;
  /** Connections opened in a tick, where each brings a megabyte. */
  readonly perTick?: number;
};

const host = 'host: vitrine.test\r\n';
const json = 'content-type: application/json\r\nsec-fetch-site: same-origin\r\n';
const signIn = `POST /account/session HTTP/1.1\r\n${host}${json}`;
const requestText = (path: string, key = '') =>
  `GET ${path} HTTP/1.1\r\n${host}accept-encoding: gzip\r\n${key && `x-api-key: ${key}\r\n`}\r\n`;

/** The kinds of hostile connections. */
export const attacks: Readonly<Record<string, Attack>> = {
  'half headers': {
    opening: () => `GET / HTTP/1.1\r\n${host}x-filler: ${'x'.repeat(12_000)}`,
    reads: true,
  },
  'half bodies of 1.04 MB': {
    opening: () => `${signIn}content-length: 1048000\r\n\r\n{"email":"${'x'.repeat(1_040_000)}`,
    reads: true,
    perTick: 2,
  },
  'half bodies of 8 kB': {
    opening: () => `${signIn}content-length: 8192\r\n\r\n{"email":"${'x'.repeat(8_000)}`,
    reads: true,
  },
  'dripping bodies in chunks of a byte': {
    opening: () => `${signIn}transfer-encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(200)}`,
    drip: '1\r\nx\r\n',
    reads: true,
  },
  'half bodies with a key': {
    opening: (key) =>
      `POST /channels HTTP/1.1\r\n${host}x-api-key: ${key}\r\n${json}content-length: 1048000\r\n\r\n{"x":"${'x'.repeat(1_040_000)}`,
    reads: true,
    perTick: 2,
  },
  idle: { opening: () => '', reads: true },
  pipelined: { opening: () => requestText('/healthz').repeat(20), reads: true },
  'never reading': { opening: () => requestText('/openapi.json').repeat(9), reads: false },
  'never reading with a key': {
    opening: (key) => requestText('/customGroups', key) + requestText('/openapi.json').repeat(8),
    reads: false,
  },
};

/** Holds hostile connections open until the process ends; those that are closed are opened anew. */
async function attack(name: string, port: number, count: number, key: string): Promise<void> {
  const { opening, drip, reads, perTick = openedPerTick } = attacks[name]!;
  const text = opening(key);
  const open = new Map<number, Socket>();
  const closed: number[] = [];
  const begin = (index: number): void => {
    const address = Math.floor(index / addressConnections) + 1;
    const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.1.${address}` });
    open.set(index, socket);
    socket
      .on('error', () => {})
      .on('close', () => {
        open.delete(index);
        closed.push(index);
      });
    if (reads) socket.resume();
    else socket.pause();
    socket.write(text);
  };
  let next = 0;
  for (let tick = 0; ; tick++) {
    for (let opened = 0; opened < perTick && next < count; opened++) begin(next++);
    for (const index of closed.splice(0, reopenedPerTick)) begin(index);
    if (drip !== undefined && tick % dripTicks === 0)
      for (const socket of open.values()) socket.write(drip);
    process.send!(open.size);
    await wait(tickMilliseconds);
  }
}

/** Resident memory of a process, in MiB. */
function memoryOf(pid: number): number {
  const kibibytes = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]);
  return Math.round(kibibytes / 1_024);
}

/** How long a client waits, in milliseconds. */
export type Waits = {
  /** The waits, the shortest first. */
  readonly sorted: readonly number[];
  readonly p50: number;
  readonly p99: number;
  readonly failed: number;
};

/** The wait that a share of the sorted ones does not exceed, in tenths of a millisecond. */
function quantile(sorted: readonly number[], share: number): number {
  return Math.round(sorted[Math.floor(sorted.length * share)]! * 10) / 10;
}

/** How long a client with a key of its own waits. */
export async function measureWaits({ address }: Service, key: string, seconds: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (): Promise<number | undefined> =>
    new Promise((resolve) => {
      const headers = { 'x-api-key': key, 'content-length': 0 };
      const asking = request(`${address}/channels`, { method: 'POST', agent, headers }, (answer) =>
        answer.resume().on('end', () => resolve(answer.statusCode)),
      );
      asking.on('error', () => resolve(undefined)).end();
    });
  const took: number[] = [];
  let failed = 0;
  const end = performance.now() + seconds * 1_000;
  while (performance.now() < end) {
    const begun = performance.now();
    if ((await ask()) !== 200) failed++;
    took.push(performance.now() - begun);
    await wait(5);
  }
  agent.destroy();
  const sorted = took.sort((a, b) => a - b);
  return { sorted, p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99), failed };
}

/** How long it takes until all connections of an attack are open. */
export function openingMilliseconds(name: string, count: number): number {
  const { perTick = openedPerTick } = attacks[name]!;
  return (count / perTick) * tickMilliseconds + settleMilliseconds;
}

/** Starts a process that attacks a service and reports how many connections are open. */
export function startAttack(
  name: string,
  { address }: Pick<Service, 'address'>,
  count: number,
  key: string,
): ChildProcess {
  return fork(file, ['attack', name, new URL(address).port, `${count}`, key]);
}

/**
 * A server that reads all, holds no more than a service may and answers nothing. Beyond that it
 * closes the oldest connection, as the service does, so its clients come back as often: attacks on
 * it cost what the attacker costs.
 */
export type Sink = Pick<Service, 'address'> & { stop(): void };

/** Starts a sink in a process of its own. */
export async function startSink(): Promise<Sink> {
  const child = fork(file, ['sink']);
  const [port] = await once(child, 'message');
  return { address: `http://127.0.0.1:${port}`, stop: () => void child.kill('SIGKILL') };
}

function sink(): void {
  const open = new Set<Socket>();
  let held = 0;
  const server = createServer((socket) => {
    open.add(socket);
    socket
      .on('error', () => {})
      .on('close', () => {
        open.delete(socket);
        held -= socket.bytesRead;
      })
      .on('data', ({ length }) => {
        held += length;
        const [oldest] = open;
        if (held > bodyBytesMax) oldest?.destroy();
      });
  });
  server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
}

async function run(count: number, seconds: number, kind?: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-hostile-'));
  try {
    for (const name of kind === undefined ? Object.keys(attacks) : [kind]) {
      const words = [...config.heap.split(' '), program, 'serve'];
      const service = await startService(join(folder, name.replaceAll(' ', '-')), {}, words);
      const { key } = await makeCustomer(service, 'own');
      const { key: hostileKey } = await makeCustomer(service, 'hostile');
      await measureWaits(service, key, 2);
      const quiet = await measureWaits(service, key, seconds / 2);
      const before = memoryOf(service.pid);
      let most = before;
      let held = 0;
      const child = startAttack(name, service, count, hostileKey);
      child.on('message', (open) => {
        held = Math.max(held, Number(open));
        most = Math.max(most, memoryOf(service.pid));
      });
      await wait(openingMilliseconds(name, count));
      const beside = await measureWaits(service, key, seconds);
      child.kill('SIGKILL');
      await once(child, 'exit');
      console.log(
        `${name}: ${held} connections, ${before} to ${most} MiB, p99 ${quiet.p99} to ${beside.p99} ms (p50 ${quiet.p50} to ${beside.p50}), ${beside.failed} failed`,
      );
      await service.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const [first = '4000', second = '20', ...rest] = process.argv.slice(2);
  if (first === 'attack') await attack(second, Number(rest[0]), Number(rest[1]), rest[2]!);
  else if (first === 'sink') sink();
  else await run(Number(first), Number(second), rest[0]);
}
