/** Sends documents and generates them on the way. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Service } from '../test/service.ts';

/** Imports a document and returns the status and the text of the answer, without a time limit. */
export async function upload(
  { address, authorization }: Pick<Service, 'address' | 'authorization'>,
  path: string,
  document: Iterable<string>,
  contentType = 'application/octet-stream',
): Promise<readonly [status: number | undefined, text: string]> {
  const sent = request(`${address}/operator/${path}`, {
    method: 'POST',
    headers: { authorization, 'content-type': contentType },
  });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  await pipeline(Readable.from(document), sent);
  const [response] = await answered;
  return [response.statusCode, (await response.setEncoding('utf8').toArray()).join('')];
}
