/**
 * Tables of facts by day in columns. Text is stored once for each distinct value, numbers in the
 * smallest arrays that hold them, so that a view reads them without an object for each row.
 */
import type { DateRange } from '../../calendar/period.ts';
import { plus, whole } from '../../figures/cells.ts';
import type { Row } from '../values.ts';

/** Texts by row: the distinct values, and the place of the value of each row among them. */
export class TextColumn {
  readonly values: readonly string[];
  readonly places: Uint8Array | Uint16Array | Uint32Array;

  constructor(values: readonly string[], places: Uint8Array | Uint16Array | Uint32Array) {
    this.values = values;
    this.places = places;
  }

  /** The text of a row. */
  at(row: number): string {
    return this.values[this.places[row]!]!;
  }
}

/** The numbers of a column that doubles represent exactly, as whole multiples of `scale`. */
export type Doubles = {
  readonly values: Int32Array | Float64Array;
  readonly scale: number;
  /** The sum of the sizes of all numbers, rounded where it exceeds 2^53. */
  readonly size: number;
};

/** Whole numbers by row: counts, and amounts and weights in millionths. */
export class NumberColumn {
  readonly #doubles: Doubles | undefined;
  readonly #exact: readonly bigint[] | BigInt64Array | undefined;
  /** The sums of the rows before each row, once one is needed. */
  #running: Float64Array | undefined;

  /** A column of zeros has neither. */
  constructor(doubles?: Doubles, exact?: readonly bigint[] | BigInt64Array) {
    this.#doubles = doubles;
    this.#exact = exact;
  }

  /** The number of a row; a bigint where a double would not represent it exactly. */
  at(row: number): number | bigint {
    const doubles = this.#doubles;
    if (doubles !== undefined) return doubles.values[row]! * doubles.scale;
    return this.#exact === undefined ? 0 : whole(this.#exact[row]!);
  }

  /** The sum of the rows from `start` on, before `end`. */
  sum(start: number, end: number): number | bigint {
    const doubles = this.#doubles;
    if (doubles !== undefined && doubles.size <= Number.MAX_SAFE_INTEGER) {
      this.#running ??= runningSums(doubles);
      return this.#running[end]! - this.#running[start]!;
    }
    let sum: number | bigint = 0;
    for (let row = start; row < end; row++) sum = plus(sum, this.at(row));
    return sum;
  }

  /** The numbers as doubles; undefined if all are zero, "inexact" if doubles cannot hold them. */
  get doubles(): Doubles | undefined | 'inexact' {
    return this.#exact === undefined ? this.#doubles : 'inexact';
  }
}

function runningSums({ values, scale }: Doubles): Float64Array {
  const sums = new Float64Array(values.length + 1);
  for (let row = 0; row < values.length; row++) sums[row + 1] = sums[row]! + values[row]! * scale;
  return sums;
}

/** The facts of a channel on some days, sorted by day. */
export class DayTable {
  readonly channel: number;
  /** The day of each row. */
  readonly days: Int32Array;
  readonly #texts: ReadonlyMap<string, TextColumn>;
  readonly #numbers: ReadonlyMap<string, NumberColumn>;
  readonly #amounts: readonly string[];

  /** `amounts` are the columns whose numbers rows have as bigints. */
  constructor(
    channel: number,
    days: Int32Array,
    texts: ReadonlyMap<string, TextColumn>,
    numbers: ReadonlyMap<string, NumberColumn>,
    amounts: readonly string[],
  ) {
    this.channel = channel;
    this.days = days;
    this.#texts = texts;
    this.#numbers = numbers;
    this.#amounts = amounts;
  }

  /** Whether every row has the same currency, or there are no rows. */
  isIn(currency: string): boolean {
    return this.texts('currency').values.every((one) => one === currency);
  }

  /** A column of texts. */
  texts(name: string): TextColumn {
    return this.#texts.get(name)!;
  }

  /** A column of numbers. */
  numbers(name: string): NumberColumn {
    return this.#numbers.get(name)!;
  }

  /** The first row from a day on, and the row after the last one up to a day. */
  rowsOf({ first, last }: DateRange): readonly [start: number, end: number] {
    const start = this.#firstRow(first);
    return [start, Math.max(start, this.#firstRow(last + 1))];
  }

  /** The rows of a range as objects, as a question answers them. */
  rowsIn<R extends Row>(range: DateRange): R[] {
    const [start, end] = this.rowsOf(range);
    const rows: Record<string, Row[string]>[] = [];
    for (let row = start; row < end; row++)
      rows.push({ channel: this.channel, day: this.days[row]! });
    for (const [name, column] of this.#texts)
      for (let row = start; row < end; row++) rows[row - start]![name] = column.at(row);
    for (const [name, column] of this.#numbers) {
      const isAmount = this.#amounts.includes(name);
      for (let row = start; row < end; row++) {
        const value = column.at(row);
        rows[row - start]![name] = isAmount ? BigInt(value) : value;
      }
    }
    return rows as R[];
  }

  /** The sums of a range as a row of its first day; the texts are those of its first row. */
  sumsIn<R extends Row>(range: DateRange): R[] {
    const [start, end] = this.rowsOf(range);
    if (start === end) return [];
    const sums: Record<string, Row[string]> = { channel: this.channel, day: this.days[start]! };
    for (const [name, column] of this.#texts) sums[name] = column.at(start);
    for (const [name, column] of this.#numbers) {
      const sum = column.sum(start, end);
      sums[name] = this.#amounts.includes(name) ? BigInt(sum) : sum;
    }
    return [sums as R];
  }

  #firstRow(day: number): number {
    let low = 0;
    let high = this.days.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.days[middle]! < day) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
