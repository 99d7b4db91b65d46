/**
 * Checked rows on their way to the warehouse: files of comma separated cells, one row a line, that either engine loads by itself.
 * A row is its number in the import, the source's line number, and then the columns of its table in order; text is quoted, nothing is
 * ever null.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const fileCharactersMax = 8 * 1024 * 1024;
/** Rows are written this many characters at a time: few enough that they die young, which is when collecting them is cheap. */
const pieceCharactersMax = 128 * 1024;

/** A file that is being written. */
type Open = {
  readonly file: string;
  readonly descriptor: number;
  characters: number;
  piece: string;
};

/** Writes rows per table and hands over a file whenever enough have come together. */
export class Stager {
  readonly #folder: string;
  readonly #prefix: string;
  readonly #handOver: (table: string, file: string) => Promise<void>;
  readonly #open = new Map<string, Open>();
  #files = 0;
  #rows = 0;
  /** True when a file is full: the reader should await `relieve` before going on. */
  full = false;

  /** `handOver` resolves when the next file may be made, which keeps reading and loading in step. */
  constructor(
    folder: string,
    prefix: string,
    handOver: (table: string, file: string) => Promise<void>,
  ) {
    this.#folder = folder;
    this.#prefix = prefix;
    this.#handOver = handOver;
  }

  /** Takes a row of a table, read from that line. */
  put(table: string, line: number, columns: string): void {
    let open = this.#open.get(table);
    if (!open) {
      const file = join(this.#folder, `${this.#prefix}-${++this.#files}.csv`);
      open = { file, descriptor: openSync(file, 'wx', 0o600), characters: 0, piece: '' };
      this.#open.set(table, open);
    }
    open.piece += `${++this.#rows},${line},${columns}\n`;
    if (open.piece.length > pieceCharactersMax) this.#write(open);
  }

  /** Hands over what is full, or all that is left. */
  async relieve(all = false): Promise<void> {
    this.full = false;
    for (const [table, open] of this.#open) {
      if (!all && open.characters <= fileCharactersMax) continue;
      this.#write(open);
      closeSync(open.descriptor);
      this.#open.delete(table);
      await this.#handOver(table, open.file);
    }
  }

  #write(open: Open): void {
    writeSync(open.descriptor, open.piece);
    open.characters += open.piece.length;
    open.piece = '';
    if (open.characters > fileCharactersMax) this.full = true;
  }
}
