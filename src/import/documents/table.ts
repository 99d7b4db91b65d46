/**
 * Declares delimited documents as tables: how to recognise the header, how to read each column, and
 * which rows of datasets a row becomes.
 */

import { isoDate } from '../../calendar/period.ts';
import { plainDay, plainInstant, readDate, type WrittenDate } from '../cells/dates.ts';
import { CellError, type FieldType } from '../cells/fields.ts';
import { readAmount, readCount } from '../cells/money.ts';
import { isDecimal } from '../cells/notation.ts';
import { TextNumbers } from '../cells/textNumbers.ts';
import { DocumentRefused } from '../refused.ts';
import { shown } from '../rows.ts';
import type { ImportSession } from '../session.ts';
import type { DocumentKind, DocumentReader } from './kind.ts';
import { marketplaceNamed, oneMarketplace } from './marketplaces.ts';
import { isOfCurrency, type ShownCell, WaitingRows, type WrittenRow } from './waitingRows.ts';
import type { Shows } from './witnesses.ts';

/** Reads a cell of the column, trimmed. `absent` is the value if the header lacks the column. */
export type Reader<Value, Absent = undefined> = {
  readonly read: (text: string, session: ImportSession) => Value | CellError;
  readonly absent: Absent;
  /** The notation that its cells show, if any. */
  readonly shows?: Shows;
};

/** A column, with its possible titles. */
export type Column<Value> = {
  readonly titles: readonly string[];
  readonly read: (text: string, session: ImportSession) => Value | CellError;
  readonly absent: Value | undefined;
  readonly shows: Shows | undefined;
  /** Whether the column identifies the document. */
  readonly isKnown: boolean;
  /** Whether a header that lacks the column is refused. */
  readonly isNeeded: boolean;
  /** Whether a row with a blank cell is rejected. */
  readonly isFilled: boolean;
};

/** Columns, by the names of their cells in `row`. */
export type Columns = Readonly<Record<string, Column<unknown>>>;

/** The cells of a row. */
export type CellsOf<Table extends Columns> = {
  readonly [Name in keyof Table]: Table[Name] extends Column<infer Value> ? Value : never;
};

/** A record as written, by the titles of the header. */
export type SourceRecord = Readonly<Record<string, string>>;

/** Receives the rows of one document. */
export type TableReader<Table extends Columns> = {
  /** Receives the columns that the header has, before the first row. */
  readonly header?: (has: ReadonlySet<keyof Table>) => void;
  /** Takes a row. Returns the reason if the row is rejected. */
  readonly row: (cells: CellsOf<Table>, line: number, record: SourceRecord) => string | undefined;
  readonly preface?: (line: string) => void;
  readonly end?: () => Promise<void>;
};

/** A kind of delimited document. */
export type TableDocument<Table extends Columns> = Pick<
  DocumentKind,
  'name' | 'about' | 'tables' | 'recognisesPreface' | 'title' | 'marks'
> & {
  readonly columns: Table;
  /** Recognises a header by its comparable titles. By default it must have every `known` column. */
  readonly recognises?: (titles: ReadonlySet<string>, names: readonly string[]) => boolean;
  /** The column with the marketplace's site or country. Rows of other marketplaces are skipped. */
  readonly marketplace?: keyof Table & string;
  /** Titles of columns that narrow the document to a part of the store. It is then refused. */
  readonly narrowing?: readonly string[];
  /** The columns of the key. Rows that repeat a key are rejected. */
  readonly key?: readonly (keyof Table & string)[];
  /** False if the rows belong to no channel. */
  readonly ofChannel?: false;
  /** True if tab-separated cells may be quoted. */
  readonly isQuoted?: true;
  /** True if every row has all cells, so that a row without one is cut off. */
  readonly isCutOffIfShort?: true;
  readonly open: (session: ImportSession) => TableReader<Table>;
};

type Place = {
  readonly name: string;
  readonly column: Column<unknown>;
  /** The title as written in the header; undefined if the header lacks the column. */
  readonly title: string | undefined;
};

/** The document kind of a table. */
export function tableDocument<Table extends Columns>(table: TableDocument<Table>): DocumentKind {
  const { name, about, tables, recognisesPreface, columns } = table;
  const titleOf = table.title ?? ((title: string) => title);
  const known = Object.values(columns).filter(({ isKnown }) => isKnown);
  return {
    name,
    about,
    tables,
    marks: table.marks ?? (known.length > 0 ? [known.map(({ titles }) => titles)] : []),
    titles: Object.values(columns).flatMap(({ titles }) => titles),
    title: titleOf,
    ofChannel: table.ofChannel ?? true,
    tabsUnquoted: table.isQuoted !== true,
    mayBeShort: table.isCutOffIfShort !== true,
    ...(recognisesPreface && { recognisesPreface }),
    recognisesHeader(names) {
      const has = new Set(names.map(titleOf));
      return table.recognises
        ? table.recognises(has, names)
        : known.every(({ titles }) => titles.some((title) => has.has(title)));
    },
    read: (session) => readerOf(table, session),
  };
}

