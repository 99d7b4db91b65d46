/** The digests of files, each in its own file beside them. */
import { createHash } from 'node:crypto';
import { open, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StoreUnavailable } from '../engine/errors.ts';

const ending = '.sha256';

/** The path of a file's digest. */
export function digestPath(folder: string, name: string): string {
  return join(folder, `${name}${ending}`);
}

/** Whether a file is the digest of an existing file. */
export async function isDigest(folder: string, name: string): Promise<boolean> {
  if (!name.endsWith(ending)) return false;
  return (
    (await stat(join(folder, name.slice(0, -ending.length))).catch(() => undefined)) !== undefined
  );
}

/** Stores the digest of a file durably. */
export async function storeDigest(folder: string, name: string, digest: string): Promise<void> {
  const path = digestPath(folder, name);
  const draft = await open(`${path}.part`, 'w', 0o600);
  try {
    await draft.writeFile(`${digest}\n`);
    await draft.sync();
  } finally {
    await draft.close();
  }
  await rename(`${path}.part`, path);
}

/** The stored digest of a file; undefined for a file of an earlier release. */
export async function digestOf(folder: string, name: string): Promise<string | undefined> {
  const text = await readFile(digestPath(folder, name), 'latin1').catch(() => undefined);
  return text?.trimEnd();
}

/** The SHA-256 of bytes, in hexadecimal digits. */
export async function sumOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}

/** The bytes of a file; the last ones come only after the digest has been verified. */
export async function* compared(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  digest: string | undefined,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let last: Uint8Array | undefined;
  for await (const chunk of chunks) {
    hash.update(chunk);
    if (last !== undefined) yield last;
    last = chunk;
  }
  if (digest !== undefined && hash.digest('hex') !== digest) throw damaged(name);
  if (last !== undefined) yield last;
}

/** The error for a file that differs from what was written. */
export function damaged(name: string): StoreUnavailable {
  return new StoreUnavailable(
    'file store',
    new Error(`${name} is damaged: create the report anew`),
  );
}
