/** The rows of tables of the advertising console: their cells, dates and figures. */
import { type DateOrder, isAmbiguous, readDate, type WrittenDate } from '../../cells/dates.ts';
import { readAmount, readCount } from '../../cells/money.ts';
import { DocumentRefused } from '../../refused.ts';
import { shown } from '../../rows.ts';
import type { ImportSession } from '../../session.ts';
import type { ConsoleCells, ConsoleRow } from './consoleNames.ts';
import { counts, money, type Title, titlesOf } from './consoleTitles.ts';

/** The maximum number of rows that wait in memory until their names and dates are known. */
const consoleRowsMax = 500_000;

/** Collects the rows of a document. */
export class ConsoleRows {
  readonly #session: ImportSession;
  readonly all: ConsoleRow[] = [];
  #titles: ReadonlyMap<string, Title> | undefined;

  constructor(session: ImportSession) {
    this.#session = session;
  }

  /** Takes a record. */
  readonly record = (record: Readonly<Record<string, string>>, line: number): void => {
    this.#titles ??= titlesOf(Object.keys(record), this.#session);
    if (this.all.length >= consoleRowsMax)
      throw new DocumentRefused(
        `the document has more than ${consoleRowsMax.toLocaleString('en')} rows: split it by its dates`,
      );
    this.all.push({ line, cells: cellsOf(record, this.#titles) });
  };

  /** Whether the document has a column of the field. */
  has(field: string): boolean {
    return [...(this.#titles?.values() ?? [])].some((title) => title.field === field);
  }
}

/** The cells of a record by field. Of several columns for a field, the first with a cell counts. */
function cellsOf(
  record: Readonly<Record<string, string>>,
  titles: ReadonlyMap<string, Title>,
): ConsoleCells {
  const cells: Record<string, string> = {};
  for (const [name, { field, currency }] of titles) {
    // Excel shows a long number in full if it is written as a formula.
    const text = record[name]!.trim().replace(/^="(.*)"$/s, '$1');
    if (text === '' || cells[field] !== undefined) continue;
    cells[field] = text;
    if (currency !== undefined) cells.currency ??= currency;
  }
  return cells;
}

/** The posting date of a row, and the first of its days. */
export type RowDates = { readonly postingDate: string; readonly first: number };

/** Reads the dates of rows in the order of day and month that all of them agree on. */
export function datesOf(
  rows: readonly ConsoleRow[],
): (row: ConsoleRow, session: ImportSession) => RowDates | undefined {
  const known = new Map<string, WrittenDate | undefined>();
  const orders = new Set<DateOrder>();
  for (const text of rows.flatMap(({ cells }) => dateTexts(cells))) {
    if (known.has(text)) continue;
    const written = readDate(text, 'spreadsheet');
    known.set(text, written);
    if (written && written.dayFirst === undefined) orders.add('monthFirst');
    if (written && written.monthFirst === undefined) orders.add('dayFirst');
  }
  const [order] = orders;
  return (row, session) => {
    const { line, cells } = row;
    const texts = dateTexts(cells);
    if (texts.length === 0) return dateOfImport(row, session);
    const days: number[] = [];
    for (const text of texts) {
      const written = known.get(text);
      if (!written) {
        session.reject(line, `must have a date (it is ${shown(text)})`);
        return undefined;
      }
      if (isAmbiguous(written) && orders.size !== 1) {
        const why =
          orders.size === 0
            ? 'no other date of the document shows which one is right'
            : 'the document writes dates both ways';
        session.reject(
          line,
          `${text.slice(0, 30)} has two readings, and ${why}: write dates as YYYY-MM-DD`,
        );
        return undefined;
      }
      days.push(
        isAmbiguous(written) ? written[order!]! : (written.dayFirst ?? written.monthFirst)!,
      );
    }
    const [first, last = first] = days as [number, number?];
    if (last < first) {
      session.reject(line, 'ends before it begins');
      return undefined;
    }
    const postingDate = session.postingDate(line, first, last);
    return postingDate === undefined ? undefined : { postingDate, first };
  };
}

function dateTexts({ range, first, last }: ConsoleCells): readonly string[] {
  if (range !== undefined) return range.split(/\s+[-–—]\s+/);
  return [first, last].filter((text) => text !== undefined);
}

/** The date of a row as the import names it; rejects the row if it does not. */
export function dateOfImport({ line }: ConsoleRow, session: ImportSession): RowDates | undefined {
  const { dateRange } = session;
  if (!dateRange) {
    session.rejectUndated(line);
    return undefined;
  }
  const postingDate = session.postingDate(line, dateRange.first, dateRange.last);
  return postingDate === undefined ? undefined : { postingDate, first: dateRange.first };
}

/**
 * The figures of a row, in the fields of the datasets. Rejects the row and returns undefined if one
 * is unreadable.
 */
export function figuresOf(
  session: ImportSession,
  { line, cells }: ConsoleRow,
): Record<string, unknown> | undefined {
  const figures: Record<string, unknown> = { currency: cells.currency };
  for (const name of [...money, ...counts]) {
    const text = cells[name] ?? '';
    figures[name] = money.includes(name)
      ? readAmount(text, session.notation.mark)
      : readCount(text);
    if (figures[name] !== undefined) continue;
    session.reject(line, `${name} must be a number (it is ${shown(text)})`);
    return undefined;
  }
  return figures;
}
