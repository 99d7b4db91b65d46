/** The size of what a file of a spreadsheet describes, which may be far more than its bytes. */
import { Parser } from 'saxen';

/** The most rows and columns that a sheet may have, by the format. */
const rowsMax = 1_048_576;
const columnsMax = 16_384;
const letterBeforeA = 64;

/** The size of what a file of a spreadsheet describes. */
export type SheetSize = {
  /**
   * The rows times the columns of a sheet; undefined if it is no XML, or has a place that no sheet
   * has.
   */
  readonly cells: number | undefined;
  /** Whether it lists a sheet twice, which would be read as often. */
  readonly repeatsSheets: boolean;
};

/** The attribute that names a sheet, by the tags of the lists of sheets. */
const sheetNames: Readonly<Record<string, string>> = { sheet: 'id', Relationship: 'Target' };

/**
 * Measures a file of a spreadsheet. Reads the XML with the parser that the reader of spreadsheets
 * uses, so that both see the same.
 */
export function sheetSize(file: Uint8Array): SheetSize {
  let [rows, columns, isSound, repeatsSheets] = [1, 1, true, false];
  const sheets = new Set<string>();
  const parser = new Parser();
  parser.on('error', () => {
    isSound = false;
  });
  parser.on('openTag', (tag, getAttributes, decodeEntities) => {
    const name = localName(tag);
    const wanted = name === 'row' || name === 'c' ? 'r' : sheetNames[name];
    if (wanted === undefined) return;
    const attributes = getAttributes();
    if (wanted === 'Target' && !attributes.Type?.endsWith('/worksheet')) return;
    for (const [attribute, value] of Object.entries(attributes)) {
      if (localName(attribute) !== wanted) continue;
      const text = decodeEntities(value);
      if (wanted !== 'r') {
        repeatsSheets ||= sheets.has(text);
        sheets.add(text);
        continue;
      }
      const [, letters = '', digits] = /^([A-Z]{0,3})([1-9]\d{0,6})$/.exec(text) ?? [];
      if (digits === undefined || (letters === '') !== (name === 'row')) isSound = false;
      rows = Math.max(rows, Number(digits));
      columns = Math.max(columns, columnNumber(letters));
    }
  });
  parser.parse(Buffer.from(file).toString('utf8'));
  const hasPlaces = isSound && rows <= rowsMax && columns <= columnsMax;
  return { cells: hasPlaces ? rows * columns : undefined, repeatsSheets };
}

function columnNumber(letters: string): number {
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - letterBeforeA;
  return column;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
