/** Reads a spreadsheet (XLSX) as delimited text: one sheet, one line per row. */
import { type Unzipped, unzipSync, zipSync } from 'fflate';
import { DocumentRefused, DocumentTooLarge } from '../refused.ts';
import { sheetSize } from './sheetSize.ts';

/**
 * The maximum size of a spreadsheet, packed and unpacked, in bytes. It is kept in memory as a
 * whole, several times over.
 */
const packedBytesMax = 64 * 1024 * 1024;
const unpackedBytesMax = 256 * 1024 * 1024;
/** The cells that all sheets may span: they are kept in memory, empty ones too. */
const cellsMax = 10_000_000;
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
  refuseLarge(Object.values(texts));
  try {
    // Packed anew, because the reader waits for ever where bytes follow an archive.
    const packed = Buffer.from(zipSync(texts, { level: 0 }));
    const sheets = await readXlsxFile(packed, { parseNumber: (text) => text, trim: false });
    return sheets.map(({ data }) => data as readonly (readonly unknown[])[]);
  } catch {
    throw new DocumentRefused(damaged);
  }
}

/** Files of a spreadsheet that hold no text and no number. */
const others = /^xl\/(calcChain|charts|comments|drawings|externalLinks|pivot|printer|theme)/;

/** The files of the archive that may be sheets, and those that lead to them. */
function textFilesOf(bytes: Buffer): Unzipped {
  try {
    return unzipSync(bytes, {
      filter: ({ name }) => /\.(xml|rels)$/.test(name) && !others.test(name),
    });
  } catch {
    throw new DocumentRefused(damaged);
  }
}

/**
 * Refuses files that together span far more cells than figures take, or list a sheet twice. Any may
 * be a sheet or a list.
 */
function refuseLarge(files: readonly Uint8Array[]): void {
  let cells = 0;
  for (const file of files) {
    const size = sheetSize(file);
    if (size.repeatsSheets) throw new DocumentRefused(damaged);
    cells += size.cells ?? Number.POSITIVE_INFINITY;
    if (cells > cellsMax)
      throw new DocumentRefused(
        'the XLSX has cells too far from the others: delete them, or save it as CSV',
      );
  }
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  return String(value).replaceAll(/\s*[\r\n]+\s*/g, ' ');
}
