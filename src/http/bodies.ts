/** Bodies of requests: JSON, or a stream for uploads. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../contract/refusal.ts';
import type { Upload } from '../endpoints/handler.ts';
import { RequestAbandoned } from '../engine/errors.ts';
import { SharedBudget } from '../engine/sharedBudget.ts';
import { clientOf } from './answers.ts';
import { BufferPool } from './bufferPool.ts';

/** The largest JSON body. */
export const bodyBytesMax = 1_048_576;
/** The largest body of the account pages, ample for passwords however they are escaped. */
export const accountBodyBytesMax = 8_192;

const firstBytes = 1_024;
const none: Buffer = Buffer.alloc(0);
const retrySeconds = 5;

/**
 * Accepts JSON and nothing else. Bodies that have not arrived yet may hold `bytesMax` of memory in
 * all; beyond that the oldest of the client with the most is refused.
 */
export function acceptJson(server: FastifyInstance, bytesMax: number): void {
  const reading = { budget: new SharedBudget(bytesMax), buffers: new BufferPool() };
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', (request, body, done) => {
    readBody(request, body, reading).then((value) => done(null, value), done);
  });
}

function parse(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw new Refusal(400, 'the body is not valid UTF-8');
  try {
    return JSON.parse(bytes.toString());
  } catch {
    // The message of the parser repeats parts of the body.
    throw new Refusal(400, 'the body is not valid JSON');
  }
}

/** The memory that all bodies share. */
type Reading = { readonly budget: SharedBudget; readonly buffers: BufferPool };

/**
 * Reads a body into one buffer, so that one of many small pieces takes no more memory than its
 * bytes.
 */
function readBody(
  request: FastifyRequest,
  body: IncomingMessage,
  { budget, buffers }: Reading,
): Promise<unknown> {
  const limit = request.routeOptions.bodyLimit;
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const charge = budget.begin(clientOf(request), () => end(tooMuchWaits()));
  let store = none;
  let length = 0;
  const take = (piece: Buffer) => {
    const wanted = length + piece.length;
    if (wanted > limit) return end(tooLarge(limit));
    if (wanted > store.length) {
      const larger = buffers.take(Math.max(wanted, firstBytes));
      store.copy(larger, 0, 0, length);
      const growth = larger.length - store.length;
      buffers.release(store);
      store = larger;
      charge.add(growth);
    }
    piece.copy(store, length);
    length = wanted;
  };
  const finish = () => end();
  const fail = () => end(new RequestAbandoned());
  const end = (refusal?: Error) => {
    body.off('data', take).off('end', finish).off('error', fail);
    charge.release();
    try {
      if (refusal === undefined) return resolve(parse(store.subarray(0, length)));
    } catch (error) {
      return reject(error);
    } finally {
      buffers.release(store);
      store = none;
    }
    // The rest is discarded.
    body.on('error', () => {}).resume();
    reject(refusal);
  };
  body.on('data', take).on('end', finish).on('error', fail);
  if (Number(request.headers['content-length']) > limit) end(tooLarge(limit));
  return promise;
}

function tooLarge(limit: number): Refusal {
  const size = limit < bodyBytesMax ? `${limit / 1_024} KiB` : `${limit / bodyBytesMax} MiB`;
  return new Refusal(413, `the body must not be larger than ${size}`);
}

function tooMuchWaits(): Refusal {
  return new Refusal(
    503,
    `the service waits for too many bodies at the moment: try again in ${retrySeconds} s`,
    { 'retry-after': String(retrySeconds) },
  );
}

/** Leaves bodies of every media type as streams; `pace` is called before one is read. */
export function acceptStreams(
  server: FastifyInstance,
  pace: (request: IncomingMessage) => void,
): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (request, body, done) => {
    pace(request.raw);
    done(null, body);
  });
}

/** The streamed body of a request; once the signal is aborted, its client has left. */
export function uploadOf(request: FastifyRequest, signal: AbortSignal): Upload {
  const header = request.headers['content-type'] ?? '';
  return {
    body: request.body instanceof Readable ? request.body : Readable.from([]),
    signal,
    mediaType: header.split(';')[0]!.trim().toLowerCase(),
    charset: /;\s*charset="?([\w.:-]+)"?/i.exec(header)?.[1],
  };
}
