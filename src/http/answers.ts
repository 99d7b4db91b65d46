/** Bounds the answers that clients have not read yet: their memory, and how many a key may have. */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '../access/attempts.ts';
import { Refusal } from '../contract/refusal.ts';
import { SharedBudget } from '../engine/sharedBudget.ts';

/** Smaller answers fit into the buffers of the system. */
const countedBytesMin = 16_384;
/** Memory of a stream, and of the compression of an answer. */
const streamBytes = 65_536;
const compressionBytes = 262_144;

const retrySeconds = 1;

/** Who a request counts for: its key, or the network that it comes from. */
export function clientOf({ caller, ip }: FastifyRequest): string {
  return caller === null ? networkOf(ip) : `key:${caller.budget}`;
}

/**
 * Bounds the memory of all answers that are on their way. Beyond `bytesMax` the oldest answer of
 * the client with the most is cut off.
 */
export function boundAnswers(server: FastifyInstance, bytesMax: number): void {
  const budget = new SharedBudget(bytesMax);
  server.addHook('onSend', (request, reply, payload, done) => {
    const bytes = bytesOf(payload);
    if (bytes >= countedBytesMin) {
      const charge = budget.begin(clientOf(request), () => request.raw.socket.destroy());
      whenFinished(reply, charge.release);
      const isCompressed = request.headers['accept-encoding'] !== undefined;
      charge.add(isCompressed ? bytes + compressionBytes : bytes);
    }
    done();
  });
}

/** An answer in memory that is sent part by part, so that other work has its turn in between. */
export class AnswerInParts extends Readable {
  readonly bytes: number;
  readonly #parts: Iterator<Buffer>;

  constructor(parts: readonly Buffer[], bytes: number) {
    super();
    this.bytes = bytes;
    this.#parts = parts.values();
  }

  override _read(): void {
    this.push(this.#parts.next().value ?? null);
  }
}

function bytesOf(payload: unknown): number {
  if (payload instanceof AnswerInParts) return payload.bytes;
  if (typeof payload === 'string') return Buffer.byteLength(payload);
  if (payload instanceof Uint8Array) return payload.byteLength;
  return payload === null || payload === undefined ? 0 : streamBytes;
}

/** Limits the requests of a key that are unfinished at the same time; throws 429 to refuse one. */
export function limitUnfinished(
  max: number,
): (request: FastifyRequest, reply: FastifyReply) => void {
  const counts = new Map<string, number>();
  return (request, reply) => {
    const client = clientOf(request);
    const count = counts.get(client) ?? 0;
    if (count >= max)
      throw new Refusal(
        429,
        `the key has ${max} unfinished requests: read their answers or try again in ${retrySeconds} s`,
        { 'retry-after': String(retrySeconds) },
      );
    counts.set(client, count + 1);
    whenFinished(reply, () => {
      const left = counts.get(client)! - 1;
      if (left > 0) counts.set(client, left);
      else counts.delete(client);
    });
  };
}

/** Calls back once the answer has gone, or its connection. */
function whenFinished({ raw }: FastifyReply, callback: () => void): void {
  const finish = () => {
    raw.removeListener('finish', finish).removeListener('close', finish);
    callback();
  };
  raw.once('finish', finish).once('close', finish);
}
