/** Reads the document of an import in a thread, and has its requests answered. */
import type { Readable } from 'node:stream';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { RequestAbandoned } from '../engine/errors.ts';
import type { Message, Outcome, ReadingTask, Reply, Request, StartReading } from './messages.ts';
import { failWith, keepThread, sendBytes, takeThread } from './threads.ts';

const progressMilliseconds = 1000;
/** A thread that has read more rows than this is ended, which frees its memory. */
const rowsOfKeptThreadMax = 20_000;

/** How an import serves the thread that reads its document. */
export type Serving = {
  readonly answer: (request: Request) => Promise<Reply>;
  /** Takes the number of rows read so far, at most once a second. */
  readonly progress: (rowsRead: number) => Promise<void>;
  /** The error of a document that is refused as a whole. */
  readonly refusal: (reason: string) => Error;
};

/** Reads a document in a thread that may use that much memory. */
export async function readInThread(
  body: Readable,
  task: ReadingTask,
  memoryMegabytes: number,
  serving: Serving,
): Promise<Outcome> {
  const thread = takeThread(memoryMegabytes);
  const messages = new MessageChannel();
  const bytes = new MessageChannel();
  const start: StartReading = { task, messages: messages.port2, bytes: bytes.port2 };
  thread.postMessage(start, [messages.port2, bytes.port2]);
  const finished = new AbortController();
  let outcome: Outcome | undefined;
  try {
    outcome = await new Promise<Outcome>((resolve, reject) => {
      // The thread may finish before the last byte; then the rest is not needed.
      sendBytes(body, bytes.port1, finished.signal).catch((error: unknown) => {
        if (!finished.signal.aborted) reject(body.destroyed ? new RequestAbandoned() : error);
      });
      serve(messages.port1, serving, resolve, reject);
      failWith(thread, reject);
    });
  } finally {
    finished.abort();
    messages.port1.close();
    bytes.port1.close();
    // Only a thread that has finished its document is certainly idle.
    if (outcome !== undefined && outcome.rowsRead <= rowsOfKeptThreadMax) keepThread(thread);
    else await thread.terminate();
  }
  return outcome;
}

/** Has the thread's requests answered one after the other, until it is done. */
function serve(
  port: MessagePort,
  { answer, progress, refusal }: Serving,
  resolve: (outcome: Outcome) => void,
  reject: (error: unknown) => void,
): void {
  let work = Promise.resolve();
  let progressAt = 0;
  port.on('message', (message: Message) => {
    if (message.type === 'progress') {
      if (Date.now() - progressAt < progressMilliseconds) return;
      progressAt = Date.now();
      progress(message.rowsRead).catch(reject);
    } else if (message.type === 'refused') {
      reject(refusal(message.reason));
    } else if (message.type === 'done') {
      work.then(() => resolve(message.outcome), reject);
    } else {
      work = work.then(async () => port.postMessage(await answer(message)));
      work.catch(reject);
    }
  });
}
