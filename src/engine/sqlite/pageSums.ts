/**
 * Checksums of the pages of a SQLite file, in a file beside it. SQLite has none itself, and answers
 * a changed byte of a value.
 *
 * The sums are stored with the state of the file: while it has a log, the random number of that
 * log; after a stop, its header, where SQLite counts its changes. As long as the state is the same,
 * pages change only to what the log has, so all others must have their sums. A file in another
 * state was written by another program, or by a process that was killed while it wrote the log into
 * it: its pages cannot be compared, and their sums begin anew. So a sound file is never called
 * damaged.
 */
import { randomInt } from 'node:crypto';
import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { type Frame, framesOf, isLogDamaged, saltsOf } from './log.ts';
import { type StoredSums, SumsFile } from './sumsFile.ts';

const pagesAtOnce = 256;
/** From this size on, the log is written into the file. */
const logBytesMax = 4_000_000;
const lookMilliseconds = 1_000;
/** The places of the header's change counter, of its version, and of the repeated counter. */
const countsAt = [24, 60, 92];
const headerBytes = 100;
/** The checksum of a page in a log that another process left: the file may contain it or not. */
const unknown = -1;

/** The checksums of a file that this process watches. */
export class PageSums {
  readonly #file: string;
  readonly #database: DatabaseSync;
  readonly #stored: SumsFile;
  /** Open as long as the database: closing it earlier would release SQLite's locks. */
  readonly #handle: number;
  readonly #pageBytes: number;
  #timer: NodeJS.Timeout | undefined;
  /** By page, from the first. */
  #sums: number[] = [];
  /** The state of the file to which the stored checksums belong; '' for none. */
  #state = '';
  /** The size that the log may reach before it is written. */
  #logBytes = logBytesMax;
  #isDamaged = false;

