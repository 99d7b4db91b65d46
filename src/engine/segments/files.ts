/**
 * Segments as files in a folder that nothing else uses. They are derived from the facts, so any of
 * them may be deleted at any moment. A file is written under a temporary name, synced and renamed:
 * after a crash it is whole or not there.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Meter } from '../../observation/meter.ts';

const temporarySuffix = '.tmp';
/** The least room that a file takes on a disk. */
const blockBytes = 4_096;
/** Files that are written at the same time; more are not written, and are made again later. */
const writesMax = 64;

/** Files up to `bytesMax` bytes; the least recently used go first. */
export class SegmentFiles {
  readonly #folder: string;
  readonly #bytesMax: number;
  readonly #meter: Meter;
  /** The room of each file by name, the least recently used first. */
  readonly #sizes = new Map<string, number>();
  readonly #writes = new Map<string, Promise<void>>();
  #scanned: Promise<void> | undefined;
  #bytes = 0;

  constructor(folder: string, bytesMax: number, meter: Meter) {
    this.#folder = folder;
    this.#bytesMax = bytesMax;
    this.#meter = meter;
    meter.gauge('vitrine_segment_bytes', () => [[{}, this.#bytes]]);
  }

  /** Makes the folder, finds the files in it, and removes unfinished ones. */
  async scan(): Promise<void> {
    this.#scanned = this.#scan().catch(() =>
      this.#meter.add('vitrine_segment_errors_total', { of: 'read' }),
    );
    await this.#scanned;
  }

  async #scan(): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const names = await readdir(this.#folder);
    for (const name of names.filter((one) => one.endsWith(temporarySuffix)))
      await rm(join(this.#folder, name), { force: true });
    const found = await Promise.all(
      names
        .filter((name) => !name.endsWith(temporarySuffix) && !this.#sizes.has(name))
        .map(async (name) => {
          const { size, mtimeMs } = await stat(join(this.#folder, name));
          return { name, size, mtimeMs };
        }),
    );
    for (const { name, size } of found.sort((one, other) => one.mtimeMs - other.mtimeMs))
      if (!this.#sizes.has(name)) this.#use(name, size);
    await this.#evict();
  }

  /** The bytes of a file in a buffer of their own; undefined if there is none. */
  read(name: string): Buffer | undefined {
    let file: number;
    try {
      file = openSync(join(this.#folder, name), 'r');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        this.#meter.add('vitrine_segment_errors_total', { of: 'read' });
      return undefined;
    }
    try {
      const { size } = fstatSync(file);
      const bytes = Buffer.allocUnsafeSlow(size);
      const length = readSync(file, bytes, 0, size, 0);
      this.#use(name, size);
      return length === size ? bytes : undefined;
    } catch {
      this.#meter.add('vitrine_segment_errors_total', { of: 'read' });
      return undefined;
    } finally {
      closeSync(file);
    }
  }

  /** Writes a file in the background. If that fails it is counted, and a later read finds none. */
  write(name: string, bytes: Buffer): void {
    if (this.#writes.has(name) || this.#writes.size >= writesMax || bytes.length > this.#bytesMax)
      return;
    const written = this.#write(name, bytes)
      .catch(() => this.#meter.add('vitrine_segment_errors_total', { of: 'write' }))
      .finally(() => this.#writes.delete(name));
    this.#writes.set(name, written);
  }

  /** Removes a file, because it is damaged. */
  remove(name: string): void {
    this.#meter.add('vitrine_segment_errors_total', { of: 'damaged' });
    this.#forget(name);
    void rm(join(this.#folder, name), { force: true }).catch(() => undefined);
  }

  /** Deletes the files whose names begin so. */
  async delete(prefix: string): Promise<void> {
    const names = new Set([...this.#sizes.keys(), ...this.#writes.keys()]);
    for (const name of [...names].filter((one) => one.startsWith(prefix))) {
      await this.#writes.get(name);
      this.#forget(name);
      await rm(join(this.#folder, name), { force: true });
    }
  }

  /** Resolves once everything has been written. */
  async settle(): Promise<void> {
    await Promise.all(this.#writes.values());
  }

  async #write(name: string, bytes: Buffer): Promise<void> {
    // Before that, the folder may not exist.
    await this.#scanned;
    const temporary = join(this.#folder, `${crypto.randomUUID()}${temporarySuffix}`);
    try {
      const file = await open(temporary, 'wx', 0o600);
      try {
        await file.writeFile(bytes);
        await file.datasync();
      } finally {
        await file.close();
      }
      await rename(temporary, join(this.#folder, name));
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => undefined);
      throw error;
    }
    this.#use(name, bytes.length);
    await this.#evict();
  }

  #use(name: string, size: number): void {
    this.#forget(name);
    const room = Math.ceil(size / blockBytes) * blockBytes;
    this.#sizes.set(name, room);
    this.#bytes += room;
  }

  #forget(name: string): void {
    this.#bytes -= this.#sizes.get(name) ?? 0;
    this.#sizes.delete(name);
  }

  async #evict(): Promise<void> {
    for (const [name] of this.#sizes) {
      if (this.#bytes <= this.#bytesMax) return;
      this.#forget(name);
      await rm(join(this.#folder, name), { force: true });
    }
  }
}
