/** Reads the rows of a sheet piece by piece. */
import { lineBytesMax } from './lines.ts';
import {
  dateOf,
  isoDay,
  lengthened,
  type SharedTexts,
  SheetDamaged,
  TextCollector,
} from './sheetCells.ts';
import { type Attributes, readXml } from './xml.ts';

/** The most rows and columns that a sheet may have, by the format. */
const rowsMax = 1_048_576;
const columnsMax = 16_384;
/** The most characters of all cells together: many cells may share one long text. */
const charactersMax = 512 * 1024 * 1024;
const letterBeforeA = 64;

/** The texts and formats that the cells of a sheet refer to. */
export type Workbook = {
  readonly texts: SharedTexts;
  /** Whether each format is one of dates. */
  readonly formats: readonly boolean[];
  readonly isFrom1904: boolean;
};

/** A row with a value: its number, from 1, and its values by column, the last of which is not "". */
export type SheetRow = { readonly number: number; readonly values: readonly string[] };

/** A cell whose place is further away than any sheet is long. */
export class CellTooFar extends Error {}

/** The cells have more characters than a sheet may have. */
export class TooManyCharacters extends Error {}

/** The rows of a sheet that have a value, in their order. */
export async function* sheetRows(
  pieces: AsyncIterable<Buffer>,
  workbook: Workbook,
): AsyncGenerator<SheetRow> {
  const reader = new RowReader(workbook);
  for await (const _ of readXml(pieces, reader)) yield* reader.rows.splice(0);
}

type Cell = { readonly column: number; readonly type: string; readonly format?: string };

class RowReader {
  readonly #workbook: Workbook;
  readonly #inline = new TextCollector();
  readonly rows: SheetRow[] = [];
  /** Elsewhere in the file of a sheet other things are called rows, too. */
  #isWithinRows = false;
  #charactersLeft = charactersMax;
  #row = 0;
  /** The row that is open; undefined between rows. */
  #values: string[] | undefined;
  #characters = 0;
  #column = 0;
  #cell: Cell | undefined;
  #isValue = false;
  #value = '';

  constructor(workbook: Workbook) {
    this.#workbook = workbook;
  }

  open(name: string, attributes: () => Attributes): void {
    if (name === 'sheetData') this.#isWithinRows = true;
    else if (!this.#isWithinRows) return;
    else if (name === 'row') this.#beginRow(attributes().r);
    else if (name === 'c' && this.#values !== undefined) this.#beginCell(attributes());
    else if (name === 'v') this.#isValue = true;
    else this.#inline.open(name);
  }

  close(name: string): void {
    if (name === 'sheetData') this.#isWithinRows = false;
    else if (name === 'row') this.#endRow();
    else if (name === 'c') this.#endCell();
    else if (name === 'v') this.#isValue = false;
    else this.#inline.close(name);
  }

  text(text: string): void {
    if (this.#cell === undefined) return;
    if (this.#isValue) this.#value = lengthened(this.#value, text);
    else this.#inline.text(text);
  }

  #beginRow(place: string | undefined): void {
    const number = place === undefined ? this.#row + 1 : placeOf(place, '').row;
    if (number <= this.#row) throw new SheetDamaged();
    if (number > rowsMax) throw new CellTooFar();
    this.#row = number;
    this.#values = [];
    this.#characters = 0;
    this.#column = 0;
  }

  #beginCell({ r, t, s }: Attributes): void {
    if (r === undefined) this.#column++;
    else {
      const { column, row } = placeOf(r);
      if (row !== this.#row || column <= this.#column) throw new SheetDamaged();
      this.#column = column;
    }
    if (this.#column > columnsMax) throw new CellTooFar();
    this.#cell = { column: this.#column, type: t || 'n', ...(s !== undefined && { format: s }) };
    this.#value = '';
    this.#inline.take();
  }

  #endCell(): void {
    const cell = this.#cell;
    if (cell === undefined || this.#values === undefined) return;
    this.#cell = undefined;
    // A longer line is rejected, whatever else it has.
    if (this.#characters > lineBytesMax) return;
    const text = this.#textOf(cell, this.#value);
    if (text === '') return;
    this.#characters += text.length;
    this.#charactersLeft -= text.length;
    if (this.#charactersLeft < 0) throw new TooManyCharacters();
    while (this.#values.length < cell.column) this.#values.push('');
    this.#values[cell.column - 1] = onOneLine(text);
  }

  #endRow(): void {
    const values = this.#values;
    this.#values = undefined;
    if (values !== undefined && values.length > 0) this.rows.push({ number: this.#row, values });
  }

  #textOf({ type, format }: Cell, value: string): string {
    if (type === 'inlineStr') return this.#inline.take();
    if (type === 'str') return value;
    if (value === '' || type === 'e') return '';
    if (type === 's') return this.#workbook.texts.at(Number(value)) ?? damaged();
    if (type === 'b') return { 1: 'true', 0: 'false' }[value] ?? damaged();
    if (type === 'd') return isoDay(Date.parse(value));
    if (type !== 'n') throw new SheetDamaged();
    const isDate = format === undefined ? false : this.#workbook.formats[Number(format)];
    if (isDate === undefined) throw new SheetDamaged();
    return isDate ? dateOf(value, this.#workbook.isFrom1904) : value;
  }
}

/** A text without its line ends, each of which becomes a blank, as do the blanks around it. */
function onOneLine(text: string): string {
  if (!/[\r\n]/.test(text)) return text;
  return text.replaceAll(/\s+/g, (blanks) => (/[\r\n]/.test(blanks) ? ' ' : blanks));
}

function damaged(): never {
  throw new SheetDamaged();
}

/** The place of a cell (AB12) or, without letters, of a row. */
function placeOf(text: string, letters?: ''): { readonly column: number; readonly row: number } {
  const [, found = '', digits] = /^([A-Z]{0,3})([1-9]\d{0,6})$/.exec(text) ?? [];
  if (digits === undefined || (found === '') !== (letters === '')) throw new CellTooFar();
  let column = 0;
  for (const letter of found) column = column * 26 + letter.charCodeAt(0) - letterBeforeA;
  return { column, row: Number(digits) };
}
