/** Stores the documents that clients send until they have arrived completely. */
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { type FileHandle, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { isDiskFull, RequestAbandoned, StoreUnavailable } from '../engine/errors.ts';
import { freeBytes } from './bytes.ts';

/** A document of up to this many bytes stays in memory. */
const memoryBytesMax = 65_536;
/** The number of bytes to write to a file, or read from it, at once. */
const fileBytes = 262_144;
const bytesPerMegabyte = 2 ** 20;

/** The documents that wait on this node exceed their limit. */
export class SpoolFull extends Error {
  /** Whether this document alone exceeds it. */
  readonly isAlone: boolean;
  readonly megabytesMax: number;
  constructor(isAlone: boolean, megabytesMax: number) {
    super('documents that wait take too much room');
    this.isAlone = isAlone;
    this.megabytesMax = megabytesMax;
  }
}

/** The identity of a document's bytes: two documents with equal identities are the same. */
export type DocumentIdentity = {
  /** SHA-256, in hexadecimal digits. */
  readonly documentHash: string;
  readonly documentBytes: number;
};

/** Removes the remains of an import in the staging folder. */
export async function removeStagedFiles(folder: string, importId: number): Promise<void> {
  for (const file of await readdir(folder).catch(() => []))
    if (file.startsWith(`import-${importId}-`)) rmSync(join(folder, file), { force: true });
}

/** Identifies bytes that come piece by piece. */
class Identifier {
  readonly #hash = createHash('sha256');
  #bytes = 0;

  add(piece: Uint8Array): void {
    this.#hash.update(piece);
    this.#bytes += piece.length;
  }

  /** The identity of all pieces; call once. */
  end(): DocumentIdentity {
    return { documentHash: this.#hash.digest('hex'), documentBytes: this.#bytes };
  }
}

/** A document that is read while it arrives. */
export function arriving(body: Readable): Arrived {
  let identity: DocumentIdentity | undefined;
  async function* pieces(): AsyncGenerator<Buffer> {
    const identifier = new Identifier();
    for await (const piece of body as AsyncIterable<Buffer | string>) {
      const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
      identifier.add(bytes);
      yield bytes;
    }
    identity = identifier.end();
  }
  return { body: pieces(), release: async () => {}, identity: () => identity };
}

/** A document that has arrived. */
export type Arrived = {
  /** Its bytes, piece by piece. A piece lasts until the next one is read. */
  readonly body: AsyncIterable<Buffer>;
  /** The identity of its bytes; undefined until all of them have arrived. */
  identity(): DocumentIdentity | undefined;
  /** Removes the document. */
  release(): Promise<void>;
};

/** The documents that have not been imported yet: small ones in memory, others in files. */
export class Spool {
  readonly #megabytesMax: number;
  #bytes = 0;

  /** `megabytesMax` limits all documents together. */
  constructor(megabytesMax: number) {
    this.#megabytesMax = megabytesMax;
  }

  /**
   * Takes a document; a large one goes to the file `path`. Throws SpoolFull if there is no room for
   * it, RequestAbandoned if its sender leaves, and StoreUnavailable if the disk is full; then
   * nothing of it stays.
   */
  async receive(body: Readable, path: string): Promise<Arrived> {
    const bytesMax = this.#megabytesMax * bytesPerMegabyte;
    const waiting = new WaitingDocument(path);
    const identifier = new Identifier();
    let bytes = 0;
    const release = async () => {
      this.#bytes -= bytes;
      bytes = 0;
      await waiting.remove();
    };
    try {
      for await (const chunk of body.iterator({ destroyOnReturn: false })) {
        this.#bytes += chunk.length;
        bytes += chunk.length;
        if (this.#bytes > bytesMax) throw new SpoolFull(bytes > bytesMax, this.#megabytesMax);
        identifier.add(chunk);
        await waiting.take(chunk);
      }
      await waiting.end();
      const identity = identifier.end();
      return { body: waiting.read(), release, identity: () => identity };
    } catch (error) {
      await release();
      if (body.destroyed && !(error instanceof SpoolFull)) throw new RequestAbandoned();
      throw isDiskFull(error) ? new StoreUnavailable('warehouse', error) : error;
    } finally {
      // The rest is read and dropped, so that the sender gets the answer and not a broken pipe.
      if (!body.destroyed) body.resume();
    }
  }
}

/** A document that arrives piece by piece. */
class WaitingDocument {
  readonly #path: string;
  #file: FileHandle | undefined;
  #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(path: string) {
    this.#path = path;
  }

  async take(piece: Buffer): Promise<void> {
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    if (this.#bytes > (this.#file === undefined ? memoryBytesMax : fileBytes)) await this.#write();
  }

  /** Takes the end. */
  async end(): Promise<void> {
    if (this.#file !== undefined) await this.#write();
  }

  /** The whole document. */
  async *read(): AsyncGenerator<Buffer> {
    if (this.#file === undefined) {
      yield* this.#pieces;
      return;
    }
    const buffer = Buffer.allocUnsafeSlow(fileBytes);
    for (let position = 0; ; ) {
      const { bytesRead } = await this.#file.read(buffer, 0, fileBytes, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  async remove(): Promise<void> {
    this.#pieces = [];
    if (this.#file === undefined) return;
    await this.#file.close();
    rmSync(this.#path, { force: true });
  }

  async #write(): Promise<void> {
    this.#file ??= await open(this.#path, 'wx+', 0o600);
    const bytes = Buffer.concat(this.#pieces);
    this.#pieces.forEach(freeBytes);
    this.#pieces = [];
    this.#bytes = 0;
    await this.#file.appendFile(bytes);
    freeBytes(bytes);
  }
}
