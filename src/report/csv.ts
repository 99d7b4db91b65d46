/**
 * CSV as in RFC 4180: rows end with CRLF, the first row names the columns, and a missing value is
 * blank.
 */

import { textCell } from '../contract/spreadsheets.ts';

/**
 * A value; in a number column a finite number, or decimal text if trailing zeros count: "12.50".
 */
export type Cell = string | number | null;

/** A column of rows: its name, and the type and computation of its cells. */
export type Column<Row> = {
  readonly name: string;
  /** `text` may begin with any character; a `number` is an amount, a count or a ratio. */
  readonly type: 'text' | 'number';
  cell(row: Row): Cell;
};

/** Writes rows of the same columns. */
export type CsvWriter<Row> = {
  /** The row that names the columns. */
  header(): string;
  /** Some rows. Throws if a number column yields anything but a decimal number. */
  rows(rows: readonly Row[]): string;
};

const decimal = /^-?\d+(\.\d+)?$/;

/** A writer for these columns. */
export function createCsvWriter<Row>(columns: readonly Column<Row>[]): CsvWriter<Row> {
  function field({ name, type, cell }: Column<Row>, row: Row): string {
    const value = cell(row);
    if (value === null) return '';
    return type === 'number' ? numberField(value, name) : textCell(String(value));
  }

  return {
    header: () => `${columns.map(({ name }) => textCell(name)).join(',')}\r\n`,
    rows(rows) {
      let text = '';
      for (const row of rows) {
        let separator = '';
        for (const column of columns) {
          text += separator + field(column, row);
          separator = ',';
        }
        text += '\r\n';
      }
      return text;
    },
  };
}

function numberField(value: string | number, column: string): string {
  const text = String(value);
  if (!decimal.test(text)) throw new Error(`the column ${column} holds no decimal number`);
  return text;
}
