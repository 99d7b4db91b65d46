/** Checks rows of a dataset field by field, and stages them or rejects them with every reason. */
import { factTable, rowKeyOf } from '../../schema/warehouse/tables.ts';
import { localDay } from '../calendar/period.ts';
import type { PlainCoverage } from '../engine/plainRows.ts';
import type { DateRange } from '../engine/warehouse.ts';
import {
  amount,
  amountOrNone,
  CellError,
  type ColumnValue,
  exactBelow,
  isRounded,
  type Value,
} from './cells/fields.ts';
import type { Notation } from './cells/notation.ts';
import type { CoverageCollector } from './coverage.ts';
import type { Cells, Column, Dataset, Field, RowContext } from './datasets/dataset.ts';
import type { Stager } from './staging.ts';

/** Records a rejected row with its reason. */
export type Reject = (line: number, reason: string) => void;

/** The reason for rejecting a row outside the import's date range. */
export const outsideReason = 'is outside the dates that the import covers';

/** The output of a document's rows, and the settings for reading them. */
export type RowOutput = {
  readonly context: RowContext;
  readonly stager: Stager;
  readonly reject: Reject;
  readonly coverage: CoverageCollector;
  /** Counts amounts that were rounded. */
  readonly noteRounded: () => void;
  /** The dates that the import is to cover. */
  readonly dateRange?: DateRange | undefined;
  /** IANA zone of the channel's days. */
  readonly timezone: string;
  /** Whether the prices of the channel's documents include tax unless they say otherwise. */
  readonly pricesIncludeTax: boolean;
  readonly notation: Notation;
  /** Sees every staged row. */
  readonly onRow?: (cells: Cells) => void;
};

/** Whether an instant lies on the dates that the import is to cover, in the zone. */
export function isCovered(
  { dateRange, timezone }: Pick<RowOutput, 'dateRange' | 'timezone'>,
  instant: number,
): boolean {
  if (dateRange === undefined) return true;
  const day = localDay(timezone, instant);
  return day >= dateRange.first && day <= dateRange.last;
}

/** Checks and stages rows of one dataset. */
export class RowReader {
  readonly #dataset: Dataset;
  readonly #fields: readonly (Field & { readonly name: string })[];
  readonly #indexes: ReadonlyMap<string, number>;
  readonly #output: RowOutput;
  /** The column of the partition of each destination. */
  readonly #partitions: readonly (Column | undefined)[];
  /** Whether its tables have multi-day rows. */
  readonly #hasSpans: boolean;
  /** The columns except the day that identify a row, in tables with `spansByRow`. */
  readonly #keys: readonly (readonly Column[] | undefined)[];
  /** The details of each destination, each with its columns. */
  readonly #details: readonly (readonly (readonly [Column, Column | undefined])[])[];
  /** Accepted rows. */
  rowsAccepted = 0;
  /** Accepted rows that cover several days. */
  rowsMultiDay = 0;
  /** Rows that were accepted and then skipped. */
  rowsSkipped = 0;
  /** Takes accepted rows instead of staging them, if they must be compared with facts first. */
  hold: ((cells: Cells, line: number) => void) | undefined;

  /** Why a row that its dataset accepts is rejected, because of further knowledge. */
  objection: ((cells: Cells) => string | undefined) | undefined;

