/** Reads lines and records of a text into a session. */
import { freeBytes } from '../bytes.ts';
import type { PlainReader, TakenPortion } from '../plainReader.ts';
import { DocumentRefused } from '../refused.ts';
import type { ImportSession } from '../session.ts';
import { LineSplitter, type OnRecord, RecordReader } from './lines.ts';
import { portionsOf, slicesOf } from './portions.ts';

/** Reads the lines that are not empty, except portions that `plain` takes. */
export async function readLines(
  session: ImportSession,
  bytes: AsyncIterable<Buffer>,
  onLine: (text: string, line: number) => void,
  plain?: PlainReader,
): Promise<void> {
  const splitter = new LineSplitter((text, line, problem) => {
    if (problem === undefined && text.trim() === '') return;
    session.rowsRead++;
    if (problem === undefined) onLine(text, line);
    else session.reject(line, problem);
  });
  await pushAll(session, bytes, splitter, plain);
  splitter.end();
  await session.flush();
}

/** The number of portions that the engine reads while others are settled. */
const portionsAhead = 1;

/** Passes bytes on to the splitter, or portions to the engine while no record is open. */
async function pushAll(
  session: ImportSession,
  bytes: AsyncIterable<Buffer>,
  splitter: LineSplitter,
  plain?: PlainReader,
  isRecordOpen = () => false,
): Promise<void> {
  const taken: TakenPortion[] = [];
  const push = async (portion: Buffer) => {
    for (const slice of slicesOf(portion)) {
      splitter.push(slice);
      await session.flush();
    }
    freeBytes(portion);
  };
  const settle = async (ahead: number) => {
    while (taken.length > ahead) {
      const portion = taken.shift()!;
      if (await portion.isStaged()) {
        splitter.skip(portion.lines);
        session.rowsRead += portion.lines;
        freeBytes(portion.bytes);
        await session.flush();
      } else await push(portion.bytes);
    }
  };
  for await (const portion of plain ? portionsOf(bytes) : bytes) {
    const last = taken.at(-1);
    const line = last ? last.line + last.lines : splitter.nextLine;
    const next = line === undefined || isRecordOpen() ? undefined : plain?.take(portion, line);
    if (next) taken.push(next);
    await settle(next ? portionsAhead : 0);
    if (!next) await push(portion);
  }
  await settle(0);
}

/** Receives the records of a delimited text. */
export type RecordHandler = {
  readonly header: (names: string[]) => void;
  readonly record: (cells: string[], line: number) => void;
  /** Receives the first line. Returns true if the header is on a later line. */
  readonly preface?: (text: string) => boolean;
  /** Whether a quote in a tab-separated text is an ordinary character. */
  readonly tabsUnquoted?: boolean;
  /** Whether cells may be missing at the end of a record: they are empty. */
  readonly mayBeShort?: boolean;
  /** Takes the portions that the engine may read. */
  readonly plain?: PlainReader | undefined;
};

/** Whether a record has no cells, or is the header again because documents were joined. */
function isNoRecord(cells: readonly string[], titles: readonly string[]): boolean {
  return (
    cells.every((cell) => cell.trim() === '') ||
    (cells.length === titles.length && cells.every((cell, at) => cell === titles[at]))
  );
}

/**
 * Reads the records of a delimited text. Rejects records that do not have as many cells as the
 * header, unless they may be short.
 */
export async function readRecords(
  session: ImportSession,
  bytes: AsyncIterable<Buffer>,
  handler: RecordHandler,
): Promise<void> {
  const { header, record, preface = () => false, tabsUnquoted = false, plain } = handler;
  let width: number | undefined;
  let titles: readonly string[] = [];
  const onRecord: OnRecord = (cells, line, problem) => {
    if (width === undefined) {
      if (problem !== undefined) throw new DocumentRefused(`the header ${problem}`);
      width = cells.length;
      titles = cells;
      header(cells);
      plain?.takeHeader(
        cells.map((name) => name.trim()),
        records.delimiter!,
      );
      return;
    }
    if (handler.mayBeShort && problem === undefined) {
      if (isNoRecord(cells, titles)) return;
      while (cells.length < width) cells.push('');
      // A comma within an amount shifts its row, a tab does not.
      if (records.delimiter === '\t')
        while (cells.length > width && cells.at(-1)!.trim() === '') cells.pop();
    }
    session.rowsRead++;
    if (problem !== undefined) session.reject(line, problem);
    else if (cells.length !== width)
      session.reject(
        line,
        `has ${cellsText(cells.length)}, but the header has ${width}${cells.length > width ? ': put quotes around cells with a separator in them' : ''}`,
      );
    else record(cells, line);
  };
  const records = new RecordReader(onRecord, { tabsUnquoted });
  let begun = false;
  const splitter = new LineSplitter((text, line, problem) => {
    const isFirst = !begun && text !== '';
    begun ||= isFirst;
    if (!isFirst || !preface(text)) records.line(text, line, problem);
  });
  await pushAll(session, bytes, splitter, plain, () => records.isOpen);
  splitter.end();
  records.end();
  await session.flush();
}

function cellsText(count: number): string {
  return count === 1 ? '1 cell' : `${count} cells`;
}
