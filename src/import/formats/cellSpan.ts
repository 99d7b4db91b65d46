/** How many cells a sheet of a spreadsheet spans, up to its last row and column. */
import { Parser } from 'saxen';

/** The most rows and columns that a sheet may have, by the format. */
const rowsMax = 1_048_576;
const columnsMax = 16_384;
const letterBeforeA = 64;

/**
 * The rows times the columns of a sheet; undefined if it is no XML, or has a place that no sheet
 * has. Reads the XML with the parser that the reader of spreadsheets uses, so that both see the
 * same places.
 */
export function cellSpan(sheet: Uint8Array): number | undefined {
  let [rows, columns, isSound] = [1, 1, true];
  const parser = new Parser();
  parser.on('error', () => {
    isSound = false;
  });
  parser.on('openTag', (tag, getAttributes, decodeEntities) => {
    const name = localName(tag);
    if (name !== 'row' && name !== 'c') return;
    for (const [attribute, value] of Object.entries(getAttributes())) {
      if (localName(attribute) !== 'r') continue;
      const place = decodeEntities(value);
      const [, letters = '', digits] = /^([A-Z]{0,3})([1-9]\d{0,6})$/.exec(place) ?? [];
      if (digits === undefined || (letters === '') !== (name === 'row')) isSound = false;
      rows = Math.max(rows, Number(digits));
      columns = Math.max(columns, columnNumber(letters));
    }
  });
  parser.parse(Buffer.from(sheet).toString('utf8'));
  return isSound && rows <= rowsMax && columns <= columnsMax ? rows * columns : undefined;
}

function columnNumber(letters: string): number {
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - letterBeforeA;
  return column;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