function readerOf<Table extends Columns>(
  table: TableDocument<Table>,
  session: ImportSession,
): DocumentReader {
  const { row, header, preface, end } = table.open(session);
  const isOfChannel = oneMarketplace(session);
  const waiting = new WaitingRows(session, takeRow);
  const lineOfKey = new TextNumbers();
  let places: readonly Place[] | undefined;

  /** Whether a record is from the channel's store, by marketplace and signs of amounts. */
  function isOfStore(record: SourceRecord, line: number): boolean {
    if (table.marketplace !== undefined) {
      const { title } = places!.find(({ name }) => name === table.marketplace)!;
      const site = title === undefined ? '' : record[title]!.trim();
      const marketplaceId = marketplaceNamed(site);
      if (!isOfChannel({ marketplaceId }, line)) return false;
    }
    return isOfCurrency(shownIn(record), session);
  }

  /** The cells of a record that show how the document writes amounts and dates. */
  function shownIn(record: SourceRecord): ShownCell[] {
    return places!.flatMap(({ column: { shows }, title }) => {
      if (shows === undefined || title === undefined) return [];
      return [[shows, record[title]!.trim(), title] as const];
    });
  }

  /** Reads the cells of a record in column order, or returns the reasons to reject it. */
  function cellsOf(record: SourceRecord, line: number): CellsOf<Table> | string {
    const cells: Record<string, unknown> = {};
    const reasons: string[] = [];
    let keysLeft = table.key?.length ?? 0;
    for (const { name, column, title } of places!) {
      const cell = title === undefined ? '' : record[title]!.trim();
      const value = readCell(cell, column, title, session);
      if (value instanceof CellError) reasons.push(value.reason);
      cells[name] = value;
      if (--keysLeft !== 0 || reasons.length > 0) continue;
      const key = JSON.stringify(table.key!.map((one) => cells[one] ?? ''));
      const before = lineOfKey.get(key);
      if (before !== undefined) return `repeats the key of line ${before}`;
      lineOfKey.set(key, line);
    }
    return reasons.length > 0 ? reasons.join(', ') : (cells as CellsOf<Table>);
  }

  function takeRow({ record, line }: WrittenRow): void {
    const cells = cellsOf(record, line);
    const reason = typeof cells === 'string' ? cells : row(cells, line, record);
    if (typeof reason === 'string') session.reject(line, reason);
  }

  return {
    ...(preface && { preface }),
    record(record, line) {
      if (places === undefined) {
        places = placesIn(table, Object.keys(record));
        const has = places.flatMap(({ name, title }) => (title === undefined ? [] : [name]));
        header?.(new Set(has));
      }
      if (isOfStore(record, line)) waiting.take({ record, line, shown: shownIn(record) });
    },
    async end() {
      waiting.end();
      await end?.();
    },
  };
}

/**
 * The index of each column in the header, columns of the key first. Refuses a header that lacks
 * required columns.
 */
function placesIn<Table extends Columns>(
  table: TableDocument<Table>,
  header: readonly string[],
): readonly Place[] {
  const titleOf = table.title ?? ((title: string) => title);
  const written = new Map<string, string>();
  for (const name of header) if (!written.has(titleOf(name))) written.set(titleOf(name), name);
  const narrowing = table.narrowing?.find((title) => written.has(title));
  if (narrowing !== undefined)
    throw new DocumentRefused(
      `the column ${written.get(narrowing)!.trim()} narrows the document to a part of the store, which must not replace the whole: download it without this choice`,
    );
  const names = new Set([...(table.key ?? []), ...Object.keys(table.columns)]);
  const places = [...names].map((name): Place => {
    const column = table.columns[name]!;
    const found = column.titles.find((title) => written.has(title));
    return { name, column, title: found === undefined ? undefined : written.get(found)! };
  });
  const missing = places.filter(({ column, title }) => column.isNeeded && title === undefined);
  if (missing.length === 0) return places;
  throw new DocumentRefused(missingText(missing.map(({ column }) => column)));
}

/** Refuses a header without certain columns that are otherwise optional. */
export function requireColumns<Table extends Columns>(
  columns: Table,
  has: ReadonlySet<keyof Table>,
  names: readonly (keyof Table)[],
): void {
  const missing = names.filter((name) => !has.has(name)).map((name) => columns[name]!);
  if (missing.length > 0) throw new DocumentRefused(missingText(missing));
}

function missingText(columns: readonly Column<unknown>[]): string {
  const names = columns.map(({ titles }) => titles[0]).join(', ');
  return `the header lacks ${names}: download the document with all of its columns`;
}

