/**
 * Adds up the rows of a document that form one row of a dataset, and stages the sums at the end.
 */
import { Decimal } from 'decimal.js';
import type { Cells } from '../datasets/dataset.ts';
import { DocumentRefused } from '../refused.ts';
import type { RowReader } from '../rows.ts';
import type { Value } from './fields.ts';

/** The number of sums that fit in memory, at about half a kilobyte each. */
const summedRowsMax = 1_000_000;
/** The limit of the amounts in the stores. */
const sumBelow = 1e12;
/** Whole numbers of up to this many digits are added as doubles. */
const plainDigitsMax = 14;
/** How often staged sums are flushed. */
const rowsBetweenFlushes = 10_000;

/** How rows are added up: the fields that identify a sum, and those that are added. */
export type SumShape = { readonly key: readonly string[]; readonly figures: readonly string[] };

/** Adds up rows of one dataset. */
export class RowSums {
  readonly #reader: RowReader;
  readonly #shape: SumShape;
  readonly #sums = new Map<string, { cells: Cells; readonly line: number; rows: number }>();

  constructor(reader: RowReader, shape: SumShape) {
    this.#reader = reader;
    this.#shape = shape;
  }

  /**
   * Adds a row, given by field names. Returns whether it was accepted. `since` is the first day of
   * a multi-day row.
   */
  add(row: Readonly<Record<string, unknown>>, line: number, since?: number): boolean {
    const values: unknown[] = [];
    for (const name in row) values[this.#reader.indexOf(name)!] = row[name];
    const cells = this.#reader.read(values, line, undefined, since);
    if (cells === undefined) return false;
    // No text contains a NUL.
    const key = this.#shape.key.map((name) => cells[name]).join('\0');
    const sum = this.#sums.get(key);
    if (sum) {
      const added = this.#added(sum.cells, cells);
      if (typeof added === 'string') {
        this.#reader.reject(line, added);
        return false;
      }
      sum.cells = added;
      sum.rows++;
    } else {
      if (this.#sums.size >= summedRowsMax) {
        throw new DocumentRefused(
          `the document has more than ${summedRowsMax.toLocaleString('en')} different rows: split it by date`,
        );
      }
      this.#sums.set(key, { cells, line, rows: 1 });
    }
    this.#reader.accept(cells, since);
    return true;
  }

  /** The sums. */
  *cells(): Iterable<Cells> {
    for (const { cells } of this.#sums.values()) yield cells;
  }

  /**
   * Stages the sums that count. Rows of others are skipped, unless `isUsed` elsewhere.
   */
  async stage(
    flush: () => Promise<void>,
    counts: (cells: Cells) => boolean = () => true,
    isUsed: (cells: Cells) => boolean = () => false,
  ): Promise<void> {
    let staged = 0;
    for (const { cells, line, rows } of this.#sums.values()) {
      if (!counts(cells)) {
        if (!isUsed(cells)) this.#reader.rowsAccepted -= rows;
        continue;
      }
      this.#reader.stage(cells, line);
      if (++staged % rowsBetweenFlushes === 0) await flush();
    }
    this.#sums.clear();
  }

  /** The sum of two rows, or the reason why they cannot be added. */
  #added(sum: Cells, more: Cells): Cells | string {
    if (sum.currency !== more.currency)
      return 'is in another currency than earlier rows with the same key';
    const added: Record<string, Value> = { ...sum };
    for (const name of this.#shape.figures) {
      const total = plus(sum[name]!, more[name]!);
      if (Math.abs(Number(total)) >= sumBelow) return `makes the sum of ${name} too large`;
      added[name] = total;
    }
    return added;
  }
}

/** The exact sum of two numbers, or of two decimals; of a missing one and another, the other. */
function plus(one: Value, other: Value): Value {
  if (one === null || other === null) return one ?? other;
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
