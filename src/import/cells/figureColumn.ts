/** Columns of figures, packed, so that those of a large document do not fill the heap. */

/** A figure: a count, an amount in millionths, or a missing one. */
export type Figure = number | bigint | null;

/** Stands for a missing amount; no amount is as large. */
const missingAmount = -(2n ** 63n);
const lengthMin = 1024;

/** The figures of one field, by the index of their row. */
export class FigureColumn {
  #counts: Float64Array | undefined;
  #amounts: BigInt64Array | undefined;

  /** The figure of a row; null if it is missing. */
  get(row: number): Figure {
    if (this.#amounts !== undefined) {
      const amount = this.#amounts[row] ?? missingAmount;
      return amount === missingAmount ? null : amount;
    }
    const count = this.#counts?.[row] ?? Number.NaN;
    return Number.isNaN(count) ? null : count;
  }

  /** Sets the figure of a row. */
  set(row: number, figure: Figure): void {
    if (figure === null) return;
    if (typeof figure === 'bigint') {
      if (this.#amounts === undefined || row >= this.#amounts.length) {
        const longer = new BigInt64Array(lengthFor(row)).fill(missingAmount);
        longer.set(this.#amounts ?? []);
        this.#amounts = longer;
      }
      this.#amounts[row] = figure;
    } else {
      if (this.#counts === undefined || row >= this.#counts.length) {
        const longer = new Float64Array(lengthFor(row)).fill(Number.NaN);
        longer.set(this.#counts ?? []);
        this.#counts = longer;
      }
      this.#counts[row] = figure;
    }
  }
}

function lengthFor(row: number): number {
  let length = lengthMin;
  while (length <= row) length *= 2;
  return length;
}