/** Reads a cell, or returns the reason to reject its row. */
function readCell(
  cell: string,
  { titles, read, absent, isFilled }: Column<unknown>,
  title: string | undefined,
  session: ImportSession,
): unknown {
  const name = title?.trim() ?? titles[0];
  if (cell === '' && isFilled) return new CellError(`${name} is required`);
  const value = title === undefined ? absent : read(cell, session);
  if (!(value instanceof CellError)) return value;
  return new CellError(
    cell === '' ? `${name} is required` : `${name} ${value.reason} (it is ${shown(cell)})`,
  );
}

function columnOf<Value>(
  titles: string | readonly string[],
  { read, shows }: Reader<Value, unknown>,
  absent: Value | undefined,
  flags: Partial<Pick<Column<Value>, 'isKnown' | 'isNeeded'>>,
): Column<Value> {
  return {
    titles: typeof titles === 'string' ? [titles] : titles,
    read,
    absent,
    shows,
    isKnown: false,
    isNeeded: false,
    isFilled: false,
    ...flags,
  };
}

/** A column that identifies the document. A header without it is refused. */
export function known<Value>(
  titles: string | readonly string[],
  reader: Reader<Value, unknown>,
): Column<Value> {
  return columnOf(titles, reader, undefined, { isKnown: true, isNeeded: true });
}

/** A required column: a header without it is refused. */
export function needed<Value>(
  titles: string | readonly string[],
  reader: Reader<Value, unknown>,
): Column<Value> {
  return columnOf(titles, reader, undefined, { isNeeded: true });
}

/** An optional column. */
export function optional<Value, Absent>(
  titles: string | readonly string[],
  reader: Reader<Value, Absent>,
): Column<Value | Absent> {
  return columnOf<Value | Absent>(titles, reader, reader.absent, {});
}

/** The same column, with a cell required in every row. */
export function filled<Value>(column: Column<Value>): Column<Value> {
  return { ...column, isFilled: true };
}

/** Any text; "" if blank. */
export const text: Reader<string, ''> = { read: (cell) => cell, absent: '' };

/** A date, as YYYY-MM-DD. */
export const day: Reader<string> = {
  read(cell, { notation }) {
    const found = plainDay(cell, notation.order);
    return typeof found === 'number' ? isoDate(found) : found;
  },
  absent: undefined,
  shows: 'dates',
};

/**
 * A date with or without a time, as epoch seconds. Without a time it counts as midday in the
 * channel's timezone.
 */
export const instant: Reader<number> = {
  read: (cell, { timezone, notation }) => plainInstant(cell, timezone, notation.order),
  absent: undefined,
  shows: 'dates',
};

/** A date in any style, which may have two readings. */
export const writtenDate: Reader<WrittenDate> = {
  read: (cell) => readDate(cell, 'any') ?? new CellError('must be a date'),
  absent: undefined,
  shows: 'dates',
};

/** An amount with or without a currency, as a plain decimal; "" if blank. */
export const amount: Reader<string, ''> = {
  read: (cell, { notation }) => notation.money(cell),
  absent: '',
  shows: 'amount',
};

/** A percentage with or without its sign, as a plain decimal; "" if blank. */
export const percentage: Reader<string, ''> = {
  read: (cell, { notation }) =>
    readAmount(cell.replace(/%$/, ''), notation.mark) ?? new CellError('must be a percentage'),
  absent: '',
  shows: 'percentage',
};

/** A whole number with or without thousands separators, as plain digits; "" if blank. */
export const count: Reader<string, ''> = {
  read: (cell) => readCount(cell) ?? new CellError('must be a whole number'),
  absent: '',
  shows: 'count',
};

/** A whole number of units; 0 if blank. */
export const units: Reader<number, 0> = {
  read(cell) {
    const found = Number(readCount(cell) ?? Number.NaN);
    return Number.isInteger(found) ? found : new CellError('must be a whole number');
  },
  absent: 0,
  shows: 'count',
};

/** A whole number of units; undefined if blank or a dash, which is not the same as 0. */
export const unitsOrNone: Reader<number | undefined> = {
  read: (cell, session) => (readCount(cell) === '' ? undefined : units.read(cell, session)),
  absent: undefined,
  shows: 'count',
};

/** Text that a field of a dataset accepts, as written except for a decimal comma. */
export function checked(type: FieldType): Reader<string, ''> {
  return {
    read(cell, { notation }) {
      const plain = cell === '' ? '' : notation.plain(type, cell);
      const read = plain === '' || plain instanceof CellError ? plain : type.read(plain);
      return read instanceof CellError ? read : String(plain);
    },
    absent: '',
    ...(isDecimal(type) && { shows: 'amount' as const }),
  };
}

/** A title without differences of case, blanks and dashes. */
export function plainTitle(written: string): string {
  return written
    .replaceAll(/[‐-―−]/g, '-')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}
