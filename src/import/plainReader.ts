/** Has the engine read the rows of a dataset, portion by portion, if they are plain rows. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PlainCoverage, PlainRows } from '../engine/plainRows.ts';
import { customerKey } from './cells/customer.ts';
import type { Dataset } from './datasets/dataset.ts';
import type { Connection, ReadingTask } from './messages.ts';
import { countPlainLines, type PlainCell, plainLine } from './plainLines.ts';
import type { RowReader } from './rows.ts';
import type { Stager } from './staging.ts';

/** After this many refused portions in a row, the others are not tried. */
const refusalsMax = 3;
/** The marks after keys and values, as common programs write them. */
const jsonMarks = [
  { colon: ':', comma: ',' },
  { colon: ': ', comma: ', ' },
] as const;

/** The shape of lines: the fields in order, and the text between them. */
type Shape = Pick<PlainRows, 'format' | 'fields'> & { readonly line: RegExp };

/** A portion that the engine may have staged. */
export type TakenPortion = {
  readonly bytes: Buffer;
  /** Its first line, and its number of lines. */
  readonly line: number;
  readonly lines: number;
  /** Resolves to whether it was staged. Call once, in the order of the portions. */
  isStaged(): Promise<boolean>;
};

/** The parts of an import that a plain reader uses. */
export type PlainImport = {
  readonly task: ReadingTask;
  readonly connection: Connection;
  readonly stager: Stager;
  readonly rows: RowReader;
};

/** Passes portions of a document to the engine. */
export class PlainReader {
  readonly #dataset: Dataset;
  readonly #import: PlainImport;
  readonly #customerKey: Uint8Array;
  #shape: Shape | undefined;
  #portions = 0;
  #refusals = 0;

  private constructor(dataset: Dataset, ofImport: PlainImport) {
    this.#dataset = dataset;
    this.#import = ofImport;
    this.#customerKey = customerKey(ofImport.task.secret);
  }

  /** The reader of a dataset; undefined if all rows of the import must be read one by one. */
  static of(dataset: Dataset, ofImport: PlainImport): PlainReader | undefined {
    const { task, rows } = ofImport;
    const { plain, instantOf } = dataset;
    const isOfInstants = instantOf !== undefined && task.dateRange !== undefined;
    return plain === undefined ||
      task.decimalMark === ',' ||
      isOfInstants ||
      rows.hold !== undefined
      ? undefined
      : new PlainReader(dataset, ofImport);
  }

  /** Takes the header of a delimited document. */
  takeHeader(names: readonly string[], delimiter: string): void {
    this.#takeShape({ delimiter }, names, () => false);
  }

  /** Takes the first of JSON objects, with its text. */
  takeObject(row: Readonly<Record<string, unknown>>, text: string): void {
    const cells = Object.entries(row);
    const isNumber = (name: string) => typeof row[name] === 'number';
    for (const marks of jsonMarks) {
      const parts = cells.map(([name, cell]) => `"${name}"${marks.colon}${JSON.stringify(cell)}`);
      const names = cells.map(([name]) => name);
      if (text === `{${parts.join(marks.comma)}}`) this.#takeShape(marks, names, isNumber);
    }
  }

  #takeShape(
    format: Shape['format'],
    names: readonly string[],
    isNumber: (name: string) => boolean,
  ): void {
    const cells: PlainCell[] = [];
    for (const name of names) {
      if (this.#import.rows.indexOf(name) === undefined) return;
      const { type, required = false } = this.#dataset.fields[name]!;
      cells.push({ ...type.plain!, name, isRequired: required, isNumber: isNumber(name) });
    }
    const given = new Set(names);
    if (!this.#import.rows.required.every((name) => given.has(name))) return;
    const fields = cells.map(({ name, as, isNumber }) => ({ name, as, isNumber }));
    this.#shape = { format, fields, line: plainLine(format, cells) };
  }

  /**
   * Has the engine stage a portion, which begins at a line. Returns undefined if the portion must
   * be read row by row; the returned portion may turn out to need that, too.
   */
  take(bytes: Buffer, line: number): TakenPortion | undefined {
    const shape = this.#shape;
    if (shape === undefined || this.#refusals >= refusalsMax) return undefined;
    if (bytes.length < this.#import.task.plainBytesMin) return undefined;
    const lines = countPlainLines(bytes, shape.line);
    if (lines === undefined) return undefined;
    const staged = this.#stage(bytes, shape, lines, line);
    // The error is thrown when the portion is settled.
    staged.catch(() => undefined);
    return { bytes, line, lines, isStaged: () => this.#settle(staged, line, lines) };
  }

  async #settle(
    staged: Promise<PlainCoverage | undefined>,
    line: number,
    lines: number,
  ): Promise<boolean> {
    const coverage = await staged;
    this.#refusals = coverage === undefined ? this.#refusals + 1 : 0;
    this.#import.stager.numberFrom(coverage === undefined ? line : line + lines);
    if (coverage === undefined) return false;
    this.#import.rows.acceptPlain(lines, coverage);
    return true;
  }

  async #stage(
    portion: Buffer,
    { format, fields: ofLines }: Shape,
    lines: number,
    firstLine: number,
  ): Promise<PlainCoverage | undefined> {
    const { task, connection } = this.#import;
    const { destinations, fields, plain } = this.#dataset;
    const { table, columns } = destinations[0]!;
    const name = `import-${task.importId}-plain-${++this.#portions}`;
    const path = join(task.stagingFolder, name);
    writeFileSync(path, portion, { flag: 'wx', mode: 0o600 });
    const { plain: coverage } = await connection.request({
      type: 'plain',
      rows: {
        format,
        fields: ofLines,
        ...plain!,
        table,
        path,
        missing: Object.fromEntries(
          Object.entries(fields).map(([field, { type }]) => [field, type.missing as string]),
        ),
        columns: columns.map(({ source }) => source!),
        lines,
        firstLine,
        currency: task.currency,
        customerKey: this.#customerKey,
        ...(task.dateRange && { dateRange: task.dateRange }),
      },
    });
    rmSync(path, { force: true });
    return coverage;
  }
}
