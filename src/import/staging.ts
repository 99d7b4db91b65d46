/**
 * Writes checked rows to CSV files, which both engines can load. A line has the row's number in the
 * import, its line in the document, and the columns of its table in order. Text is in single
 * quotes, because records of orders are full of double ones; no value is ever null.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type ColumnType, factTable } from '../../schema/warehouse/tables.ts';
import { isoDate } from '../calendar/period.ts';
import { amountText, type ColumnValue } from './cells/fields.ts';

const fileBytesMax = 8 * 1024 * 1024;
/** The number of bytes to write at a time, unless a row is longer. */
const blockBytes = 128 * 1024;
/** The maximum number of UTF-8 bytes of a UTF-16 code unit. */
const bytesPerUnitMax = 3;

/** The file of a table that is being written. */
type OpenFile = {
  readonly path: string;
  readonly descriptor: number;
  /** The number of bytes written, without the bytes in the block. */
  bytes: number;
  /** Rows to be written, as bytes: the garbage collector would copy text that waits. */
  readonly block: Buffer;
  blockUsed: number;
};

type Table = { readonly types: readonly ColumnType[]; file?: OpenFile | undefined };

/** Writes rows to one file per table, and flushes a file when it is full. */
export class Stager {
  readonly #folder: string;
  readonly #prefix: string;
  readonly #onFile: (table: string, path: string) => Promise<void>;
  readonly #tables = new Map<string, Table>();
  #files = 0;
  #rows = 0;
  /** True when a file is full: the reader should await `flush` before it continues. */
  full = false;

  /**
   * `onFile` resolves when the next file may be started, which keeps reading and loading in step.
   */
  constructor(
    folder: string,
    prefix: string,
    onFile: (table: string, path: string) => Promise<void>,
  ) {
    this.#folder = folder;
    this.#prefix = prefix;
    this.#onFile = onFile;
  }

  /** Writes a row of a table: the values of its columns in order. `line` is where it was read. */
  put(name: string, line: number, values: readonly ColumnValue[]): void {
    let table = this.#tables.get(name);
    if (!table) {
      table = { types: Object.values(factTable(name).columns) };
      this.#tables.set(name, table);
    }
    table.file ??= this.#openFile();
    const { types, file } = table;
    let row = `${++this.#rows},${line}`;
    for (let column = 0; column < types.length; column++)
      row += `,${stagedText(values[column]!, types[column]!)}`;
    this.#add(file, `${row}\n`);
  }

  /** Gives the next row the number of its line, like rows that the engine stages. */
  numberFrom(line: number): void {
    this.#rows = line - 1;
  }

  /** Flushes full files. */
  flush(): Promise<void> {
    return this.#passOn(fileBytesMax);
  }

  /** Flushes every file. */
  flushAll(): Promise<void> {
    return this.#passOn(0);
  }

  /** Closes the files that were not flushed, and leaves them in place. */
  close(): void {
    for (const table of this.#tables.values()) {
      if (table.file) closeSync(table.file.descriptor);
      table.file = undefined;
    }
  }

  async #passOn(bytesMin: number): Promise<void> {
    this.full = false;
    for (const [name, table] of this.#tables) {
      const { file } = table;
      if (!file || file.bytes + file.blockUsed <= bytesMin) continue;
      this.#writeBlock(file);
      closeSync(file.descriptor);
      table.file = undefined;
      await this.#onFile(name, file.path);
    }
  }

  #openFile(): OpenFile {
    const path = join(this.#folder, `${this.#prefix}-${++this.#files}.csv`);
    const descriptor = openSync(path, 'wx', 0o600);
    return { path, descriptor, bytes: 0, block: Buffer.allocUnsafe(blockBytes), blockUsed: 0 };
  }

  #add(file: OpenFile, row: string): void {
    const bytesMax = row.length * bytesPerUnitMax;
    if (file.blockUsed + bytesMax > blockBytes) this.#writeBlock(file);
    if (bytesMax > blockBytes) this.#write(file, Buffer.from(row));
    else file.blockUsed += file.block.write(row, file.blockUsed);
  }

  #writeBlock(file: OpenFile): void {
    this.#write(file, file.block.subarray(0, file.blockUsed));
    file.blockUsed = 0;
  }

  #write(file: OpenFile, bytes: Buffer): void {
    for (let written = 0; written < bytes.length; )
      written += writeSync(file.descriptor, bytes, written);
    file.bytes += bytes.length;
    if (file.bytes > fileBytesMax) this.full = true;
  }
}

function stagedText(value: ColumnValue, type: ColumnType): string | number {
  if (typeof value === 'number') return type === 'Date' ? isoDate(value) : value;
  if (typeof value === 'bigint') return amountText(value);
  if (type !== 'Text') return value;
  return value.includes("'") ? `'${value.replaceAll("'", "''")}'` : `'${value}'`;
}
