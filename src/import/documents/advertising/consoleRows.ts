/** The rows of tables of the advertising console: their cells, dates and figures. */
import { dayNumber, isoDate } from '../../../calendar/period.ts';
import { readDate, readingOf } from '../../cells/dates.ts';
import { CellError } from '../../cells/fields.ts';
import { readAmount, readCount } from '../../cells/money.ts';
import { TextNumbers } from '../../cells/textNumbers.ts';
import { DocumentRefused } from '../../refused.ts';
import { shown } from '../../rows.ts';
import type { ImportSession } from '../../session.ts';
import { RowPeriods } from '../../spans.ts';
import { Witnesses } from '../witnesses.ts';
import type { ConsoleCells, ConsoleRow } from './consoleNames.ts';
import { counts, money, type Title, titlesOf } from './consoleTitles.ts';
import { isOfStore, type StoreSigns } from './storeSigns.ts';

/** The maximum number of rows that wait in memory until their names and dates are known. */
const consoleRowsMax = 500_000;

/** Collects the rows of a document, except rows of other stores. */
export class ConsoleRows {
  readonly #session: ImportSession;
  /** The rows of the channel's store. */
  readonly all: ConsoleRow[] = [];
  readonly #check: (names: readonly string[]) => void;
  /** The lines of rows with figures, by the text of all their cells. */
  readonly #lines = new TextNumbers();
  #titles: ReadonlyMap<string, Title> | undefined;

  /** `check` refuses a table whose header is not of this kind. */
  constructor(session: ImportSession, check: (names: readonly string[]) => void) {
    this.#session = session;
    this.#check = check;
  }

