/** Starts and reuses the threads that read documents, and sends them bytes. */
import { extname } from 'node:path';
import { type MessagePort, Worker } from 'node:worker_threads';
import { isDiskFull, StoreUnavailable } from '../engine/errors.ts';

/**
 * A large young generation: most rows are short-lived, and should not be copied by the garbage
 * collector.
 */
const youngGenerationMegabytes = 64;
/** The number of pieces of a document that may wait for the thread. */
const piecesAhead = 8;
const idleThreadsMax = 2;
const idleMilliseconds = 30_000;
/** A thread that takes more memory is ended, which frees its memory. */
const idleBytesMax = 64 * 2 ** 20;

/** The module of the thread. The npm package has JavaScript in place of TypeScript. */
const moduleUrl = new URL(`./thread${extname(import.meta.url)}`, import.meta.url);

/** Idle threads, each with the timer that ends it. */
const idle = new Map<Worker, NodeJS.Timeout>();

/** Takes an idle thread, or starts one with this memory limit. */
export function takeThread(memoryMegabytes: number): Worker {
  for (const [thread, timer] of idle) {
    clearTimeout(timer);
    idle.delete(thread);
    thread.removeAllListeners();
    thread.ref();
    return thread;
  }
  return new Worker(moduleUrl, {
    resourceLimits: {
      maxYoungGenerationSizeMb: youngGenerationMegabytes,
      maxOldGenerationSizeMb: memoryMegabytes,
    },
  });
}

/**
 * Returns a thread for the next document, because starting one takes longer than reading a small
 * document. Ends it if it takes much memory, or if it did not finish its document and has no
 * `bytes`.
 */
export async function releaseThread(thread: Worker, bytes: number | undefined): Promise<void> {
  if (bytes !== undefined && bytes <= idleBytesMax) makeIdle(thread);
  else await thread.terminate();
}

function makeIdle(thread: Worker): void {
  // Removed only now, because a thread that is ending still needs an error listener.
  thread.removeAllListeners();
  if (idle.size >= idleThreadsMax) {
    void thread.terminate();
    return;
  }
  const end = () => {
    clearTimeout(timer);
    idle.delete(thread);
    void thread.terminate();
  };
  const timer = setTimeout(end, idleMilliseconds);
  timer.unref();
  thread.unref();
  thread.once('error', end).once('exit', end);
  idle.set(thread, timer);
}

/**
 * Sends the bytes of a document to a thread, which confirms each piece, as fast as it takes them. A
 * piece is copied before the next one is read.
 */
export async function sendBytes(
  body: AsyncIterable<Buffer>,
  port: MessagePort,
  signal: AbortSignal,
): Promise<void> {
  let unconfirmed = 0;
  let resume = () => {};
  port.on('message', () => {
    unconfirmed--;
    resume();
  });
  signal.addEventListener('abort', () => resume());
  for await (const piece of body) {
    port.postMessage(piece);
    unconfirmed++;
    while (unconfirmed >= piecesAhead && !signal.aborted)
      await new Promise<void>((resolve) => {
        resume = resolve;
      });
    signal.throwIfAborted();
  }
  port.postMessage(null);
}

/** A thread failed or ended before it had read its document. */
export class ThreadFailed extends Error {
  /** Whether it ran out of memory. */
  readonly isOutOfMemory: boolean;
  /** The failure and its place in the code. Its message may repeat parts of the document. */
  readonly place: string;
  constructor(isOutOfMemory: boolean, place: string) {
    super('the thread that reads a document failed');
    this.isOutOfMemory = isOutOfMemory;
    this.place = place;
  }
}

/** Calls `reject` when the thread fails or ends. */
export function failWith(thread: Worker, reject: (error: unknown) => void): void {
  thread.on('error', (error: NodeJS.ErrnoException) => {
    const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
    const place = [error.name, ...frames].join('\n');
    reject(
      isDiskFull(error)
        ? new StoreUnavailable('warehouse', error)
        : new ThreadFailed(error.code === 'ERR_WORKER_OUT_OF_MEMORY', place),
    );
  });
  thread.on('exit', (code) => reject(new ThreadFailed(false, `it ended with code ${code}`)));
}
