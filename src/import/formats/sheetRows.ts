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

/** The maximum number of rows and columns of a sheet, according to the format. */
const rowsMax = 1_048_576;
const columnsMax = 16_384;
/**
 * The maximum number of characters of all cells together, because many cells may share one long
 * text.
 */
const charactersMax = 512 * 1024 * 1024;
const letterBeforeA = 64;

/** The texts and formats to which the cells of a sheet refer. */
export type Workbook = {
  readonly texts: SharedTexts;
  /** Whether each format is a format of dates. */
  readonly formats: readonly boolean[];
  readonly isFrom1904: boolean;
};

/**
 * A row with a value: its number, from 1, and its values by column, the last of which is not "".
 */
export type SheetRow = { readonly number: number; readonly values: readonly string[] };

/** The place of a cell is beyond the limits of a sheet. */
export class CellTooFar extends Error {}

/** The cells have more characters than a sheet may have. */
export class TooManyCharacters extends Error {}

/** The rows of a sheet that have a value, in their order. */
export async function* sheetRows(
  pieces: AsyncIterable<Buffer>,
  workbook: Workbook,
): AsyncGenerator<SheetRow> {
  const reader = new RowReader();
  const values = new RowValues(workbook);
  for await (const _ of readXml(pieces, reader))
    for (const { number, cells } of reader.rows.splice(0)) {
      const found = values.of(cells);
      if (found.length > 0) yield { number, values: found };
    }
}

/** A cell as stored in the sheet: its value may be the number of a shared text. */
type Cell = {
  readonly column: number;
  readonly type: string;
  readonly format: string | undefined;
  value: string;
};

/** Collects the cells of rows. Shared texts and formats are looked up later, row by row. */
class RowReader {
  readonly #inline = new TextCollector();
  readonly rows: { readonly number: number; readonly cells: readonly Cell[] }[] = [];
  /** Elsewhere in the file of a sheet, other things are called rows, too. */
  #isWithinRows = false;
  #row = 0;
  /** The cells of the open row; undefined between rows. */
  #cells: Cell[] | undefined;
  #column = 0;
  #cell: Cell | undefined;
  #isValue = false;

  open(name: string, attributes: () => Attributes): void {
    if (name === 'sheetData') this.#isWithinRows = true;
    else if (!this.#isWithinRows) return;
    else if (name === 'row') this.#beginRow(attributes().r);
    else if (name === 'c' && this.#cells !== undefined) this.#beginCell(attributes());
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
    if (this.#isValue) this.#cell.value = lengthened(this.#cell.value, text);
    else this.#inline.text(text);
  }

  #beginRow(place: string | undefined): void {
    const number = place === undefined ? this.#row + 1 : placeOf(place, '').row;
    if (number <= this.#row) throw new SheetDamaged();
    if (number > rowsMax) throw new CellTooFar();
    this.#row = number;
    this.#cells = [];
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
    this.#cell = { column: this.#column, type: t || 'n', format: s, value: '' };
    this.#inline.take();
  }

  #endCell(): void {
    const cell = this.#cell;
    this.#cell = undefined;
    if (cell === undefined || this.#cells === undefined) return;
    if (cell.type === 'inlineStr') cell.value = this.#inline.take();
    if (cell.value !== '') this.#cells.push(cell);
  }

  #endRow(): void {
    const cells = this.#cells;
    this.#cells = undefined;
    if (cells !== undefined && cells.length > 0) this.rows.push({ number: this.#row, cells });
  }
}

/** Finds the values of the cells of rows. */
class RowValues {
  readonly #workbook: Workbook;
  #charactersLeft = charactersMax;

  constructor(workbook: Workbook) {
    this.#workbook = workbook;
  }

  /** The values of a row by column, the last of which is not "". */
  of(cells: readonly Cell[]): readonly string[] {
    const values: string[] = [];
    let characters = 0;
    for (const cell of cells) {
      // A longer line is rejected, whatever else it contains.
      if (characters > lineBytesMax) break;
      const text = this.#textOf(cell);
      if (text === '') continue;
      characters += text.length;
      while (values.length < cell.column) values.push('');
      values[cell.column - 1] = onOneLine(text);
    }
    this.#charactersLeft -= characters;
    if (this.#charactersLeft < 0) throw new TooManyCharacters();
    return values;
  }

  #textOf({ type, format, value }: Cell): string {
    if (type === 'inlineStr' || type === 'str') return value;
    if (type === 'e') return '';
    if (type === 's') return this.#workbook.texts.at(Number(value)) ?? damaged();
    if (type === 'b') return { 1: 'true', 0: 'false' }[value] ?? damaged();
    if (type === 'd') return isoDay(Date.parse(value));
    if (type !== 'n') throw new SheetDamaged();
    const isDate = format === undefined ? false : this.#workbook.formats[Number(format)];
    if (isDate === undefined) throw new SheetDamaged();
    return isDate ? dateOf(value, this.#workbook.isFrom1904) : value;
  }
}

/** A text whose line ends, with the blanks around them, have become single blanks. */
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
