/**
 * Writes checked rows to CSV files, which both engines can load. A line has the row's number in the
 * import, its line in the document, and the columns of its table in order. Text is quoted; no value
 * is ever null.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type ColumnType, factTable } from '../../schema/warehouse/tables.ts';
import { isoDate } from '../calendar/period.ts';
import { amountText, type ColumnValue } from './cells/fields.ts';

const fileCharactersMax = 8 * 1024 * 1024;
/** Small enough for blocks to be collected while they are young, which is cheap. */
const blockCharactersMax = 128 * 1024;

/** The file of a table that is being written. */
type OpenFile = {
  readonly path: string;
  readonly descriptor: number;
  characters: number;
  block: string;
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
    file.block += `${row}\n`;
    if (file.block.length > blockCharactersMax) this.#write(file);
  }

  /** Flushes full files. */
  flush(): Promise<void> {
    return this.#passOn(fileCharactersMax);
  }

  /** Flushes every file. */
  flushAll(): Promise<void> {
    return this.#passOn(0);
  }

  async #passOn(charactersMin: number): Promise<void> {
    this.full = false;
    for (const [name, table] of this.#tables) {
      const { file } = table;
      if (!file || file.characters + file.block.length <= charactersMin) continue;
      this.#write(file);
      closeSync(file.descriptor);
      table.file = undefined;
      await this.#onFile(name, file.path);
    }
  }

  #openFile(): OpenFile {
    const path = join(this.#folder, `${this.#prefix}-${++this.#files}.csv`);
    return { path, descriptor: openSync(path, 'wx', 0o600), characters: 0, block: '' };
  }

  #write(file: OpenFile): void {
    writeSync(file.descriptor, file.block);
    file.characters += file.block.length;
    file.block = '';
    if (file.characters > fileCharactersMax) this.full = true;
  }
}

function stagedText(value: ColumnValue, type: ColumnType): string | number {
  if (typeof value === 'number') return type === 'Date' ? isoDate(value) : value;
  if (typeof value === 'bigint') return amountText(value);
  if (type !== 'Text') return value;
  return value.includes('"') ? `"${value.replaceAll('"', '""')}"` : `"${value}"`;
}
