/**
 * The file of the checksums of a SQLite file. It is a SQLite file itself, so it is stored whole or
 * not at all when a process is killed, and one process alone holds it until its end.
 */
import { closeSync, openSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { isBusy } from './codes.ts';

/** Another process may be about to end. */
const busyMilliseconds = 250;
/** The sums of the pages of a file at one moment. */
export type StoredSums = {
  /** Which state of the file they are of. */
  readonly state: string;
  /** Whether the file or its log was found damaged. */
  readonly isDamaged: boolean;
  /** By page, from the first. */
  readonly sums: readonly number[];
};

/** The checksums of one SQLite file, held by this process. */
export class SumsFile {
  readonly #database: DatabaseSync;
  readonly #known: StoredSums | undefined;

  private constructor(path: string) {
    // Otherwise anyone could read it.
    closeSync(openSync(path, 'a', 0o600));
    this.#database = new DatabaseSync(path, { timeout: busyMilliseconds });
    try {
      // After a power cut, sums that are not on the disk are of another state, or none.
      this.#database.exec(
        'PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = OFF; BEGIN EXCLUSIVE; ' +
          'CREATE TABLE IF NOT EXISTS stored (id INTEGER PRIMARY KEY, content TEXT, sum INTEGER);' +
          'COMMIT',
      );
      const check = this.#database.prepare('PRAGMA quick_check(1)').get();
      if (check?.quick_check !== 'ok') throw new Error('damaged');
      const row = this.#database.prepare('SELECT content, sum FROM stored').get();
      const content = String(row?.content);
      this.#known = crc32(content) === row?.sum ? JSON.parse(content) : undefined;
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /** Holds the sums at a path; undefined if another process does, or they cannot be stored. */
  static hold(path: string): SumsFile | undefined {
    try {
      return new SumsFile(path);
    } catch (error) {
      return isBusy(error) ? undefined : SumsFile.#anew(path);
    }
  }

  /** Begins anew in place of a damaged file, which holds no record. */
  static #anew(path: string): SumsFile | undefined {
    try {
      for (const one of [path, `${path}-journal`]) rmSync(one, { force: true });
      return new SumsFile(path);
    } catch {
      return undefined;
    }
  }

  /** The sums of an earlier process; undefined if there are none, or they are damaged themselves. */
  get known(): StoredSums | undefined {
    return this.#known;
  }

  /** Stores sums in place of earlier ones. Throws if the disk is full. */
  write(stored: StoredSums): void {
    const content = JSON.stringify(stored);
    const sql = 'REPLACE INTO stored VALUES (1, ?, ?)';
    this.#database.prepare(sql).run(content, crc32(content));
  }

  /** Lets another process hold them. */
  close(): void {
    this.#database.close();
  }
}
