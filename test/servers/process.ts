import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { textBeside } from '../table.ts';

/** A folder for a server's files, and whether it is ours to remove when the server stops. */
export type DataFolder = { path: string; temporary: boolean };

/** Uses the given folder, or makes a temporary one that disappears with its server. */
export async function dataFolder(given: string | undefined, prefix: string): Promise<DataFolder> {
  if (given !== undefined) return { path: given, temporary: false };
  return { path: await mkdtemp(join(await temporaryRoot(), prefix)), temporary: true };
}

/** Ample on a slow machine. */
const startMilliseconds = 15 * 60_000;
/** A server that takes longer to end in good order is killed. */
const stopMilliseconds = 5 * 60_000;
const memoryRoot = '/dev/shm';
const memoryBytesMin = 4 * 1024 ** 3;

/**
 * The parent of temporary folders: in memory if there is plenty, because every import waits for the
 * disk many times. Crash tests choose their own folders. VITRINE_TEST_TEMPORARY names another.
 */
export async function temporaryRoot(): Promise<string> {
  const given = process.env.VITRINE_TEST_TEMPORARY;
  if (given !== undefined) return given;
  const free = await statfs(memoryRoot).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return free < memoryBytesMin ? tmpdir() : memoryRoot;
}

/** Finds loopback ports that are free at this moment. */
export async function freePorts(count: number): Promise<number[]> {
  // All of them are held open together, or the kernel could hand out the same one twice.
  const listeners = await Promise.all(
    Array.from({ length: count }, async () => {
      const listener = createServer().listen(0, '127.0.0.1');
      await once(listener, 'listening');
      return listener;
    }),
  );
  const ports = listeners.map((listener) => (listener.address() as { port: number }).port);
  await Promise.all(listeners.map((listener) => new Promise((resolve) => listener.close(resolve))));
  return ports;
}

/** The command that starts a server process. */
export type ServerCommand = {
  command: string;
  arguments: string[];
  folder: DataFolder;
  /** The signal that ends it in good order. */
  stopSignal: NodeJS.Signals;
  /** The signal that the guard sends when this process is gone. */
  orphanSignal: NodeJS.Signals;
  environment?: NodeJS.ProcessEnv;
  user?: { readonly uid: number; readonly gid: number };
  /** Resolves when the server answers; it is given all that the server has said so far, and when it said it. */
  ready: (output: () => string, signal: AbortSignal) => Promise<void>;
};

/** A running server process. */
export type ServerProcess = { pid: number; stop(): Promise<void>; kill(): Promise<void> };

/**
 * The guard is a shell that waits for the end of its input, which comes when this process ends in
 * any way; a SIGKILL runs no exit hook. It then ends the process named by the last line it read; an
 * empty line names none.
 */
const guardScript = textBeside(import.meta.url, 'guard.sh');

/** Starts a server that answers when this returns, holds up no exit of this process and does not outlive it. */
export async function startServerProcess(server: ServerCommand): Promise<ServerProcess> {
  const { folder } = server;
  // The guard goes first, so that there is no moment at which the server runs without one.
  const orphanSignal = server.orphanSignal.replace('SIG', '');
  const words = ['-c', guardScript, 'guard', folder.temporary ? folder.path : '', orphanSignal];
  const guard = spawn('sh', words, { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  unreference(guard);
  // In a group of its own, the server survives a Ctrl-C in the terminal until the tests stop it.
  const child = spawn(server.command, server.arguments, {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
    // Its user may not enter the folder that this process works in.
    cwd: folder.path,
    env: { ...process.env, ...server.environment },
    ...server.user,
  });
  guard.stdin.on('error', () => {});
  guard.stdin.write(`${child.pid ?? ''}\n`);

  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-20_000);
  });
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      output += error.message;
      resolve();
    });
    child.once('exit', () => resolve());
  }).then(() => {
    guard.stdin.write('\n');
  });

  const end = async (signal: NodeJS.Signals): Promise<void> => {
    // A process that is waited for must hold the event loop, or the wait would end the program.
    child.ref();
    child.kill(signal);
    const timer = setTimeout(() => child.kill('SIGKILL'), stopMilliseconds);
    await ended;
    clearTimeout(timer);
  };

  const stop = async (): Promise<void> => {
    await end(server.stopSignal);
    if (folder.temporary) await rm(folder.path, { recursive: true, force: true });
    guard.stdin.end();
  };

  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(), startMilliseconds);
  try {
    await Promise.race([
      server.ready(() => output, waiting.signal),
      ended.then(() => Promise.reject(new Error('it ended while it was starting'))),
    ]);
  } catch (error) {
    waiting.abort();
    await stop();
    const why = `${(error as Error).message}\n${output.trim()}`;
    throw new Error(`${server.command} did not start: ${why}`);
  } finally {
    clearTimeout(timer);
  }
  unreference(child);
  return { pid: child.pid!, stop, kill: () => end('SIGKILL') };
}

/** Starts a server on the given port, or on one that was free a moment ago; tries others when somebody was quicker. */
export async function onPort<T>(given: number | undefined, start: (port: number) => Promise<T>) {
  if (given !== undefined) return start(given);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start((await freePorts(1))[0]!);
    } catch (error) {
      if (attempt === 3 || !/address already in use/i.test(String(error))) throw error;
    }
  }
}

/** Whether a process is still running; a zombie is not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

function unreference(child: ChildProcess): void {
  child.unref();
  for (const stream of child.stdio)
    (stream as ((Readable | Writable) & { unref?(): void }) | null)?.unref?.();
}
