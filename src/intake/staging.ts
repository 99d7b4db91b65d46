/**
 * Checked rows on their way to the warehouse: files of comma separated cells, one row a line, that either engine loads by itself.
 * A row is its number in the import, the source's line number, and then the columns of its table in order; text is quoted, nothing is
 * ever null.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const fileCharactersMax = 8 * 1024 * 1024;

/** Collects rows per table and hands over a file whenever enough have come together. */
export class Stager {
  readonly #folder: string;
  readonly #prefix: string;
  readonly #handOver: (table: string, file: string) => Promise<void>;
  readonly #tables = new Map<string, { rows: string[]; characters: number }>();
  #files = 0;
  #rows = 0;
  /** True when a file is full: the reader should await `relieve` before going on. */
  full = false;

  /** `handOver` resolves when the next file may be made, which keeps reading and loading in step. */
  constructor(folder: string, prefix: string, handOver: (table: string, file: string) => Promise<void>) {
    this.#folder = folder;
    this.#prefix = prefix;
    this.#handOver = handOver;
  }

  /** Takes a row of a table, read from that line. */
  put(table: string, line: number, columns: string): void {
    const row = `${++this.#rows},${line},${columns}`;
    let held = this.#tables.get(table);
    if (!held) {
      held = { rows: [], characters: 0 };
      this.#tables.set(table, held);
    }
    held.rows.push(row);
    held.characters += row.length;
    if (held.characters > fileCharactersMax) this.full = true;
  }

  /** Hands over what is full, or all that is left. */
  async relieve(all = false): Promise<void> {
    this.full = false;
    for (const [table, held] of this.#tables) {
      if (held.rows.length === 0 || (!all && held.characters <= fileCharactersMax)) continue;
      held.rows.push('');
      const file = join(this.#folder, `${this.#prefix}-${++this.#files}.csv`);
      writeFileSync(file, held.rows.join('\n'), { mode: 0o600 });
      held.rows = [];
      held.characters = 0;
      await this.#handOver(table, file);
    }
  }
}
