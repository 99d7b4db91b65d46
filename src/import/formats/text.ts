/** Reads lines and records of a text into a session. */
import { freeBytes } from '../bytes.ts';
import { DocumentRefused } from '../refused.ts';
import type { ImportSession } from '../session.ts';
import { LineSplitter, type OnRecord, RecordReader } from './lines.ts';

/** Reads the lines that are not empty. */
export async function readLines(
  session: ImportSession,
  bytes: AsyncIterable<Buffer>,
  onLine: (text: string, line: number) => void,
): Promise<void> {
  const splitter = new LineSplitter((text, line, problem) => {
    if (problem === undefined && text.trim() === '') return;
    session.rowsRead++;
    if (problem === undefined) onLine(text, line);
    else session.reject(line, problem);
  });
  for await (const chunk of bytes) {
    splitter.push(chunk);
    freeBytes(chunk);
    await session.flush();
  }
  splitter.end();
  await session.flush();
}

/** Receives the records of a delimited text. */
export type RecordHandler = {
  readonly header: (names: string[]) => void;
  readonly record: (cells: string[], line: number) => void;
  /** Receives the first line. Returns true if the header is on a later line. */
  readonly preface?: (text: string) => boolean;
  /** Whether a quote in a tab-separated text is an ordinary character. */
  readonly tabsUnquoted?: boolean;
};

/**
 * Reads the records of a delimited text. Rejects records that do not have as many cells as the
 * header.
 */
export async function readRecords(
  session: ImportSession,
  bytes: AsyncIterable<Buffer>,
  { header, record, preface = () => false, tabsUnquoted = false }: RecordHandler,
): Promise<void> {
  let width: number | undefined;
  const onRecord: OnRecord = (cells, line, problem) => {
    if (width === undefined) {
      if (problem !== undefined) throw new DocumentRefused(`the header ${problem}`);
      width = cells.length;
      header(cells);
      return;
    }
    session.rowsRead++;
    if (problem !== undefined) session.reject(line, problem);
    else if (cells.length !== width)
      session.reject(line, `has ${cells.length} cells, but the header has ${width}`);
    else record(cells, line);
  };
  const records = new RecordReader(onRecord, { tabsUnquoted });
  let begun = false;
  const splitter = new LineSplitter((text, line, problem) => {
    const isFirst = !begun && text !== '';
    begun ||= isFirst;
    if (!isFirst || !preface(text)) records.line(text, line, problem);
  });
  for await (const chunk of bytes) {
    splitter.push(chunk);
    freeBytes(chunk);
    await session.flush();
  }
  splitter.end();
  records.end();
  await session.flush();
}
