/** Sends one delivery: a POST that follows no redirect and reads little of the answer. */
import type { LookupAddress } from 'node:dns';
import { request as requestByHttp } from 'node:http';
import { request as requestByHttps } from 'node:https';
import type { Clock } from '../engine/clock.ts';
import { type GuardedLookup, pinned } from './networks.ts';

/** The time limit for the whole exchange, until the answer has been read. */
export const sendMilliseconds = 10_000;
const answerBytesMax = 64 * 1024;

/** A request to send. */
export type Posted = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** The answer to a delivery. */
export type Received = {
  readonly status: number;
  /** The header retry-after, if the answer has it. */
  readonly retryAfter: string | undefined;
};

/** Sends a request and waits for the status of the answer. Rejects if there is none in time. */
export async function post(
  posted: Posted,
  lookup: GuardedLookup,
  clock: Pick<Clock, 'after'>,
  signal: AbortSignal,
): Promise<Received> {
  const late = new AbortController();
  const timer = clock.after(sendMilliseconds, () => late.abort());
  const stopped = AbortSignal.any([signal, late.signal]);
  try {
    const addresses = await Promise.race([lookup(new URL(posted.url).hostname), rejects(stopped)]);
    return await exchange(posted, addresses, stopped);
  } catch (error) {
    if (late.signal.aborted) throw new Error(`no answer within ${sendMilliseconds / 1000} s`);
    throw error;
  } finally {
    timer.cancel();
  }
}

/** Rejects as soon as the signal is aborted. */
function rejects(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function exchange(
  { url, headers, body }: Posted,
  addresses: readonly LookupAddress[],
  signal: AbortSignal,
): Promise<Received> {
  const send = url.startsWith('https:') ? requestByHttps : requestByHttp;
  return new Promise((resolve, reject) => {
    const request = send(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      // Each delivery has its own connection, to an address that was just checked.
      agent: false,
      lookup: pinned(addresses),
      signal,
    });
    request.on('error', reject);
    request.on('response', (response) => {
      const { statusCode: status = 0, headers: answered } = response;
      const end = () => resolve({ status, retryAfter: answered['retry-after'] });
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= answerBytesMax) return;
        end();
        request.destroy();
      });
      response.on('end', end);
      response.on('error', reject);
    });
    request.end(body);
  });
}
