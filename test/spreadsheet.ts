/** Makes small spreadsheets, as programs do that give out tables. */
import { strToU8, zipSync } from 'fflate';

/** A date as spreadsheets store it: a serial number that a style shows as a date. */
export type SerialDate = { readonly serial: number };

const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** The letters of a column, counted from 0: A to Z, then AA. */
function lettersOf(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : lettersOf(Math.floor(column / 26) - 1) + last;
}

/**
 * The bytes of an XLSX with these sheets of rows. Numbers are stored as numbers, serial dates with
 * a style of dates, all else as text.
 */
export function spreadsheet(
  sheets: readonly (readonly (readonly (string | number | SerialDate)[])[])[],
): Buffer {
  const cellOf = (value: string | number | SerialDate) => {
    if (typeof value === 'number') return `<c><v>${value}</v></c>`;
    if (typeof value === 'object') return `<c s="1"><v>${value.serial}</v></c>`;
    return `<c t="inlineStr"><is><t xml:space="preserve">${escaped(value)}</t></is></c>`;
  };
  const named = (cell: string, row: number, column: number) =>
    cell.replace('<c', `<c r="${lettersOf(column)}${row}"`);
  const files: Record<string, string> = {
    '[Content_Types].xml': `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${type}.styles+xml"/>${sheets.map((_, at) => `<Override PartName="/xl/worksheets/sheet${at + 1}.xml" ContentType="${type}.worksheet+xml"/>`).join('')}</Types>`,
    '_rels/.rels': `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<?xml version="1.0"?><workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${sheets.map((_, at) => `<sheet name="Sheet${at + 1}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${sheets.map((_, at) => `<Relationship Id="rId${at + 1}" Type="${relations}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`).join('')}<Relationship Id="rIdStyles" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `<?xml version="1.0"?><styleSheet xmlns="${main}"><cellStyleXfs count="1"><xf numFmtId="0"/></cellStyleXfs><cellXfs count="2"><xf numFmtId="0" xfId="0"/><xf numFmtId="14" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`,
  };
  for (const [at, rows] of sheets.entries()) {
    const written = rows.map(
      (row, index) =>
        `<row r="${index + 1}">${row.map((value, column) => named(cellOf(value), index + 1, column)).join('')}</row>`,
    );
    files[`xl/worksheets/sheet${at + 1}.xml`] =
      `<?xml version="1.0"?><worksheet xmlns="${main}"><sheetData>${written.join('')}</sheetData></worksheet>`;
  }
  return Buffer.from(
    zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]))),
  );
}
