/** The thread that unpacks, checks and stages documents, one at a time. */
import { getHeapStatistics } from 'node:v8';
import { type MessagePort, parentPort } from 'node:worker_threads';
import { readContent } from './formats/content.ts';
import type { Connection, Message, ReadingTask, Reply, Request, StartReading } from './messages.ts';
import { DocumentRefused, DocumentTooLarge, OfOtherStore, printable } from './refused.ts';
import { ImportSession } from './session.ts';

parentPort!.on('message', ({ task, messages, bytes }: StartReading) =>
  read(task, messages, bytesOf(bytes)),
);

/** Reads a document and reports its outcome. Retains nothing of it afterwards. */
async function read(
  task: ReadingTask,
  messages: MessagePort,
  source: AsyncIterable<Buffer>,
): Promise<void> {
  const connection = connect(messages);
  const session = new ImportSession(task, connection, Math.floor(Date.now() / 1000));
  try {
    const recognised = await readContent(task, session, source);
    session.refuseUnlessReadable();
    await session.flushAll();
    connection.send({ type: 'done', outcome: session.outcome(recognised), bytes: bytesTaken() });
  } catch (error) {
    if (!(error instanceof DocumentRefused)) throw error;
    session.close();
    await session.flushRejections();
    connection.send({
      type: 'refused',
      reason: printable(error.message),
      isTooLarge: error instanceof DocumentTooLarge,
      ...(error instanceof OfOtherStore && { store: error.sign }),
      bytes: bytesTaken(),
    });
  } finally {
    messages.close();
  }
}

/** The memory of this thread: its heap, and the buffers outside it. */
function bytesTaken(): number {
  const { total_heap_size, external_memory } = getHeapStatistics();
  return total_heap_size + external_memory;
}

function connect(messages: MessagePort): Connection {
  const waiting: ((reply: Reply) => void)[] = [];
  messages.on('message', (reply: Reply) => waiting.shift()?.(reply));
  const send = (message: Message) => messages.postMessage(message);
  return {
    send,
    request: (request: Request) =>
      new Promise((resolve) => {
        waiting.push(resolve);
        send(request);
      }),
  };
}

/** The bytes of a document. Each chunk is confirmed, so that only a few are in transit. */
async function* bytesOf(port: MessagePort): AsyncGenerator<Buffer> {
  const chunks: (Uint8Array | null)[] = [];
  let wake = () => {};
  port.on('message', (chunk: Uint8Array | null) => {
    chunks.push(chunk);
    wake();
  });
  try {
    for (;;) {
      while (chunks.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const chunk = chunks.shift() as Uint8Array | null;
      if (chunk === null) return;
      port.postMessage(null);
      yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    }
  } finally {
    port.close();
  }
}
