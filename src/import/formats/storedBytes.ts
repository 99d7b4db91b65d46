/** Stores the bytes of a document that is not read from start to end. */
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { freeBytes } from '../bytes.ts';
import { DocumentTooLarge } from '../refused.ts';

/** The maximum number of bytes in memory. */
const memoryBytesMax = 1024 * 1024;

/** The bytes of a document: in memory, or in a file if there are many. */
export class StoredBytes {
  readonly #path: string;
  readonly #bytesMax: number;
  readonly #tooLarge: string;
  #inMemory: Buffer[] = [];
  #descriptor: number | undefined;
  #read: Buffer = Buffer.alloc(0);
  /** The number of bytes. */
  length = 0;

  /** More than `bytesMax` are refused, with the text `tooLarge`. */
  constructor(path: string, bytesMax: number, tooLarge: string) {
    this.#path = path;
    this.#bytesMax = bytesMax;
    this.#tooLarge = tooLarge;
  }

  /** Adds the next bytes, and may free their memory. */
  add(piece: Buffer): void {
    this.length += piece.length;
    if (this.length > this.#bytesMax) throw new DocumentTooLarge(this.#tooLarge);
    this.#inMemory.push(piece);
    if (this.#descriptor === undefined) {
      if (this.length <= memoryBytesMax) return;
      this.#descriptor = openSync(this.#path, 'wx+', 0o600);
      // The open file stays until it is closed, even if the process ends.
      rmSync(this.#path);
    }
    for (const bytes of this.#inMemory.splice(0)) {
      for (let written = 0; written < bytes.length; )
        written += writeSync(this.#descriptor, bytes, written);
      freeBytes(bytes);
    }
  }

  /** The bytes from `start` to `end`, which last until the next call. */
  read(start: number, end: number): Buffer {
    if (this.#descriptor === undefined) return Buffer.concat(this.#inMemory).subarray(start, end);
    if (this.#read.length < end - start) this.#read = Buffer.allocUnsafeSlow(end - start);
    const bytes = this.#read.subarray(0, end - start);
    for (let read = 0; read < bytes.length; )
      read += readSync(this.#descriptor, bytes, read, bytes.length - read, start + read);
    return bytes;
  }

  /** Removes the bytes. */
  close(): void {
    this.#inMemory = [];
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}
