/**
 * Figures of many items by day in the working set, such as campaigns and keywords. A block of days
 * is packed into the smallest arrays that hold it, and any of its days are added up in a fraction
 * of the time that a question takes.
 */
import type { CondensedDays, Row } from '../engine/values.ts';
import type { Column } from '../figures/columns.ts';
import type { FactorOf } from '../figures/factors.ts';
import { amountPlaces } from '../figures/money.ts';

/** The figures of an item on a day in one currency; the row also has a value for each column. */
export type ItemDay = {
  readonly channel: number;
  readonly day: number;
  readonly id: string;
  readonly currency: string;
};

/** The row that represents all figures of a channel in a block. */
export type PackedRow = {
  readonly channel: number;
  readonly day: number;
  readonly packed: PackedDays;
};

/** The name of an item by its identifier; undefined if its figures do not count. */
export type NameOf = (id: string) => string | undefined;

/**
 * The sums of an item by the place of the column: the exact part, with amounts in millionths, and
 * the part of converted amounts, in units.
 */
export type ItemSums = { readonly exact: Float64Array; readonly converted: Float64Array };

type PackedColumn = {
  readonly values: Int32Array | Float64Array;
  /** The factor of every value. */
  readonly scale: number;
  readonly isAmount: boolean;
};

/** The sums of items by the place of the item, for each column; undefined for a column of zeros. */
type Added = readonly (AddedColumn | undefined)[];
type AddedColumn = {
  readonly exact: Float64Array;
  readonly converted?: Float64Array | undefined;
};

const millionths = 10 ** amountPlaces;
/** Most amounts are whole hundredths, and stored as such take half the memory. */
const hundredth = millionths / 100;
/** The row of an item without a name. */
const unnamed = -2;
const bytesPerBlock = 600;
const bytesPerItem = 60;
const bytesPerNumber = 8;
/**
 * The sums of this many blocks are exact, because the sums of an item in each are far below 2^53.
 */
export const exactBlocksMax = 64;
const exactMax = Number.MAX_SAFE_INTEGER / exactBlocksMax;

/** A row of packed figures, of an item on a day in one currency. */
export type PackedFigure = {
  readonly day: number;
  readonly id: string;
  readonly currency: string;
  /** The value by the place of its column: counts, and amounts in millionths. */
  readonly at: (place: number) => number;
};

/** Packs the figures of a block. They stay as rows if a sum is too large for exact doubles. */
export function packing<R extends ItemDay & Row>(
  columns: readonly Column[],
): (rows: readonly R[]) => CondensedDays<R | PackedRow> {
  return (rows) => {
    if (rows.length === 0) return { bytes: bytesPerBlock, cut: () => [] };
    const packed = packedDays(rows, columns);
    return packed === undefined
      ? unpackedDays(rows, columns.length)
      : rowFor(rows[0]!.channel, packed);
  };
}

/**
 * The rows of one channel as packed figures, empty without rows; undefined if doubles cannot hold
 * the sums of each item exactly.
 */
export function packedRows(
  rows: readonly (ItemDay & Row)[],
  columns: readonly Column[],
): readonly PackedDays[] | undefined {
  if (rows.length === 0) return [];
  const packed = packedDays(rows, columns);
  return packed === undefined ? undefined : [packed];
}

/** The packed figures; undefined if doubles cannot hold the sums of each item exactly. */
function packedDays(
  rows: readonly (ItemDay & Row)[],
  columns: readonly Column[],
): PackedDays | undefined {
  const sorted = rows.toSorted((one, other) => one.day - other.day);
  const ids = new Places();
  const items = new Uint32Array(sorted.length);
  for (const [place, { id }] of sorted.entries()) items[place] = ids.of(id);
  const packed: (PackedColumn | undefined)[] = [];
  for (const column of columns) {
    const values = packedColumn(sorted, column, items, ids.all.length);
    if (values === 'inexact') return undefined;
    packed.push(values);
  }
  return new PackedDays(sorted, ids.all, items, packed);
}

// A separate function, because a closure of another one would retain its rows.
function rowFor(channel: number, packed: PackedDays): CondensedDays<PackedRow> {
  const row = { channel, day: packed.first, packed };
  return { bytes: packed.bytes, cut: () => [row] };
}

function unpackedDays<R extends ItemDay & Row>(
  rows: readonly R[],
  columns: number,
): CondensedDays<R> {
  return {
    bytes: bytesPerBlock + rows.length * columns * 2 * bytesPerNumber,
    cut: (first, last) => rows.filter(({ day }) => day >= first && day <= last),
  };
}

