/**
 * Exact sums of columns, by the place of each column: numbers up to 2^53, and bigints beyond. Most
 * sums are numbers, and adding these is many times faster.
 */
import type { Column } from './columns.ts';
import type { Exchange } from './exchange.ts';

/** The sums of some columns. */
export type Cells = (number | bigint)[];

const safe = Number.MAX_SAFE_INTEGER;

/** A whole number in its only form, so that zero is 0 and equal numbers are identical. */
export function whole(value: bigint): number | bigint {
  return value <= safe && value >= -safe ? Number(value) : value;
}

/** The exact sum of two whole numbers. */
export function plus(one: number | bigint, other: number | bigint): number | bigint {
  if (typeof one === 'number' && typeof other === 'number') {
    const sum = one + other;
    if (sum <= safe && sum >= -safe) return sum;
  }
  return whole(BigInt(one) + BigInt(other));
}

/** A column of rows: its place among the cells, and its numbers. */
export type CellColumn = {
  readonly cell: number;
  readonly isAmount: boolean;
  readonly numbers: {
    readonly at: (row: number) => number | bigint;
    /** The sum of the rows from `start` on, before `end`. */
    readonly sum: (start: number, end: number) => number | bigint;
  };
};

/** Finds the columns of a table of rows among the columns of cells. */
export function cellColumns(
  table: { readonly numbers: (name: string) => CellColumn['numbers'] },
  added: readonly Column[],
  all: readonly Column[],
): CellColumn[] {
  return added.map(({ name, type }) => ({
    cell: all.findIndex((column) => column.name === name),
    isAmount: type === 'amount',
    numbers: table.numbers(name),
  }));
}

/** Adds rows to cells that are all in the target currency; `day` is that of any of them. */
export function addRows(
  cells: Cells,
  columns: readonly CellColumn[],
  [start, end]: readonly [start: number, end: number],
  currency: string,
  day: number,
  exchange: Exchange,
): void {
  for (const { cell, isAmount, numbers } of columns) {
    const sum = numbers.sum(start, end);
    cells[cell] = plus(cells[cell]!, isAmount ? exchange.whole(sum, currency, day) : sum);
  }
}

/** Adds a row to cells; its amounts are exchanged from `currency` by the rate of `day`. */
export function addRow(
  cells: Cells,
  columns: readonly CellColumn[],
  row: number,
  currency: string,
  day: number,
  exchange: Exchange,
): void {
  for (const { cell, isAmount, numbers } of columns) {
    const value = numbers.at(row);
    cells[cell] = plus(cells[cell]!, isAmount ? exchange.whole(value, currency, day) : value);
  }
}
