/** Reads the document of an import in a thread, and has its requests answered. */
import { MessageChannel, type MessagePort } from 'node:worker_threads';
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

/** How an import serves the thread that reads its document. */
export type Serving = {
  readonly answer: (request: Request) => Promise<Reply>;
  /** Takes the number of rows read so far, at most once a second. */
  readonly progress: (rowsRead: number) => Promise<void>;
  /** The error of a document that is refused as a whole. */
  readonly refusal: (refused: RefusedDocument) => Promise<Error>;
};

/**
 * The parser ends the process, not the thread, where the heap has no room. So the thread has more
 * than documents are weighed against.
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
      // The thread may finish before the last byte; then the rest is not needed.
      sendBytes(body, bytes.port1, finished.signal).catch((error: unknown) => {
        if (!finished.signal.aborted) reject(error);
      });
      serve(messages.port1, serving, resolve, reject);
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

/** Has the thread's requests answered one after the other, until it is done. */
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
      // Portions are read at the same time, and everything is answered in its turn.
      const begun = message.type === 'plain' ? answer(message) : undefined;
      begun?.catch(reject);
      work = work.then(async () => port.postMessage(await (begun ?? answer(message))));
      work.catch(reject);
    }
  });
}
