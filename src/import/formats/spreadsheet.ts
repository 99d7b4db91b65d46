/** Reads a spreadsheet (XLSX) as delimited text: one sheet, one line per row. */
import { type Unzipped, unzipSync, zipSync } from 'fflate';
import { DocumentRefused, DocumentTooLarge } from '../refused.ts';

/**
 * The maximum size of a spreadsheet, packed and unpacked, in bytes. It is kept in memory as a
 * whole, several times over.
 */
const packedBytesMax = 64 * 1024 * 1024;
const unpackedBytesMax = 256 * 1024 * 1024;
/** The cells that a sheet may span: all are kept in memory, empty ones too. */
const cellsMax = 20_000_000;
/** The place of a row or a cell, such as 7 or B7. */
const places = /<(?:\w+:)?(?:row|c)\b[^>]*?\sr="([A-Za-z]*)(\d+)"/g;
const letterBeforeA = 64;
const damaged =
  'the XLSX is damaged or not a spreadsheet: open it and save it again, or save it as CSV';

/** Whether a zip archive whose first file has this name is a spreadsheet. */
export function beginsSpreadsheet(firstFile: string): boolean {
  return /^(?:\[Content_Types\]\.xml$|_rels\/|docProps\/|xl\/)/.test(firstFile);
}

/**
 * The first sheet with a known header (`isHeader`), or else the first sheet. Numbers keep their
 * stored digits; dates become YYYY-MM-DD.
 */
export async function* sheetText(
  source: AsyncIterable<Buffer>,
  isHeader: (names: readonly string[]) => boolean,
): AsyncGenerator<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of source) {
    size += part.length;
    if (size > packedBytesMax) tooLarge();
    parts.push(part);
  }
  const bytes = Buffer.concat(parts);
  if (unpackedSize(bytes) > unpackedBytesMax) tooLarge();
  const sheets = await sheetsOf(bytes);
  const headerOf = (rows: readonly (readonly unknown[])[]) =>
    (rows.find((row) => row.some((value) => value !== null)) ?? []).map(textOf);
  const chosen = sheets.find((rows) => isHeader(headerOf(rows))) ?? sheets[0] ?? [];
  const width = headerOf(chosen).length;
  for (const row of chosen) {
    const cells = Array.from({ length: Math.max(width, row.length) }, (_, place) =>
      textOf(row[place]),
    );
    // An empty row becomes an empty line, so that line numbers equal row numbers.
    yield Buffer.from(
      cells.every((cell) => cell === '')
        ? '\n'
        : `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join()}\n`,
    );
  }
}

function tooLarge(): never {
  throw new DocumentTooLarge(
    'the XLSX is larger than 64 MiB, or than 256 MiB when unpacked: save it as CSV, or split it',
  );
}

/** The unpacked size that the archive declares. */
function unpackedSize(bytes: Buffer): number {
  let size = 0;
  try {
    unzipSync(bytes, {
      filter(file) {
        if (file.name === '') throw new Error('The list of files is damaged');
        size += file.originalSize;
        return false;
      },
    });
  } catch {
    throw new DocumentRefused(damaged);
  }
  return size;
}

async function sheetsOf(bytes: Buffer): Promise<readonly (readonly (readonly unknown[])[])[]> {
  // Loaded with the first spreadsheet, so that other imports need not wait for it.
  const { default: readXlsxFile } = await import('read-excel-file/node');
  const texts = textFilesOf(bytes);
  for (const [name, text] of Object.entries(texts))
    if (name.startsWith('xl/worksheets/')) refuseFarCells(text);
  try {
    // Packed anew, because the reader waits for ever where bytes follow an archive.
    const packed = Buffer.from(zipSync(texts, { level: 0 }));
    const sheets = await readXlsxFile(packed, { parseNumber: (text) => text, trim: false });
    return sheets.map(({ data }) => data as readonly (readonly unknown[])[]);
  } catch {
    throw new DocumentRefused(damaged);
  }
}

/** The files of the archive that texts and numbers stand in. */
function textFilesOf(bytes: Buffer): Unzipped {
  try {
    return unzipSync(bytes, { filter: ({ name }) => /\.(xml|rels)$/.test(name) });
  } catch {
    throw new DocumentRefused(damaged);
  }
}

/** Refuses a sheet whose last row and column span far more cells than a sheet of figures has. */
function refuseFarCells(sheet: Uint8Array): void {
  let [rows, columns] = [0, 0];
  for (const [, letters = '', digits] of Buffer.from(sheet).toString('latin1').matchAll(places)) {
    rows = Math.max(rows, Number(digits));
    let column = 0;
    for (const letter of letters.toUpperCase())
      column = column * 26 + letter.charCodeAt(0) - letterBeforeA;
    columns = Math.max(columns, column);
  }
  if (rows * columns > cellsMax)
    throw new DocumentRefused(
      'the XLSX has cells too far from the others: delete them, or save it as CSV',
    );
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  return String(value).replaceAll(/\s*[\r\n]+\s*/g, ' ');
}