/** The figures of the items of one channel in a block of days. */
export class PackedDays {
  readonly first: number;
  readonly #ids: readonly string[];
  readonly #currencies: readonly string[];
  /** The positions at which the rows of each day begin, and at which the last row ends. */
  readonly #starts: Uint32Array;
  /** The place of each row's item, and of its currency. */
  readonly #items: Uint32Array;
  readonly #currencyOf: Uint8Array;
  /** Undefined for a column of zeros. */
  readonly #columns: readonly (PackedColumn | undefined)[];
  /** The sums of all days, without conversion. */
  readonly #totals: Added;

  /** Takes the rows in the order of their days, and their items and packed values. */
  constructor(
    rows: readonly ItemDay[],
    ids: readonly string[],
    items: Uint32Array,
    columns: readonly (PackedColumn | undefined)[],
  ) {
    const currencies = new Places();
    this.first = rows[0]!.day;
    this.#ids = ids;
    this.#items = items;
    this.#columns = columns;
    this.#currencyOf = new Uint8Array(rows.length);
    const days = rows.at(-1)!.day - this.first + 1;
    this.#starts = new Uint32Array(days + 1);
    for (const [place, { day, currency }] of rows.entries()) {
      this.#currencyOf[place] = currencies.of(currency);
      this.#starts[day - this.first + 1]! += 1;
    }
    for (let day = 1; day <= days; day++) this.#starts[day]! += this.#starts[day - 1]!;
    this.#currencies = currencies.all;
    this.#totals = this.#added(0, rows.length);
  }

  /** The estimated size in memory. */
  get bytes(): number {
    const known = this.#columns.filter((column) => column !== undefined);
    const ofColumns = known.reduce((sum, { values }) => sum + values.byteLength, 0);
    const ofRows = this.#items.byteLength + this.#currencyOf.byteLength + this.#starts.byteLength;
    const ofItem = bytesPerItem + known.length * bytesPerNumber;
    return bytesPerBlock + this.#ids.length * ofItem + ofRows + ofColumns;
  }