  constructor(dataset: Dataset, output: RowOutput) {
    this.#dataset = dataset;
    this.#fields = Object.entries(dataset.fields).map(([name, field]) => ({ name, ...field }));
    this.#indexes = new Map(this.#fields.map((field, index) => [field.name, index]));
    this.#output = output;
    const tables = dataset.destinations.map(({ table }) => factTable(table));
    this.#hasSpans = tables.some(({ columns }) => 'since' in columns);
    const columnAt = (at: number, name: string) =>
      dataset.destinations[at]!.columns[Object.keys(tables[at]!.columns).indexOf(name)]!;
    this.#partitions = tables.map(({ partition }, at) =>
      partition === undefined ? undefined : columnAt(at, partition),
    );
    this.#keys = tables.map(({ spansByRow }, at) =>
      spansByRow ? rowKeyOf(tables[at]!).map((name) => columnAt(at, name)) : undefined,
    );
    this.#details = tables.map(({ details = [] }, at) =>
      details.map(({ column, unlike }) => [
        columnAt(at, column),
        unlike === undefined ? undefined : columnAt(at, unlike),
      ]),
    );
  }

  /** The index of a field among the `values` of a row; undefined for unknown names. */
  indexOf(name: string): number | undefined {
    return this.#indexes.get(name);
  }

  /** The names of the required fields. */
  get required(): readonly string[] {
    return this.#fields.filter((field) => field.required).map((field) => field.name);
  }

  /** The names of all fields, as text. */
  get names(): string {
    return this.#fields.map((field) => field.name).join(', ');
  }

  /**
   * Reads a row given as an object. `source` is its JSON text, for numbers with more digits than a
   * double holds; `since` is the first day of a multi-day row.
   */
  object(
    row: Readonly<Record<string, unknown>>,
    line: number,
    source?: string,
    since?: number,
  ): void {
    const values: unknown[] = [];
    let unknown: string[] | undefined;
    for (const name in row) {
      const index = this.#indexes.get(name);
      if (index === undefined) {
        unknown ??= [];
        if (unknown.length < 5) unknown.push(shownName(name));
        continue;
      }
      const value = row[name];
      if (typeof value === 'number' && source !== undefined && losesDigits(value)) {
        const exact = exactly(source);
        if (exact === undefined) this.reject(line, 'is nested too deeply');
        else this.object(exact as Record<string, unknown>, line, undefined, since);
        return;
      }
      values[index] = value;
    }
    this.values(
      values,
      line,
      unknown &&
        `${unknown.join(', ')} ${unknown.length > 1 ? 'are not fields' : 'is not a field'} of ${this.#dataset.name}`,
      since,
    );
  }

  /** Reads a row given as values in the order of the fields; undefined, null and "" are missing. */
  values(values: readonly unknown[], line: number, problem?: string, since?: number): void {
    const cells = this.read(values, line, problem, since);
    if (cells === undefined) return;
    this.accept(cells, since);
    if (this.hold) this.hold(cells, line);
    else this.stage(cells, line);
  }

  /**
   * Checks a row given as in `values`; undefined if it was rejected. Neither counts nor stages it.
   */
  read(
    values: readonly unknown[],
    line: number,
    problem?: string,
    since?: number,
  ): Cells | undefined {
    const cells: Record<string, Value> = {};
    let reasons = problem;
    let rounded = 0;
    for (let index = 0; index < this.#fields.length; index++) {
      const field = this.#fields[index]!;
      const written = values[index];
      if (written === undefined || written === null || written === '') {
        if (field.required) reasons = and(reasons, `${field.name} is required`);
        cells[field.name] = field.type.missing;
        continue;
      }
      const value = this.#output.notation.plain(field.type, written);
      const read = value instanceof CellError ? value : field.type.read(value);
      if (read instanceof CellError)
        reasons = and(
          reasons,
          `${field.name} ${read.reason}${field.personal ? '' : ` (it is ${shown(written)})`}`,
        );
      else {
        cells[field.name] = read;
        if ((field.type === amount || field.type === amountOrNone) && isRounded(value)) rounded++;
      }
    }
    if (reasons === undefined) reasons = this.#dataset.check?.(cells) ?? this.objection?.(cells);
    if (reasons === undefined && this.#isOutside(cells, since)) reasons = outsideReason;
    if (reasons === undefined) {
      if (since !== undefined) cells.since = since;
      for (; rounded > 0; rounded--) this.#output.noteRounded();
      return cells;
    }
    this.reject(line, reasons);
    return undefined;
  }

  /** Rejects a row. */
  reject(line: number, reason: string): void {
    this.#output.reject(line, reason);
  }

  #isOutside(cells: Cells, since: number | undefined): boolean {
    const { dateRange } = this.#output;
    const { dayOf, instantOf } = this.#dataset;
    if (dateRange === undefined) return false;
    if (instantOf) return !isCovered(this.#output, instantOf(cells));
    const day = dayOf?.(cells);
    return day !== undefined && ((since ?? day) < dateRange.first || day > dateRange.last);
  }

  /** Counts a row that `read` has accepted, and adds its days to the coverage. */
  accept(cells: Cells, since?: number): void {
    const { dayOf, instantOf, destinations, destinationOf } = this.#dataset;
    const { coverage } = this.#output;
    const { table } = destinations[destinationOf(cells)]!;
    if (instantOf) coverage.addInstant(table, instantOf(cells));
    else if (dayOf) {
      const day = dayOf(cells);
      coverage.addDay(table, day);
      if (since !== undefined && since !== day) {
        coverage.addDay(table, since);
        this.rowsMultiDay++;
      }
      if (this.#dataset.coversPartitions) coverage.addPartition(table, this.#partitionOf(cells));
      if (this.#hasSpans) {
        const days = { first: since ?? day, last: day };
        coverage.addSpan(table, this.#partitionOf(cells), days, this.#keyOf(cells));
        coverage.addDetail(table, this.#detailOf(cells));
      }
    }
    this.rowsAccepted++;
  }

  /** Skips accepted rows, because the rows of another document count. */
  skip(rows: number): void {
    this.rowsAccepted -= rows;
    this.rowsSkipped += rows;
  }

  /** Counts rows that the engine has staged, and adds their coverage. */
  acceptPlain(rows: number, found: PlainCoverage): void {
    const { coverage } = this.#output;
    const { table } = this.#dataset.destinations[0]!;
    if ('from' in found) for (const end of [found.from, found.to]) coverage.addInstant(table, end);
    else
      for (const day of found.days) {
        coverage.addDay(table, day);
        if (this.#hasSpans) coverage.addSpan(table, '', { first: day, last: day });
      }
    this.rowsAccepted += rows;
  }

  /** The partition of a row in its table; "" if the table has none. */
  #partitionOf(cells: Cells): string {
    const column = this.#partitions[this.#dataset.destinationOf(cells)];
    return column === undefined ? '' : (column(cells, this.#output.context) as string);
  }

  /** The key of a row without its day, in a table with `spansByRow`. */
  #keyOf(cells: Cells): string | undefined {
    const columns = this.#keys[this.#dataset.destinationOf(cells)];
    return columns?.map((column) => column(cells, this.#output.context)).join('@');
  }

  /** The detail of a row, as an index into the `details` of its table. */
  #detailOf(cells: Cells): number {
    const { context } = this.#output;
    const details = this.#details[this.#dataset.destinationOf(cells)]!;
    const place = details.findLastIndex(([column, unlike]) => {
      const value = column(cells, context);
      return value !== '' && value !== unlike?.(cells, context);
    });
    return Math.max(place, 0);
  }

  /** Stages a row. */
  stage(cells: Cells, line: number): void {
    const { table, columns } = this.#dataset.destinations[this.#dataset.destinationOf(cells)]!;
    const { context, stager } = this.#output;
    const values: ColumnValue[] = [];
    for (const column of columns) values.push(column(cells, context));
    stager.put(table, line, values);
    this.#output.onRow?.(cells);
  }
}

function and(reasons: string | undefined, reason: string): string {
  return reasons === undefined ? reason : `${reasons}, ${reason}`;
}

/**
 * An unknown column name, for a reason. Names that may be personal data are withheld: a table
 * without a header has data in their place.
 */
export function shownName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '') return '(empty)';
  return mayBeSecret(trimmed) ? '(withheld)' : trimmed.slice(0, 60);
}

/** Whether a text in the wrong column may be an e-mail address or a key. */
function mayBeSecret(text: string): boolean {
  return text.includes('@') || text.includes('vit_');
}

/** A rejected value, shortened for a reason; withheld if it may be an address or a key. */
export function shown(value: unknown): string {
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'an object';
  if (typeof value === 'string' && mayBeSecret(value)) return '(withheld)';
  const text = JSON.stringify(typeof value === 'string' ? value.slice(0, 100) : value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** Whether a number may have had more digits in its source than a double holds. */
function losesDigits(value: number): boolean {
  return !(value < exactBelow && value > -exactBelow);
}

/** A reviver that reads long numbers as text. */
function exactNumbers(_key: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' && context?.source !== undefined && losesDigits(value)
    ? context.source
    : value;
}

/**
 * A number in a list or object can only be long if it begins with ten digits or has an exponent.
 * Texts with such digits, such as identifiers and hashes, usually do not count.
 */
const longNumber = /[^"\w.-]-?\d(?:\d{9}|[\d.]*[eE])/;

/** Parses JSON, with long numbers as text. Throws if it is invalid or nested too deeply. */
export function parseExactly(json: string): unknown {
  // Access to the source of each value takes four times as long.
  return longNumber.test(json) ? JSON.parse(json, exactNumbers) : JSON.parse(json);
}

function exactly(json: string): unknown {
  try {
    return parseExactly(json);
  } catch {
    return undefined;
  }
}