  private constructor(file: string, database: DatabaseSync, stored: SumsFile, handle: number) {
    this.#file = file;
    this.#database = database;
    this.#stored = stored;
    this.#handle = handle;
    this.#pageBytes = numberOf(database, 'page_size');
    // Otherwise SQLite itself would write the log into the file.
    database.exec('PRAGMA wal_autocheckpoint = 0');
    const { known } = stored;
    if (known?.isDamaged) this.#isDamaged = true;
    const frames = framesOf(file);
    if (known?.state === this.#stateNow()) this.#goOn(known, frames);
    else this.#beginAnew();
    if (isLogDamaged(frames, true)) this.#found();
  }

  /**
   * The checksums of a file whose database has been opened but not changed. Undefined if another
   * process watches them.
   */
  static of(file: string, database: DatabaseSync): PageSums | undefined {
    // The first question undoes what a killed process left half done.
    database.exec('SELECT count(*) FROM sqlite_schema');
    const stored = SumsFile.hold(`${file}.sums`);
    if (stored === undefined) return undefined;
    const handle = openSync(file, 'r');
    try {
      return new PageSums(file, database, stored, handle);
    } catch (error) {
      database.close();
      closeSync(handle);
      stored.close();
      throw error;
    }
  }

  /**
   * Whether damage was found, by an earlier process or this one: it stays until the checksums are
   * removed.
   */
  get isDamaged(): boolean {
    return this.#isDamaged;
  }

  /** Compares every page, in portions; returns whether damage was found. */
  async verify(): Promise<boolean> {
    if (this.#timer !== undefined) this.#checkpoint();
    const differing: number[] = [];
    for (let first = 0; first < this.#sums.length; first += pagesAtOnce) {
      const end = Math.min(this.#sums.length, first + pagesAtOnce);
      const found = this.#sumsOf(first, end - first);
      for (let page = first; page < end; page++)
        if (this.#differs(page, found[page - first]!)) differing.push(page);
      await setImmediate();
    }
    // Another program may have started another log meanwhile.
    if (differing.length > 0 && this.#state === this.#stateNow())
      this.#judge(differing, framesOf(this.#file));
    return this.#isDamaged;
  }

  /** Starts to watch the file, which has a log from now on. */
  begin(): void {
    if (this.#state !== this.#stateNow()) {
      this.#update([0]);
      if (this.#logSize() === 0) this.#mark();
      this.#store();
    }
    this.#timer = setInterval(() => this.#look(), lookMilliseconds);
    this.#timer.unref();
  }

  /** Closes the database. Afterwards its file has no log, unless another reader uses it. */
  close(): void {
    clearInterval(this.#timer);
    if (this.#timer !== undefined)
      this.#writeLog(() => {
        this.#mark();
        const answer = this.#database.prepare('PRAGMA journal_mode = DELETE').get();
        return answer?.journal_mode === 'delete';
      });
    this.#database.close();
    closeSync(this.#handle);
    this.#stored.close();
  }

  #stateNow(): string {
    const salts = saltsOf(this.#file);
    if (salts !== undefined) return `log ${salts}`;
    const header = Buffer.alloc(headerBytes);
    readSync(this.#handle, header, 0, headerBytes, 0);
    return `file ${countsAt.map((at) => header.readUInt32BE(at)).join(' ')}`;
  }

  /** Continues with stored checksums of the same state. */
  #goOn({ state, sums }: StoredSums, frames: readonly Frame[]): void {
    this.#state = state;
    // SQLite uses no frame after the first damaged one.
    const end = frames.findIndex(({ isWhole }) => !isWhole);
    const taken = end < 0 ? frames : frames.slice(0, end);
    const pages = taken.findLast(({ pagesAfter }) => pagesAfter > 0)?.pagesAfter;
    this.#sums = sums.slice(0, pages);
    for (const { page } of taken) if (page < this.#sums.length) this.#sums[page] = unknown;
  }

  /** Accepts the file as it is, if its structure is sound. */
  #beginAnew(): void {
    this.#state = '';
    this.#sums = [];
    this.#update([]);
    const check = this.#database.prepare('PRAGMA quick_check(1)').get();
    if (check?.quick_check !== 'ok') this.#found();
  }

  #look(): void {
    if (this.#logSize() < this.#logBytes) return;
    this.#checkpoint();
    // Readers of an earlier moment can hold up the log, so it is not tried each time.
    this.#logBytes = this.#logSize() + logBytesMax;
  }

  #logSize(): number {
    const log = `${this.#file}-wal`;
    return existsSync(log) ? statSync(log).size : 0;
  }

  #checkpoint(): void {
    this.#writeLog(() => {
      this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      if (this.#logSize() === 0) this.#mark();
      return true;
    });
  }

  /** Gives the file another state, so that its sums are not mistaken for another's. */
  #mark(): void {
    this.#database.exec(`PRAGMA user_version = ${randomInt(2 ** 31)}`);
  }

  /**
   * Lets `work` write the log into the file. Compares the changing pages before, computes their
   * checksums afterwards, and stores them if `work` returns true.
   */
  #writeLog(work: () => boolean): void {
    if (this.#database.isTransaction) return;
    const version = numberOf(this.#database, 'data_version');
    const frames = framesOf(this.#file);
    const pages = [...new Set(frames.map(({ page }) => page))];
    const isSame = this.#state === this.#stateNow();
    if (isSame && (isLogDamaged(frames, false) || this.#pagesNow() < this.#sums.length))
      this.#found();
    if (isSame) this.#judge(pages, frames);
    const isDone = this.#withoutWaiting(work);
    // If another program has written meanwhile, or started another log, the changed pages are
    // unknown.
    const isAlone = version === numberOf(this.#database, 'data_version');
    if (isSame && isAlone) this.#update([0, ...pages]);
    else this.#beginAnew();
    if (isDone) this.#store();
  }

  /** Does work that waits for no reader; returns false if it is not possible now. */
  #withoutWaiting(work: () => boolean): boolean {
    const timeout = numberOf(this.#database, 'busy_timeout');
    this.#database.exec('PRAGMA busy_timeout = 0');
    try {
      return work();
    } catch {
      // A statement of this connection is running, or the disk is full: the log stays.
      return false;
    } finally {
      this.#database.exec(`PRAGMA busy_timeout = ${timeout}`);
    }
  }

  /** Finds damage in pages that match neither their earlier state nor the log. */
  #judge(pages: readonly number[], frames: readonly Frame[]): void {
    for (const page of pages) {
      if (page >= this.#sums.length) continue;
      const sum = this.#sumsOf(page, 1)[0]!;
      if (!this.#differs(page, sum)) continue;
      if (!frames.some((frame) => frame.page === page && frame.sum === sum)) this.#found();
    }
  }

  #differs(page: number, sum: number): boolean {
    return this.#sums[page] !== sum && this.#sums[page] !== unknown;
  }

  #found(): void {
    if (this.#isDamaged) return;
    this.#isDamaged = true;
    this.#write();
  }

  /** Computes the checksums of changed and new pages. */
  #update(changed: readonly number[]): void {
    const pages = this.#pagesNow();
    const known = Math.min(this.#sums.length, pages);
    this.#sums.length = known;
    for (const page of changed) if (page < known) this.#sums[page] = this.#sumsOf(page, 1)[0]!;
    for (let first = known; first < pages; first += pagesAtOnce)
      this.#sums.push(...this.#sumsOf(first, Math.min(pagesAtOnce, pages - first)));
  }

  #store(): void {
    this.#state = this.#stateNow();
    this.#write();
  }

  #write(): void {
    try {
      const [state, isDamaged, sums] = [this.#state, this.#isDamaged, this.#sums];
      this.#stored.write({ state, isDamaged, sums });
    } catch {
      // The disk may be full: the stored checksums belong to an earlier state, so they begin anew.
    }
  }

  #pagesNow(): number {
    return Math.floor(fstatSync(this.#handle).size / this.#pageBytes);
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
