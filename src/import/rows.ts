/** Rows of a dataset: checked field by field, and staged or refused with every reason. */
import type { DateRange } from '../engine/warehouse.ts';
import { CellError, type ColumnValue, exactBelow, type Value } from './cells/fields.ts';
import type { Cells, Circumstances, Dataset, Field } from './datasets/datasets.ts';
import type { Stager } from './staging.ts';

/** Takes note of a refused row. */
export type Reject = (line: number, reason: string) => void;

/** The reason for refusing a row that lies outside of it. */
export const outsideReason = 'lies outside the dates that the import was said to cover';

/** How far the accepted rows of each table reach, as day numbers. */
export class Spans {
  readonly days: Record<string, { first: number; last: number }> = {};

  /** Widens the table's span to a day. */
  take(table: string, day: number): void {
    const span = this.days[table];
    if (!span) this.days[table] = { first: day, last: day };
    else if (day < span.first) span.first = day;
    else if (day > span.last) span.last = day;
  }
}

/** Stages rows of one dataset. */
export class RowReader {
  readonly #dataset: Dataset;
  readonly #fields: readonly (Field & { readonly name: string })[];
  readonly #places: ReadonlyMap<string, number>;
  readonly #circumstances: Circumstances;
  readonly #stager: Stager;
  readonly #reject: Reject;
  readonly #cover: DateRange | undefined;
  readonly #spans: Spans;
  rowsAccepted = 0;
  /** Those of them that speak for several days. */
  rowsCoarse = 0;

  constructor(
    dataset: Dataset,
    circumstances: Circumstances,
    stager: Stager,
    reject: Reject,
    spans: Spans,
    cover?: DateRange,
  ) {
    this.#dataset = dataset;
    this.#fields = Object.entries(dataset.fields).map(([name, field]) => ({ name, ...field }));
    this.#places = new Map(this.#fields.map((field, place) => [field.name, place]));
    this.#circumstances = circumstances;
    this.#stager = stager;
    this.#reject = reject;
    this.#spans = spans;
    this.#cover = cover;
  }

  /** The place of a field among the values of `values`, undefined for names that the dataset has not. */
  place(name: string): number | undefined {
    return this.#places.get(name);
  }

  /** The names of the fields that every row must have. */
  get required(): readonly string[] {
    return this.#fields.filter((field) => field.required).map((field) => field.name);
  }

  /** The names of the fields, for a reason. */
  get names(): string {
    return this.#fields.map((field) => field.name).join(', ');
  }

  /**
   * Takes a row as an object. `source` is its JSON text, needed where a number has more digits than JavaScript keeps; `since` is the first
   * day that the row speaks for where that is not its own date.
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
      const place = this.#places.get(name);
      if (place === undefined) {
        unknown ??= [];
        if (unknown.length < 5) unknown.push(shownName(name));
        continue;
      }
      const value = row[name];
      if (typeof value === 'number' && source !== undefined && losesDigits(value)) {
        const exact = exactly(source);
        if (exact === undefined) this.#reject(line, 'is nested too deeply');
        else this.object(exact as Record<string, unknown>, line, undefined, since);
        return;
      }
      values[place] = value;
    }
    this.values(
      values,
      line,
      unknown &&
        `${unknown.join(', ')} ${unknown.length > 1 ? 'are no fields' : 'is no field'} of ${this.#dataset.name}`,
      since,
    );
  }

  /** Takes a row as values in the order of the fields; missing ones are undefined, null or "". */
  values(values: readonly unknown[], line: number, problem?: string, since?: number): void {
    const cells = this.read(values, line, problem, since);
    if (cells === undefined) return;
    this.accept(cells, since);
    this.stage(cells, line);
  }

  /** The cells of a row given as `values` takes it, undefined where it was refused. Nothing is counted or staged by it. */
  read(
    values: readonly unknown[],
    line: number,
    problem?: string,
    since?: number,
  ): Cells | undefined {
    const cells: Record<string, Value> = {};
    let reasons = problem;
    for (let place = 0; place < this.#fields.length; place++) {
      const field = this.#fields[place]!;
      const value = values[place];
      if (value === undefined || value === null || value === '') {
        if (field.required) reasons = and(reasons, `${field.name} is required`);
        cells[field.name] = field.type.missing;
        continue;
      }
      const read = field.type.read(value);
      if (read instanceof CellError)
        reasons = and(
          reasons,
          `${field.name} ${read.reason}${field.personal ? '' : ` (it is ${shown(value)})`}`,
        );
      else cells[field.name] = read;
    }
    if (reasons === undefined) reasons = this.#dataset.check?.(cells);
    if (reasons === undefined && this.#cover && this.#dataset.dayOf) {
      const day = this.#dataset.dayOf(cells);
      if ((since ?? day) < this.#cover.first || day > this.#cover.last) reasons = outsideReason;
    }
    if (reasons === undefined) return cells;
    this.#reject(line, reasons);
    return undefined;
  }

  /** Refuses a row for a reason that lies beyond its fields. */
  refuse(line: number, reason: string): void {
    this.#reject(line, reason);
  }

  /** Counts a row that `read` has given, and the days that it speaks for. */
  accept(cells: Cells, since?: number): void {
    if (this.#dataset.dayOf) {
      const { table } = this.#dataset.destinations[this.#dataset.destinationOf(cells)]!;
      const day = this.#dataset.dayOf(cells);
      this.#spans.take(table, day);
      if (since !== undefined && since !== day) {
        this.#spans.take(table, since);
        this.rowsCoarse++;
      }
    }
    this.rowsAccepted++;
  }

  /** Makes cells a row on its way to the warehouse. */
  stage(cells: Cells, line: number): void {
    const { table, columns } = this.#dataset.destinations[this.#dataset.destinationOf(cells)]!;
    const values: ColumnValue[] = [];
    for (const column of columns) values.push(column(cells, this.#circumstances));
    this.#stager.put(table, line, values);
  }
}

function and(reasons: string | undefined, reason: string): string {
  return reasons === undefined ? reason : `${reasons}, ${reason}`;
}

/** The name of a field or column that is not known, for a reason. What may be an address, as in a table without its header, is kept out. */
export function shownName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '') return '(empty)';
  return mayBeSecret(trimmed) ? '(withheld)' : trimmed.slice(0, 60);
}

/** Whether a text that stands where it does not belong may be somebody's address or key. */
function mayBeSecret(text: string): boolean {
  return text.includes('@') || text.includes('vit_');
}

/** A refused value, short enough for a reason. A value that may be an address or key is withheld. */
export function shown(value: unknown): string {
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'an object';
  if (typeof value === 'string' && mayBeSecret(value)) return '(withheld)';
  const text = JSON.stringify(typeof value === 'string' ? value.slice(0, 100) : value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** Whether the number may have had digits in its source that a double does not keep. */
function losesDigits(value: number): boolean {
  // What reads as a whole number beyond may have had places as well.
  return !(value < exactBelow && value > -exactBelow);
}

/** A reviver that keeps long numbers as their own text. */
function exactNumbers(_key: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' && context?.source !== undefined && losesDigits(value)
    ? context.source
    : value;
}

/** The same for a whole document. Throws where it is no JSON, or nested so deeply that the stack ends first. */
export function parseExactly(json: string): unknown {
  return JSON.parse(json, exactNumbers);
}

function exactly(json: string): unknown {
  try {
    return parseExactly(json);
  } catch {
    return undefined;
  }
}
