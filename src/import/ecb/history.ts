/** The European Central Bank's history of reference rates: the shipped snapshot, and the newest. */
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

/** The address of the history. */
export const historyAddress = 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip';
/** The history is smaller than 1 MB, so a much larger download is something else. */
export const historyBytesMax = 64 * 1024 * 1024;
/** The snapshot that ships with the service. */
export const snapshot = new URL('eurofxref-hist.zip', import.meta.url);

const downloadMilliseconds = 120_000;

/** Downloads the history; rejects, or the stream fails, if that takes more than two minutes. */
export async function downloadHistory(
  signal: AbortSignal,
  address = historyAddress,
): Promise<Readable> {
  const response = await fetch(address, {
    signal: AbortSignal.any([signal, AbortSignal.timeout(downloadMilliseconds)]),
    redirect: 'manual',
  });
  if (!response.ok || response.body === null)
    throw new Error(`${address} answered ${response.status}`);
  return Readable.from(limited(response.body as ReadableStream<Uint8Array>));
}

async function* limited(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const part of parts) {
    bytes += part.length;
    if (bytes > historyBytesMax)
      throw new Error(`${historyAddress} is too large to be the history of rates`);
    yield part;
  }
}
