/**
 * Delimited documents, declared as tables: how the header is recognised, how each column is read, and
 * which rows of datasets a row becomes.
 */
import { isoDate } from '../../calendar/period.ts';
import { plainDay, plainInstant, readDate, type WrittenDate } from '../cells/dates.ts';
import { CellError, type FieldType } from '../cells/fields.ts';
import { readAmount, readCount } from '../cells/money.ts';
import { DocumentRefused } from '../refused.ts';
import { shown } from '../rows.ts';
import type { ImportSession } from '../session.ts';
import type { DocumentKind, DocumentReader } from './kind.ts';
import { marketplaceOf, marketplaceOfCountry, oneMarketplace } from './marketplaces.ts';

/** Reads the cells of a column, without the blanks around them. `absent` stands for the cells of a column that the header lacks. */
export type Reader<Value, Absent = undefined> = {
  readonly read: (text: string, session: ImportSession) => Value | CellError;
  readonly absent: Absent;
};

/** A column, by the titles that it may have. */
export type Column<Value> = {
  readonly titles: readonly string[];
  readonly read: (text: string, session: ImportSession) => Value | CellError;
  readonly absent: Value | undefined;
  /** Whether documents are recognised by it. */
  readonly isKnown: boolean;
  /** Whether a header without it is refused. */
  readonly isNeeded: boolean;
  /** Whether a row without it is rejected. */
  readonly isFilled: boolean;
};

/** Columns by the names that their cells have in `row`. */
export type Columns = Readonly<Record<string, Column<unknown>>>;

/** The cells of a row. */
export type CellsOf<Table extends Columns> = {
  readonly [Name in keyof Table]: Table[Name] extends Column<infer Value> ? Value : never;
};

/** A record as the document has it, by the titles of its header. */
export type SourceRecord = Readonly<Record<string, string>>;

/** What takes the rows of one document. */
export type TableReader<Table extends Columns> = {
  /** Takes the columns that the header has, before the first row. */
  readonly header?: (has: ReadonlySet<keyof Table>) => void;
  /** Takes a row; returns the reason where it rejects the row. */
  readonly row: (cells: CellsOf<Table>, line: number, record: SourceRecord) => string | undefined;
  readonly preface?: (line: string) => void;
  readonly end?: () => Promise<void>;
};

/** A kind of delimited document. */
export type TableDocument<Table extends Columns> = Pick<
  DocumentKind,
  'name' | 'about' | 'tables' | 'recognisesPreface'
> & {
  readonly columns: Table;
  /** What makes titles comparable. Without it they are compared as written. */
  readonly title?: (written: string) => string;
  /** Recognises a header by its comparable titles. Without it every `known` column must be there. */
  readonly recognises?: (titles: ReadonlySet<string>, names: readonly string[]) => boolean;
  /** The column of the marketplace's site or country: rows of other marketplaces are rejected. */
  readonly marketplace?: keyof Table & string;
  /** Columns whose cells together are unique: rows that repeat them are rejected. */
  readonly key?: readonly (keyof Table & string)[];
  /** False where rows belong to no channel. */
  readonly ofChannel?: false;
  /** True where tab-separated cells may be quoted. */
  readonly isQuoted?: true;
  readonly open: (session: ImportSession) => TableReader<Table>;
};

type Place = {
  readonly name: string;
  readonly column: Column<unknown>;
  /** The title as the header writes it, undefined where it lacks the column. */
  readonly title: string | undefined;
};

