/** Compressed copies of texts that everybody may read, so that strangers cause no work. */
import type { FastifyReply } from 'fastify';
import { varyBy } from './headers.ts';

/** Compresses a text, or returns the copy made before. */
export type Packed = (
  name: string,
  /** Changes with the text. */
  version: string,
  read: () => string | Buffer | Promise<string | Buffer>,
) => Promise<Buffer>;

/** Caches the copy of the last version of each text. */
export function createPacked(): Packed {
  const copies = new Map<string, { readonly version: string; readonly copy: Promise<Buffer> }>();
  return (name, version, read) => {
    const known = copies.get(name);
    if (known?.version === version) return known.copy;
    const copy = Promise.resolve(read()).then(pack);
    copies.set(name, { version, copy });
    copy.catch(() => copies.delete(name));
    return copy;
  };
}

/** Sets the headers of a compressed copy and sends it. */
export function sendPacked(reply: FastifyReply, copy: Buffer): FastifyReply {
  return varyBy(reply, 'accept-encoding')
    .headers({ 'content-encoding': 'gzip', 'content-length': copy.length })
    .send(copy);
}

async function pack(text: string | Buffer): Promise<Buffer> {
  // Loaded with the first copy.
  const [{ gzip }, { promisify }] = await Promise.all([import('node:zlib'), import('node:util')]);
  return promisify(gzip)(text);
}