  /**
   * Adds the figures from the first to the last day to the sums of each item. `nameOf` returns the
   * name of an item in the sums; an item without a name is not added.
   */
  addUp(
    first: number,
    last: number,
    factorOf: FactorOf,
    sums: SummedItems,
    nameOf: NameOf = (id) => id,
  ): void {
    const [start, end] = this.#rowsOf(first, last);
    if (start >= end) return;
    const factors = this.#factors(start, end, factorOf);
    const isWhole = end - start === this.#items.length;
    const added =
      isWhole && factors === undefined ? this.#totals : this.#added(start, end, factors);
    const rowOf = (item: number) => {
      const name = nameOf(this.#ids[item]!);
      return name === undefined ? unnamed : sums.rowOf(name);
    };
    const rows = new Int32Array(this.#ids.length).fill(-1);
    for (const item of this.#items.subarray(start, end))
      if (rows[item] === -1) rows[item] = rowOf(item);
    for (const [place, column] of added.entries())
      if (column !== undefined) sums.add(place, rows, column);
  }

  /** The figures from the first to the last day in currencies other than this one. */
  *inOthers(own: string, first: number, last: number): Generator<PackedFigure> {
    if (this.#currencies.every((currency) => currency === own)) return;
    const [start, end] = this.#rowsOf(first, last);
    let day = 0;
    for (let row = start; row < end; row++) {
      while (this.#starts[day + 1]! <= row) day += 1;
      const currency = this.#currencies[this.#currencyOf[row]!]!;
      if (currency === own) continue;
      const at = (place: number) => {
        const column = this.#columns[place];
        return column === undefined ? 0 : column.values[row]! * column.scale;
      };
      yield { day: this.first + day, id: this.#ids[this.#items[row]!]!, currency, at };
    }
  }

  /** The positions of the first row of a range of days, and of the end of its rows. */
  #rowsOf(first: number, last: number): readonly [start: number, end: number] {
    const days = this.#starts.length - 1;
    const dayAt = (day: number) => Math.min(Math.max(day - this.first, 0), days);
    return [this.#starts[dayAt(first)]!, this.#starts[dayAt(last + 1)]!];
  }

  /** Adds up the rows of a part; rows with a factor are converted. */
  #added(start: number, end: number, factors?: readonly (number | undefined)[]): Added {
    const items = this.#items.subarray(start, end);
    return this.#columns.map((column) => {
      if (column === undefined) return undefined;
      const { scale, isAmount } = column;
      const values = column.values.subarray(start, end);
      const exact = new Float64Array(this.#ids.length);
      if (factors === undefined || !isAmount) {
        for (let row = 0; row < items.length; row++) exact[items[row]!]! += values[row]!;
        if (scale !== 1) for (let item = 0; item < exact.length; item++) exact[item]! *= scale;
        return { exact };
      }
      const converted = new Float64Array(this.#ids.length);
      for (let row = 0; row < items.length; row++) {
        const factor = factors[row];
        const value = values[row]! * scale;
        if (factor === undefined) exact[items[row]!]! += value;
        else converted[items[row]!]! += (value / millionths) * factor;
      }
      return { exact, converted };
    });
  }

  /** The factor of each row of a part; undefined if all rows are in the currency of the answer. */
  #factors(
    start: number,
    end: number,
    factorOf: FactorOf,
  ): readonly (number | undefined)[] | undefined {
    let day = 0;
    while (this.#starts[day + 1]! <= start) day += 1;
    const isOfOne = this.#currencies.length === 1;
    if (isOfOne && factorOf(this.#currencies[0]!, this.first + day) === undefined) return undefined;
    return Array.from(this.#currencyOf.subarray(start, end), (currency, index) => {
      while (this.#starts[day + 1]! <= start + index) day += 1;
      return factorOf(this.#currencies[currency]!, this.first + day);
    });
  }
}

/** The sums of many items, one after another in two arrays. */
export class SummedItems {
  readonly #columns: number;
  readonly #rows = new Map<string, number>();
  #exact = new Float64Array(0);
  #converted = new Float64Array(0);

  constructor(columns: number) {
    this.#columns = columns;
  }

  /** The identifiers of the items. */
  keys(): IterableIterator<string> {
    return this.#rows.keys();
  }

  /** The sums of an item. */
  get(id: string): ItemSums | undefined {
    const row = this.#rows.get(id);
    if (row === undefined) return undefined;
    const [start, end] = [row * this.#columns, (row + 1) * this.#columns];
    return {
      exact: this.#exact.subarray(start, end),
      converted: this.#converted.subarray(start, end),
    };
  }

  /** The row of an item; a new item has zeros. */
  rowOf(id: string): number {
    const known = this.#rows.get(id);
    if (known !== undefined) return known;
    const row = this.#rows.size;
    this.#rows.set(id, row);
    const length = (row + 1) * this.#columns;
    if (length > this.#exact.length) {
      this.#exact = grown(this.#exact, 2 * length);
      this.#converted = grown(this.#converted, 2 * length);
    }
    return row;
  }

  /** Adds the values of a column to these rows; a row below 0 is skipped. */
  add(place: number, rows: Int32Array, { exact, converted }: AddedColumn): void {
    for (let item = 0; item < rows.length; item++) {
      if (rows[item]! < 0) continue;
      const at = rows[item]! * this.#columns + place;
      this.#exact[at]! += exact[item]!;
      if (converted !== undefined) this.#converted[at]! += converted[item]!;
    }
  }
}

function grown(values: Float64Array<ArrayBuffer>, length: number): Float64Array<ArrayBuffer> {
  const longer = new Float64Array(length);
  longer.set(values);
  return longer;
}

/** Texts, each with the place of its first appearance. */
class Places {
  readonly all: string[] = [];
  readonly #placeOf = new Map<string, number>();

  of(text: string): number {
    const known = this.#placeOf.get(text);
    if (known !== undefined) return known;
    this.#placeOf.set(text, this.all.length);
    return this.all.push(text) - 1;
  }
}

/** The values of a column; undefined if all are zero, "inexact" if doubles cannot add them up. */
function packedColumn(
  rows: readonly Row[],
  { name, type }: Column,
  items: Uint32Array,
  itemCount: number,
): PackedColumn | undefined | 'inexact' {
  const values = new Float64Array(rows.length);
  const sizes = new Float64Array(itemCount);
  let [least, most, scale] = [0, 0, hundredth];
  for (let place = 0; place < values.length; place++) {
    const value = Number(rows[place]![name] as number | bigint);
    values[place] = value;
    if (value % hundredth !== 0) scale = 1;
    if (value < least) least = value;
    if (value > most) most = value;
    sizes[items[place]!]! += Math.abs(value);
  }
  if (least === 0 && most === 0) return undefined;
  if (sizes.some((size) => size > exactMax)) return 'inexact';
  const isNarrow = least / scale >= -(2 ** 31) && most / scale < 2 ** 31;
  const packed = isNarrow ? new Int32Array(values.length) : new Float64Array(values.length);
  for (let place = 0; place < packed.length; place++) packed[place] = values[place]! / scale;
  return { values: packed, scale, isAmount: type === 'amount' };
}