  /** Takes a record. */
  readonly record = (record: Readonly<Record<string, string>>, line: number): void => {
    this.#titles ??= this.#titlesOf(Object.keys(record));
    if (this.all.length >= consoleRowsMax)
      throw new DocumentRefused(
        `the document has more than ${consoleRowsMax.toLocaleString('en')} rows: split it by its dates`,
      );
    const cells = cellsOf(record, this.#titles);
    this.#refuseSame(record, cells, line);
    if (isOfStore(this.#session, signsOf(cells))) this.all.push({ line, cells });
  };

  /** Refuses rows with figures that are equal in every cell: they would count twice. */
  #refuseSame(record: Readonly<Record<string, string>>, cells: ConsoleCells, line: number): void {
    if (!figureFields.some((field) => /[1-9]/.test(cells[field] ?? ''))) return;
    const key = Object.values(record).join('\0');
    const before = this.#lines.get(key);
    if (before !== undefined)
      throw new DocumentRefused(
        `lines ${before} and ${line} are the same in every cell, so they would count twice: import each report by itself`,
      );
    this.#lines.set(key, line);
  }

  #titlesOf(names: readonly string[]): ReadonlyMap<string, Title> {
    this.#check(names);
    return titlesOf(names, this.#session);
  }

  /** Decides from all cells how the document writes amounts and dates. */
  decideNotation(areCampaigns: boolean): void {
    const witnesses = new Witnesses(this.#session);
    for (const { cells } of this.all) {
      for (const field of [...money, 'budget', 'bid']) witnesses.take('amount', cells[field] ?? '');
      for (const field of counts) witnesses.take('count', cells[field] ?? '');
      for (const [at, text] of dateTexts(cells, areCampaigns).entries())
        witnesses.take('dates', text, at === 0 ? 'first' : 'last');
    }
    witnesses.decide();
  }

  /** Whether the document has a column of the field. */
  has(field: string): boolean {
    return [...(this.#titles?.values() ?? [])].some((title) => title.field === field);
  }
}

/** The cells of a record by field. If a field has several columns, the first filled cell counts. */
function cellsOf(
  record: Readonly<Record<string, string>>,
  titles: ReadonlyMap<string, Title>,
): ConsoleCells {
  const others = Object.keys(record).filter((name) => !titles.has(name) && isText(record[name]!));
  const cells: Record<string, string> = { others: others.map((name) => record[name]).join('\0') };
  for (const [name, { field, currency }] of titles) {
    // Excel shows a long number in full if it is written as a formula.
    const text = record[name]!.trim().replace(/^="(.*)"$/s, '$1');
    if (text === '' || cells[field] !== undefined) continue;
    cells[field] = text;
    if (currency !== undefined) cells.unit ??= currency;
  }
  return cells;
}

/** Whether a cell has words, not just numbers. */
function isText(cell: string): boolean {
  return /\p{L}{2}/u.test(cell);
}

const ofDates = ['range', 'date', 'first', 'last'];
const figureFields: readonly string[] = [...money, ...counts];
const figures: readonly string[] = [...figureFields, ...ofDates, 'state', 'budget', 'bid'];

/** The subject of a row, as text: all its words except its dates and its state. */
function subjectOf(cells: ConsoleCells): string {
  return Object.entries(cells)
    .filter(([field]) => !figures.includes(field))
    .map(([, text]) => text)
    .join('\0');
}

/** Refuses rows about the same subject whose periods overlap. */
export function refuseOverlaps(rows: readonly (readonly [ConsoleRow, RowDates])[]): void {
  const dated = rows.map(([{ cells }, { postingDate, first }]) => ({
    cells,
    period: { first, last: dayNumber(postingDate) },
  }));
  if (dated.every(({ period }) => period.first === period.last)) return;
  const periods = new RowPeriods();
  for (const { cells, period } of dated) periods.add(subjectOf(cells), period);
}

/** Refuses rows about the same target and dates: an unknown column divides the targets. */
export function refuseRepeats(rows: readonly (readonly [ConsoleRow, RowDates])[]): void {
  const lines = new Map<string, number>();
  for (const [{ cells, line }, { postingDate, first }] of rows) {
    const key = `${first} ${postingDate} ${subjectOf({ ...cells, others: '' })}`;
    const before = lines.get(key);
    if (before !== undefined)
      throw new DocumentRefused(
        `lines ${before} and ${line} are about the same target and dates: download the report without columns that divide targets, or with English titles`,
      );
    lines.set(key, line);
  }
}

/** The signs of the store to which a row belongs. */
function signsOf(cells: ConsoleCells): StoreSigns {
  const { country, retailer, currency, unit, budget, bid } = cells;
  const written = [unit, budget, bid, ...money.map((field) => cells[field])];
  const amounts = written.filter((text) => text !== undefined);
  return { country, retailer, currency, amounts };
}

/** The posting date of a row, and its first day. */
export type RowDates = { readonly postingDate: string; readonly first: number };

/** Reads the dates of a row. Rows without dates have the dates of the import. */
export function datesOf(
  row: ConsoleRow,
  areCampaigns: boolean,
  session: ImportSession,
): RowDates | undefined {
  const texts = dateTexts(row.cells, areCampaigns);
  if (texts.length === 0) return dateOfImport(row, session);
  const days: number[] = [];
  for (const text of texts) {
    const written = readDate(text, 'any');
    const order = readingOf(written, session.notation.order);
    if (order instanceof CellError) {
      session.reject(row.line, `date ${order.reason} (it is ${shown(text)})`);
      return undefined;
    }
    days.push(written![order]!);
  }
  const [first, last = first] = days as [number, number?];
  if (last < first) {
    session.reject(row.line, 'ends before it begins');
    return undefined;
  }
  // The rows of a summary, which is the console's default download, name their own dates.
  return { postingDate: isoDate(last), first };
}

/**
 * The dates of a row's figures. In a list of campaigns, first and last dates are the campaigns'
 * own.
 */
function dateTexts(
  { range, date, first, last }: ConsoleCells,
  areCampaigns: boolean,
): readonly string[] {
  if (range !== undefined) return range.split(/(?<!\s)\s+[-–—]\s+/);
  if (date !== undefined) return [date];
  if (areCampaigns) return [];
  return [first, last].filter((text) => text !== undefined);
}

/** The date of a row according to the import; rejects the row if the import names none. */
function dateOfImport({ line }: ConsoleRow, session: ImportSession): RowDates | undefined {
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
  const figures: Record<string, unknown> = {};
  for (const name of figureFields) {
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