/** The document kind that a table declares. */
export function tableDocument<Table extends Columns>(table: TableDocument<Table>): DocumentKind {
  const { name, about, tables, recognisesPreface, columns } = table;
  const titleOf = table.title ?? ((title: string) => title);
  const known = Object.values(columns).filter(({ isKnown }) => isKnown);
  return {
    name,
    about,
    tables,
    ofChannel: table.ofChannel ?? true,
    tabsUnquoted: table.isQuoted !== true,
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
  const lineOfKey = new Map<string, number>();
  let places: readonly Place[] | undefined;

  /** Reads the cells of a record in the order of the places, or returns the reasons to reject it. */
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

  return {
    ...(preface && { preface }),
    ...(end && { end }),
    record(record, line) {
      if (places === undefined) {
        places = placesIn(table, Object.keys(record));
        const has = places.flatMap(({ name, title }) => (title === undefined ? [] : [name]));
        header?.(new Set(has));
      }
      if (table.marketplace !== undefined) {
        const { title } = places.find(({ name }) => name === table.marketplace)!;
        const site = title === undefined ? '' : record[title]!.trim();
        const marketplaceId = marketplaceOf(site) ?? marketplaceOfCountry(site);
        if (!isOfChannel({ marketplaceId }, line)) return;
      }
      const cells = cellsOf(record, line);
      const reason = typeof cells === 'string' ? cells : row(cells, line, record);
      if (typeof reason === 'string') session.reject(line, reason);
    },
  };
}

/** Where the header has each column, those of the key first; refuses a header that lacks columns. */
function placesIn<Table extends Columns>(
  table: TableDocument<Table>,
  header: readonly string[],
): readonly Place[] {
  const titleOf = table.title ?? ((title: string) => title);
  const written = new Map<string, string>();
  for (const name of header) if (!written.has(titleOf(name))) written.set(titleOf(name), name);
  const names = new Set([...(table.key ?? []), ...Object.keys(table.columns)]);
  const places = [...names].map((name): Place => {
    const column = table.columns[name]!;
    const found = column.titles.find((title) => written.has(title));
    return { name, column, title: found === undefined ? undefined : written.get(found)! };
  });
  const missing = places.filter(({ column, title }) => column.isNeeded && title === undefined);
  if (missing.length === 0) return places;
  const titles = missing.map(({ column }) => column.titles[0]);
  throw new DocumentRefused(`the header lacks ${titles.join(', ')}`);
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
  { read }: Reader<Value, unknown>,
  absent: Value | undefined,
  flags: Partial<Pick<Column<Value>, 'isKnown' | 'isNeeded'>>,
): Column<Value> {
  return {
    titles: typeof titles === 'string' ? [titles] : titles,
    read,
    absent,
    isKnown: false,
    isNeeded: false,
    isFilled: false,
    ...flags,
  };
}

/** A column that documents are recognised by. A header without it is refused. */
export function known<Value>(
  titles: string | readonly string[],
  reader: Reader<Value, unknown>,
): Column<Value> {
  return columnOf(titles, reader, undefined, { isKnown: true, isNeeded: true });
}

/** A column without which a header is refused. */
export function needed<Value>(
  titles: string | readonly string[],
  reader: Reader<Value, unknown>,
): Column<Value> {
  return columnOf(titles, reader, undefined, { isNeeded: true });
}

/** A column that a document may lack. */
export function optional<Value, Absent>(
  titles: string | readonly string[],
  reader: Reader<Value, Absent>,
): Column<Value | Absent> {
  return columnOf<Value | Absent>(titles, reader, reader.absent, {});
}

/** The column, of which every row must have a cell. */
export function filled<Value>(column: Column<Value>): Column<Value> {
  return { ...column, isFilled: true };
}

/** Any text; "" where there is none. */
export const text: Reader<string, ''> = { read: (cell) => cell, absent: '' };

/** A date of one reading, as YYYY-MM-DD. */
export const day: Reader<string> = {
  read(cell) {
    const found = plainDay(cell);
    return typeof found === 'number' ? isoDate(found) : found;
  },
  absent: undefined,
};

/** A date of one reading, perhaps with its time, as epoch seconds; without a time, midday in the channel's timezone. */
export const instant: Reader<number> = {
  read: (cell, { timezone }) => plainInstant(cell, timezone),
  absent: undefined,
};

/** A date that may have two readings, in any style. */
export const writtenDate: Reader<WrittenDate> = {
  read: (cell) => readDate(cell, 'any') ?? new CellError('must be a date'),
  absent: undefined,
};

/** An amount with or without its currency, as a plain decimal; "" where the cell is blank. */
export const amount: Reader<string, ''> = {
  read: (cell) => readAmount(cell) ?? new CellError('must be an amount'),
  absent: '',
};

/** A percentage with or without its sign, as a plain decimal; "" where the cell is blank. */
export const percentage: Reader<string, ''> = {
  read: (cell) => readAmount(cell.replace(/\s*%$/, '')) ?? new CellError('must be a percentage'),
  absent: '',
};

/** A whole number with or without marks of thousands, as plain digits; "" where the cell is blank. */
export const count: Reader<string, ''> = {
  read: (cell) => readCount(cell) ?? new CellError('must be a whole number'),
  absent: '',
};

/** A whole number of units, 0 where the cell is blank. */
export const units: Reader<number, 0> = {
  read(cell) {
    const found = Number(readCount(cell) ?? Number.NaN);
    return Number.isInteger(found) ? found : new CellError('must be a whole number');
  },
  absent: 0,
};

/** Text that a field of a dataset accepts, as it is written. */
export function checked(type: FieldType): Reader<string, ''> {
  return {
    read(cell) {
      const read = cell === '' ? '' : type.read(cell);
      return read instanceof CellError ? read : cell;
    },
    absent: '',
  };
}

/** A title without differences of capitals, blanks and dashes. */
export function plainTitle(written: string): string {
  return written
    .replaceAll(/[‐-―−]/g, '-')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}
