/** Reads a spreadsheet (XLSX) as delimited text: one sheet, one line per row. */
import { posix } from 'node:path';
import { DocumentRefused, DocumentTooLarge } from '../refused.ts';
import { ArchiveDamaged, type ArchivedFile, filesOf, unpackedPieces } from './archive.ts';
import { readFormats, SharedTexts, SheetDamaged, TooManyTexts } from './sheetCells.ts';
import {
  CellTooFar,
  type SheetRow,
  sheetRows,
  TooManyCharacters,
  type Workbook,
} from './sheetRows.ts';
import { StoredBytes } from './storedBytes.ts';
import { readXmlWhole, XmlDamaged } from './xml.ts';

/** The maximum size of a spreadsheet, packed and unpacked, in bytes. */
const packedBytesMax = 64 * 1024 * 1024;
const unpackedBytesMax = 256 * 1024 * 1024;
/** The maximum number of cells that a sheet may span, including empty ones. */
const cellsMax = 10_000_000;
/** Lines are passed on in pieces of about this length. */
const pieceCharacters = 65_536;
const damaged =
  'the XLSX is damaged or not a spreadsheet: open it and save it again, or save it as CSV';
const tooLarge =
  'the XLSX is larger than 64 MiB, or than 256 MiB when unpacked: save it as CSV, or split it';
const tooManyTexts =
  'the XLSX has more different texts than memory is for: save it as CSV, or split it';
const tooManyCharacters =
  'the cells of the XLSX have more than 536870912 characters together: save it as CSV, or split it';
const tooFar = 'the XLSX has cells too far from the others: delete them, or save it as CSV';

/** Whether a zip archive whose first file has this name is a spreadsheet. */
export function beginsSpreadsheet(firstFile: string): boolean {
  return /^(?:\[Content_Types\]\.xml$|_rels\/|docProps\/|xl\/)/.test(firstFile);
}

/**
 * The first sheet with a known header (`isHeader`), or else the first sheet. Numbers retain their
 * stored digits; dates become YYYY-MM-DD. Large spreadsheets are stored in a file at `path`, and
 * read piece by piece.
 */
export async function* sheetText(
  source: AsyncIterable<Buffer>,
  path: string,
  isHeader: (names: readonly string[]) => boolean,
): AsyncGenerator<Buffer> {
  const bytes = new StoredBytes(path, packedBytesMax, tooLarge);
  try {
    for await (const piece of source) bytes.add(piece);
    const spreadsheet = await Spreadsheet.open(bytes);
    yield* spreadsheet.lines(await spreadsheet.sheetWith(isHeader));
  } catch (error) {
    throw refusalOf(error);
  } finally {
    bytes.close();
  }
}

function refusalOf(error: unknown): unknown {
  if (error instanceof CellTooFar) return new DocumentRefused(tooFar);
  if (error instanceof TooManyTexts) return new DocumentTooLarge(tooManyTexts);
  if (error instanceof TooManyCharacters) return new DocumentTooLarge(tooManyCharacters);
  return [ArchiveDamaged, XmlDamaged, SheetDamaged].some((kind) => error instanceof kind)
    ? new DocumentRefused(damaged)
    : error;
}

/** The files of a workbook: its sheets in order, and the files to which their cells refer. */
type Parts = {
  readonly isFrom1904: boolean;
  readonly sheets: readonly ArchivedFile[];
  readonly texts: ArchivedFile | undefined;
  readonly formats: ArchivedFile | undefined;
};

class Spreadsheet {
  readonly #bytes: StoredBytes;
  readonly #sheets: readonly ArchivedFile[];
  readonly #workbook: Workbook;

  private constructor(bytes: StoredBytes, { sheets }: Parts, workbook: Workbook) {
    this.#bytes = bytes;
    this.#sheets = sheets;
    this.#workbook = workbook;
  }

