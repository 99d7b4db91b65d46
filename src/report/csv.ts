/** CSV as RFC 4180 has it: rows end with CRLF, the first names the columns, a missing value is blank. */

/** A column. A `text` may begin with anything, a `number` is an amount, a count or a ratio. */
export type Column = { readonly name: string; readonly type: 'text' | 'number' };

/** One value of a row: of a number column a finite number, or its decimal text where its places matter, such as "12.50". */
export type Cell = string | number | null;

/** Writes rows of the same columns. */
export type CsvWriter = {
  /** The row that names the columns. */
  readonly header: () => string;
  /** Some rows; throws where a cell of a number column holds no number, or a row has not one cell for each column. */
  readonly rows: (rows: readonly (readonly Cell[])[]) => string;
};

// A spreadsheet takes text that begins so for a formula.
const formula = /^[=+\-@\t\r]/;
const special = /[",\r\n]/;
const decimal = /^-?\d+(\.\d+)?$/;

/** A writer for these columns. */
export function createCsvWriter(columns: readonly Column[]): CsvWriter {
  function lineOf(row: readonly Cell[]): string {
    if (row.length !== columns.length)
      throw new Error(`a row has ${row.length} cells for ${columns.length} columns`);
    let line = '';
    for (const [place, cell] of row.entries()) {
      if (place > 0) line += ',';
      if (cell !== null)
        line +=
          columns[place]!.type === 'number'
            ? numberText(cell, columns[place]!.name)
            : fieldText(String(cell));
    }
    return `${line}\r\n`;
  }

  return {
    header: () => `${columns.map(({ name }) => fieldText(name)).join(',')}\r\n`,
    rows(rows) {
      let text = '';
      for (const row of rows) text += lineOf(row);
      return text;
    },
  };
}

function fieldText(text: string): string {
  const plain = formula.test(text) ? `'${text}` : text;
  return special.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

function numberText(cell: string | number, name: string): string {
  const text = String(cell);
  if (!decimal.test(text)) throw new Error(`a cell of ${name} is no decimal number`);
  return text;
}
