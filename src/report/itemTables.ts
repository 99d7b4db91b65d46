/**
 * Figures of many items by day, such as those of campaigns, and their sums over any days. A text
 * column `id` identifies the item of a row.
 */

import { type TableColumns, tableColumns } from '../engine/segments/daySource.ts';
import type { DayTable, Doubles, TextColumn } from '../engine/segments/dayTable.ts';
import { tableOfRows } from '../engine/segments/format.ts';
import type { Row } from '../engine/warehouse.ts';
import type { Column } from '../figures/columns.ts';
import type { FactorOf } from '../figures/factors.ts';
import { amountPlaces } from '../figures/money.ts';

/** The name of an item by its identifier, undefined if its figures do not count. */
export type NameOf = (id: string) => string | undefined;

/**
 * The sums of an item by the place of the column: the exact part, with amounts in millionths, and
 * the part of amounts that was converted, in units.
 */
export type ItemSums = { readonly exact: Float64Array; readonly converted: Float64Array };

/** The figures of an item on a day in one currency. */
export type ItemFigure = {
  readonly day: number;
  readonly id: string;
  readonly currency: string;
  /** The value by the place of its column: counts, and amounts in millionths. */
  readonly at: (place: number) => number;
};

type ItemColumn = Doubles & { readonly isAmount: boolean };

const millionths = 10 ** amountPlaces;
/** Doubles add up exactly to 2^53; half of that leaves room for sums of sizes that were rounded. */
const exactMax = 2 ** 52;
/** Instead of the row of an item that has no name. */
const unnamed = -2;

/** The columns of tables of items with these figures. */
export function itemColumns(columns: readonly Column[]): TableColumns {
  return { texts: ['id', 'currency'], ...tableColumns(columns) };
}

/** Rows of one channel as tables of items; undefined if doubles would not add them up exactly. */
export function itemTablesOfRows(
  rows: readonly Row[],
  columns: readonly Column[],
): readonly ItemTable[] | undefined {
  if (rows.length === 0) return [];
  return itemTables([tableOfRows(rows, itemColumns(columns))], columns);
}

/** Tables of items; undefined if doubles would not add up the figures of all of them exactly. */
export function itemTables(
  tables: readonly DayTable[],
  columns: readonly Column[],
): readonly ItemTable[] | undefined {
  const sizes = columns.map(() => 0);
  const all: ItemTable[] = [];
  for (const table of tables) {
    const own: (ItemColumn | undefined)[] = [];
    for (const [place, { name, type }] of columns.entries()) {
      const { doubles } = table.numbers(name);
      if (doubles === 'inexact') return undefined;
      sizes[place]! += doubles?.size ?? 0;
      own.push(doubles && { ...doubles, isAmount: type === 'amount' });
    }
    all.push(new ItemTable(table, own));
  }
  return sizes.every((size) => size <= exactMax) ? all : undefined;
}

/** The figures of the items of one channel on some days. */
export class ItemTable {
  readonly #table: DayTable;
  readonly #ids: TextColumn;
  readonly #currencies: TextColumn;
  /** A column in which every value is zero is undefined. */
  readonly #columns: readonly (ItemColumn | undefined)[];

  constructor(table: DayTable, columns: readonly (ItemColumn | undefined)[]) {
    this.#table = table;
    this.#ids = table.texts('id');
    this.#currencies = table.texts('currency');
    this.#columns = columns;
  }

  /**
   * Adds the figures from the first to the last day to the sums of each item. The sums use the name
   * that `nameOf` gives an item; an item without a name is not added.
   */
  addUp(
    first: number,
    last: number,
    factorOf: FactorOf,
    sums: SummedItems,
    nameOf: NameOf = (id) => id,
  ): void {
    const [start, end] = this.#table.rowsOf({ first, last });
    if (start === end) return;
    const items = this.#ids.places.subarray(start, end);
    const rows = new Int32Array(this.#ids.values.length).fill(-1);
    for (const item of items)
      if (rows[item] === -1) {
        const name = nameOf(this.#ids.values[item]!);
        rows[item] = name === undefined ? unnamed : sums.rowOf(name);
      }
    const factors = this.#factors(start, end, factorOf);
    for (const [place, column] of this.#columns.entries())
      if (column !== undefined) {
        const values = column.values.subarray(start, end);
        if (factors === undefined || !column.isAmount)
          sums.add(place, rows, items, values, column.scale);
        else sums.addConverted(place, rows, items, values, column.scale, factors);
      }
  }

  /** The figures from the first to the last day in other currencies than this one. */
  *inOthers(own: string, first: number, last: number): Generator<ItemFigure> {
    if (this.#table.isIn(own)) return;
    const [start, end] = this.#table.rowsOf({ first, last });
    for (let row = start; row < end; row++) {
      const currency = this.#currencies.at(row);
      if (currency === own) continue;
      const at = (place: number) => {
        const column = this.#columns[place];
        return column === undefined ? 0 : column.values[row]! * column.scale;
      };
      yield { day: this.#table.days[row]!, id: this.#ids.at(row), currency, at };
    }
  }

  /** The factor of each row of a part; undefined if all are in the currency of the answer. */
  #factors(
    start: number,
    end: number,
    factorOf: FactorOf,
  ): readonly (number | undefined)[] | undefined {
    const { values: currencies, places } = this.#currencies;
    const { days } = this.#table;
    const isOwn = currencies.length === 1 && factorOf(currencies[0]!, days[start]!) === undefined;
    if (isOwn) return undefined;
    return Array.from(places.subarray(start, end), (place, index) =>
      factorOf(currencies[place]!, days[start + index]!),
    );
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

  /** The row of an item, of zeros if it has none yet. */
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

  /** Adds values of a column to the rows of their items, none where the row is below 0. */
  add(
    place: number,
    rows: Int32Array,
    items: TextColumn['places'],
    values: Doubles['values'],
    scale: number,
  ): void {
    const sums = this.#exact;
    for (let index = 0; index < items.length; index++) {
      const row = rows[items[index]!]!;
      if (row >= 0) sums[row * this.#columns + place]! += values[index]! * scale;
    }
  }

  /** Adds amounts, each converted by its factor; those without one stay exact. */
  addConverted(
    place: number,
    rows: Int32Array,
    items: TextColumn['places'],
    values: Doubles['values'],
    scale: number,
    factors: readonly (number | undefined)[],
  ): void {
    for (let index = 0; index < items.length; index++) {
      const row = rows[items[index]!]!;
      if (row < 0) continue;
      const at = row * this.#columns + place;
      const value = values[index]! * scale;
      const factor = factors[index];
      if (factor === undefined) this.#exact[at]! += value;
      else this.#converted[at]! += (value / millionths) * factor;
    }
  }
}

function grown(values: Float64Array<ArrayBuffer>, length: number): Float64Array<ArrayBuffer> {
  const longer = new Float64Array(length);
  longer.set(values);
  return longer;
}
