/** Reads the document of an import in a thread, and has its requests answered. */
import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import { RequestAbandoned } from '../engine/errors.ts';
import type {
  Message,
  Outcome,
  ReadingEnd,
  ReadingTask,
  RefusedDocument,
  Reply,
  Request,
  StartReading,
} from './messages.ts';
import { failWith, releaseThread, sendBytes, takeThread } from './threads.ts';

const progressMilliseconds = 1000;
/** How often to compare the time of a thread with its limit. */
const watchMilliseconds = 500;
const microseconds = 1_000_000;
/** For documents larger than this, the time limit grows with their size. */
const timedBytes = 10 * 2 ** 20;

/** How an import serves the thread that reads its document. */
export type Serving = {
  readonly answer: (request: Request) => Promise<Reply>;
  /** Takes the number of rows read so far, at most once a second. */
  readonly progress: (rowsRead: number) => Promise<void>;
  /** The error for a document that is refused as a whole. */
  readonly refusal: (refused: RefusedDocument) => Promise<Error>;
  /** Aborted when the document is no longer wanted. */
  readonly signal?: AbortSignal | undefined;
  /** The time and the processor time for reading 10 MB; more may take proportionally longer. */
  readonly seconds: number;
  readonly processorSeconds: number;
};

/**
 * If the heap is full, the parser ends the process, not the thread. So the thread gets more memory
 * than the limit for documents.
 */
const heapFactor = 1.5;

/** Reads a document in a thread. */
export async function readInThread(
  body: AsyncIterable<Buffer>,
  task: ReadingTask,
  serving: Serving,
): Promise<Outcome> {
  const thread = takeThread(heapFactor * task.megabytesMax);
  const messages = new MessageChannel();
  const bytes = new MessageChannel();
  const start: StartReading = { task, messages: messages.port2, bytes: bytes.port2 };
  thread.postMessage(start, [messages.port2, bytes.port2]);
  const finished = new AbortController();
  let end: ReadingEnd | undefined;
  try {
    end = await new Promise<ReadingEnd>((resolve, reject) => {
      const counted = new CountedBytes(body);
      // The thread may finish before the last byte; then the rest is not needed.
      sendBytes(counted, bytes.port1, finished.signal).catch((error: unknown) => {
        if (!finished.signal.aborted) reject(error);
      });
      serve(messages.port1, serving, resolve, reject);
      watch(thread, counted, serving, finished.signal, reject);
      failWith(thread, reject);
    });
  } finally {
    finished.abort();
    messages.port1.close();
    bytes.port1.close();
    await releaseThread(thread, end?.bytes);
  }
  if (end.type === 'refused') throw await serving.refusal(end);
  return end.outcome;
}

/** The bytes of a document, and the number so far. */
class CountedBytes implements AsyncIterable<Buffer> {
  readonly #body: AsyncIterable<Buffer>;
  count = 0;

  constructor(body: AsyncIterable<Buffer>) {
    this.#body = body;
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Buffer> {
    for await (const piece of this.#body) {
      this.count += piece.length;
      yield piece;
    }
  }
}

/** Calls `reject` when the document is no longer wanted, or takes more time than allowed. */
function watch(
  thread: Worker,
  bytes: CountedBytes,
  { signal, seconds, processorSeconds, refusal }: Serving,
  finished: AbortSignal,
  reject: (error: unknown) => void,
): void {
  const abandon = () => reject(new RequestAbandoned());
  const slow = (limit: string) => {
    const reason = `reading the document takes ${limit}`;
    void refusal({ type: 'refused', reason, isTooLarge: false }).then(reject, reject);
  };
  const begun = performance.now();
  const allowed = (limit: number) => limit * Math.max(1, bytes.count / timedBytes);
  // A newly started thread has no usage yet.
  const before = thread.cpuUsage().catch(() => ({ user: 0, system: 0 }));
  const checkProcessor = async () => {
    const { user, system } = await thread.cpuUsage(await before);
    const most = allowed(processorSeconds);
    if ((user + system) / microseconds > most)
      slow(`more than ${Math.round(most)} s of processor time: split it by dates`);
  };
  const timer = setInterval(() => {
    const most = allowed(seconds);
    if (performance.now() - begun > most * 1000)
      slow(`longer than ${Math.round(most)} s: split it by dates or try again later`);
    // The usage of a thread that has ended cannot be read.
    else checkProcessor().catch(() => undefined);
  }, watchMilliseconds);
  finished.addEventListener('abort', () => {
    clearInterval(timer);
    signal?.removeEventListener('abort', abandon);
  });
  signal?.addEventListener('abort', abandon);
  if (signal?.aborted) abandon();
}

/** Has the thread's requests answered one after another, until it is done. */
function serve(
  port: MessagePort,
  { answer, progress }: Serving,
  resolve: (end: ReadingEnd) => void,
  reject: (error: unknown) => void,
): void {
  let work = Promise.resolve();
  let progressAt = 0;
  port.on('message', (message: Message) => {
    if (message.type === 'progress') {
      if (Date.now() - progressAt < progressMilliseconds) return;
      progressAt = Date.now();
      progress(message.rowsRead).catch(reject);
    } else if (message.type === 'done' || message.type === 'refused') {
      work.then(() => resolve(message), reject);
    } else {
      // Portions are read at the same time, and answers follow in order.
      const begun = message.type === 'plain' ? answer(message) : undefined;
      begun?.catch(reject);
      work = work.then(async () => port.postMessage(await (begun ?? answer(message))));
      work.catch(reject);
    }
  });
}
