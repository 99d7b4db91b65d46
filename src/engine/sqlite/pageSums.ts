/**
 * Checksums of the pages of a SQLite file, in a file beside it. SQLite has none itself, and answers
 * a changed byte of a value. The pages change only when the log is written into the file, which
 * happens here alone: the sums of those pages are compared before and computed again after it.
 */
import { closeSync, existsSync, fstatSync, readSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { framesOf, isLogDamaged } from './log.ts';
import { readSums, removeSums, writeSums } from './sumsFile.ts';

const pagesAtOnce = 256;
/** From this size on, the log is written into the file. */
const logBytesMax = 4_000_000;
const lookMilliseconds = 1_000;

/** The sums of a file that this process alone changes. */
export class PageSums {
  readonly #file: string;
  readonly #database: DatabaseSync;
  /** Open as long as the database: closing it earlier would end the locks of SQLite. */
  readonly #handle: number;
  readonly #pageBytes: number;
  readonly #timer: NodeJS.Timeout;
  /** By page, from the first. */
  #sums: number[] = [];
  #generation = 0;
  /** The size that the log may reach before it is written. */
  #logBytes = logBytesMax;
  #isDamaged: boolean;

  /**
   * `handle` is of the file, opened before the database was; `isDamaged` says whether its log was
   * found damaged then.
   */
  constructor(file: string, database: DatabaseSync, handle: number, isDamaged: boolean) {
    this.#file = file;
    this.#database = database;
    this.#handle = handle;
    // Otherwise SQLite itself writes the log into the file.
    database.exec('PRAGMA wal_autocheckpoint = 0');
    this.#pageBytes = numberOf(database, 'page_size');
    this.#isDamaged = isDamaged;
    this.#begin();
    this.#timer = setInterval(() => this.#look(), lookMilliseconds);
    this.#timer.unref();
  }

  /** Whether damage was found, also by an earlier process: it stays until the sums are removed. */
  get isDamaged(): boolean {
    return this.#isDamaged;
  }

  /** Compares every page, in portions; returns whether damage was found. */
  async verify(): Promise<boolean> {
    this.#checkpoint();
    for (let first = 0; first < this.#sums.length; first += pagesAtOnce) {
      const end = Math.min(this.#sums.length, first + pagesAtOnce);
      const found = this.#sumsOf(first, end - first);
      for (let page = first; page < end; page++)
        if (found[page - first] !== this.#sums[page]) this.#isDamaged = true;
      await setImmediate();
    }
    return this.#isDamaged;
  }

  /** Closes the database, which writes the rest of its log, and the handle. */
  close(): void {
    clearInterval(this.#timer);
    const changing = this.#mark();
    // Closing writes the log nevertheless.
    if (changing === undefined && !this.#isDamaged) removeSums(this.#file);
    this.#database.close();
    if (changing !== undefined) this.#update(changing);
    closeSync(this.#handle);
  }

  /** Reads the stored sums; without any of this file, those of its pages count from now on. */
  #begin(): void {
    const stored = readSums(this.#file, this.#pageBytes);
    this.#generation = numberOf(this.#database, 'user_version');
    // The number goes up before the sums are stored.
    if (stored !== undefined && [0, 1].includes(this.#generation - stored.generation)) {
      this.#sums = stored.sums;
      this.#isDamaged ||= stored.isDamaged;
      this.#update(stored.changing);
      return;
    }
    const check = this.#database.prepare('PRAGMA quick_check(1)').get();
    if (check?.quick_check !== 'ok') this.#isDamaged = true;
    this.#update([]);
  }

  #look(): void {
    if (this.#logSize() < this.#logBytes) return;
    this.#checkpoint();
    // Readers of an earlier moment hold the log up, so it is not tried each time.
    this.#logBytes = this.#logSize() + logBytesMax;
  }

  #logSize(): number {
    const log = `${this.#file}-wal`;
    return existsSync(log) ? statSync(log).size : 0;
  }

  #checkpoint(): void {
    if (this.#logSize() === 0) return;
    const changing = this.#mark();
    if (changing === undefined) return;
    const timeout = numberOf(this.#database, 'busy_timeout');
    try {
      // Waits for no reader.
      this.#database.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // A statement of this connection is at work: the log stays until the next time.
    } finally {
      this.#database.exec(`PRAGMA busy_timeout = ${timeout}`);
    }
    this.#update(changing);
  }

  /** Stores which pages will change, once they are found whole. Undefined if it cannot. */
  #mark(): readonly number[] | undefined {
    try {
      if (this.#logSize() === 0) return [];
      if (this.#database.isTransaction) return undefined;
      this.#database.exec(`PRAGMA user_version = ${this.#generation + 1}`);
      this.#generation++;
      const frames = framesOf(`${this.#file}-wal`);
      if (isLogDamaged(frames, false)) this.#isDamaged = true;
      const changing = [...new Set(frames.map(({ page }) => page - 1))];
      for (const page of changing)
        if (page < this.#sums.length && this.#sumsOf(page, 1)[0] !== this.#sums[page])
          this.#isDamaged = true;
      this.#store(changing);
      return changing;
    } catch {
      // The disk may be full: the log stays.
      return undefined;
    }
  }

  /** Computes the sums of changed and new pages, and stores all. */
  #update(changed: readonly number[]): void {
    const pages = Math.floor(fstatSync(this.#handle).size / this.#pageBytes);
    const known = Math.min(this.#sums.length, pages);
    if (changed.length === 0 && known === pages && !this.#isDamaged) return;
    this.#sums.length = known;
    for (const page of changed) if (page < known) this.#sums[page] = this.#sumsOf(page, 1)[0]!;
    for (let first = known; first < pages; first += pagesAtOnce)
      this.#sums.push(...this.#sumsOf(first, Math.min(pagesAtOnce, pages - first)));
    try {
      this.#store([]);
    } catch {
      // The disk may be full: what is stored names these pages as changing.
    }
  }

  #store(changing: readonly number[]): void {
    writeSums(this.#file, {
      ...{ generation: this.#generation, pageBytes: this.#pageBytes, isDamaged: this.#isDamaged },
      ...{ sums: this.#sums, changing },
    });
  }

  #sumsOf(first: number, pages: number): number[] {
    const content = Buffer.alloc(pages * this.#pageBytes);
    readSync(this.#handle, content, 0, content.length, first * this.#pageBytes);
    return Array.from({ length: pages }, (_, page) =>
      crc32(content.subarray(page * this.#pageBytes, (page + 1) * this.#pageBytes)),
    );
  }
}

function numberOf(database: DatabaseSync, pragma: string): number {
  return Number(Object.values(database.prepare(`PRAGMA ${pragma}`).get() ?? {})[0]);
}
