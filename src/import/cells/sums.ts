/** Rows of a document that stand together for one row of a dataset: added up exactly, and staged when all of them are known. */
import { Decimal } from 'decimal.js';
import type { Cells } from '../datasets/datasets.ts';
import { DocumentRefused } from '../refused.ts';
import type { RowReader } from '../rows.ts';
import type { Value } from './fields.ts';

/** How many rows may come of the rows of one document: what is added up waits in memory, about half a kilobyte each. */
const summedRowsMax = 1_000_000;
/** Sums of that size have no room in the stores. */
const sumBelow = 1e12;
/** Whole numbers of so few digits are added as they are. */
const plainDigitsMax = 14;
/** Between sums that are staged, files are handed over this often. */
const rowsBetweenRelief = 10_000;

/** What a sum is made of: the fields that tell one from another, and those that are added up. */
export type SumShape = { readonly key: readonly string[]; readonly figures: readonly string[] };

/** Adds up rows of one dataset. */
export class RowSums {
  readonly #reader: RowReader;
  readonly #shape: SumShape;
  readonly #sums = new Map<string, { cells: Cells; readonly line: number }>();

  constructor(reader: RowReader, shape: SumShape) {
    this.#reader = reader;
    this.#shape = shape;
  }

  /** Adds a row, by the names of the dataset's fields, and says whether it was taken. `since` is the first day that it speaks for. */
  add(row: Readonly<Record<string, unknown>>, line: number, since?: number): boolean {
    const values: unknown[] = [];
    for (const name in row) values[this.#reader.place(name)!] = row[name];
    const cells = this.#reader.read(values, line, undefined, since);
    if (cells === undefined) return false;
    // No text contains a NUL.
    const key = this.#shape.key.map((name) => cells[name]).join('\0');
    const sum = this.#sums.get(key);
    if (sum) {
      const together = this.#together(sum.cells, cells);
      if (typeof together === 'string') {
        this.#reader.refuse(line, together);
        return false;
      }
      sum.cells = together;
    } else {
      if (this.#sums.size >= summedRowsMax) {
        throw new DocumentRefused(
          `the document comes to more than ${summedRowsMax.toLocaleString('en')} rows: split it by its dates`,
        );
      }
      this.#sums.set(key, { cells, line });
    }
    this.#reader.accept(cells, since);
    return true;
  }

  /** Stages what the rows have come to. */
  async stage(relieve: () => Promise<void>): Promise<void> {
    let staged = 0;
    for (const { cells, line } of this.#sums.values()) {
      this.#reader.stage(cells, line);
      if (++staged % rowsBetweenRelief === 0) await relieve();
    }
    this.#sums.clear();
  }

  /** The sum of both, or the reason why there is none. */
  #together(sum: Cells, more: Cells): Cells | string {
    if (sum.currency !== more.currency)
      return 'is in another currency than the rows before it of the same key';
    const together: Record<string, Value> = { ...sum };
    for (const name of this.#shape.figures) {
      const added = plus(sum[name]!, more[name]!);
      if (Math.abs(Number(added)) >= sumBelow) return `makes a sum of ${name} that is too large`;
      together[name] = added;
    }
    return together;
  }
}

/** The exact sum of two numbers, or of two decimals. */
function plus(one: Value, other: Value): Value {
  if (typeof one !== 'string' || typeof other !== 'string') return Number(one) + Number(other);
  if (other === '0') return one;
  if (one === '0') return other;
  const arePlain =
    one.length <= plainDigitsMax &&
    other.length <= plainDigitsMax &&
    !one.includes('.') &&
    !other.includes('.');
  return arePlain ? String(Number(one) + Number(other)) : new Decimal(one).plus(other).toFixed();
}