  static async open(bytes: StoredBytes): Promise<Spreadsheet> {
    const parts = await partsOf(bytes);
    const texts = new SharedTexts();
    if (parts.texts !== undefined) await texts.read(unpackedPieces(bytes, parts.texts));
    const formats =
      parts.formats === undefined ? [] : await readFormats(unpackedPieces(bytes, parts.formats));
    return new Spreadsheet(bytes, parts, { texts, formats, isFrom1904: parts.isFrom1904 });
  }

  async sheetWith(isHeader: (names: readonly string[]) => boolean): Promise<ArchivedFile> {
    for (const sheet of this.#sheets)
      for await (const { values } of this.#rows(sheet)) {
        if (isHeader(values)) return sheet;
        break;
      }
    return this.#sheets[0]!;
  }

  /** The lines of a sheet. An empty row is an empty line, so that line and row numbers are equal. */
  async *lines(sheet: ArchivedFile): AsyncGenerator<Buffer> {
    const width = await this.#widthOf(sheet);
    let text = '';
    let line = 0;
    for await (const { number, values } of this.#rows(sheet)) {
      text += '\n'.repeat(number - line - 1);
      line = number;
      const cells = values.map((value) => `"${value.replaceAll('"', '""')}"`);
      text += `${cells.join()}${',""'.repeat(width - values.length)}\n`;
      if (text.length < pieceCharacters) continue;
      yield Buffer.from(text);
      text = '';
    }
    yield Buffer.from(text);
  }

  /** The columns that have a value in any row. */
  async #widthOf(sheet: ArchivedFile): Promise<number> {
    let width = 0;
    for await (const { number, values } of this.#rows(sheet)) {
      width = Math.max(width, values.length);
      if (number * width > cellsMax) throw new CellTooFar();
    }
    return width;
  }

  #rows(sheet: ArchivedFile): AsyncGenerator<SheetRow> {
    return sheetRows(unpackedPieces(this.#bytes, sheet), this.#workbook);
  }
}

async function partsOf(bytes: StoredBytes): Promise<Parts> {
  const files = filesOf(bytes);
  const unpackedBytes = [...files.values()].reduce((sum, file) => sum + file.unpackedBytes, 0);
  if (unpackedBytes > unpackedBytesMax) throw new DocumentTooLarge(tooLarge);
  const read = (name: string) => {
    const file = files.get(name);
    if (file === undefined) throw new SheetDamaged();
    return unpackedPieces(bytes, file);
  };
  const targets = new Map<string, ArchivedFile>();
  const shared = new Map<string, ArchivedFile>();
  const listed = new Set<ArchivedFile>();
  await readXmlWhole(read('xl/_rels/workbook.xml.rels'), {
    open(name, attributes) {
      if (name !== 'Relationship') return;
      const { Id = '', Type = '', Target = '' } = attributes();
      const file = files.get(posix.resolve('/xl', Target).slice(1));
      const type = Type.slice(Type.lastIndexOf('/') + 1);
      if (file === undefined) return;
      if (type !== 'worksheet') shared.set(type, file);
      else if (listed.has(file)) throw new SheetDamaged();
      else {
        listed.add(file);
        targets.set(Id, file);
      }
    },
  });
  let isFrom1904: boolean | undefined;
  const sheets = new Set<ArchivedFile>();
  await readXmlWhole(read('xl/workbook.xml'), {
    open(name, attributes) {
      if (name === 'workbookPr') isFrom1904 ??= ['1', 'true'].includes(attributes().date1904 ?? '');
      if (name !== 'sheet') return;
      const sheet = targets.get(attributes().id ?? '');
      if (sheet === undefined) return;
      if (sheets.has(sheet)) throw new SheetDamaged();
      sheets.add(sheet);
    },
  });
  if (sheets.size === 0) throw new SheetDamaged();
  return {
    isFrom1904: isFrom1904 ?? false,
    sheets: [...sheets],
    texts: shared.get('sharedStrings'),
    formats: shared.get('styles'),
  };
}
