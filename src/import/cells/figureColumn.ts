/** Packed columns of figures, so that a large document does not fill the heap. */

/** A figure: a count, an amount in millionths, or a missing one. */
export type Figure = number | bigint | null;

/** Stands for a missing amount; no amount is as large. */
const missingAmount = -(2n ** 63n);
const lengthMin = 16;

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
      this.#amounts = reaching(row, this.#amounts, missingAmounts);
      this.#amounts[row] = figure;
    } else {
      this.#counts = reaching(row, this.#counts, missingCounts);
      this.#counts[row] = figure;
    }
  }
}

const missingAmounts = (length: number) => new BigInt64Array(length).fill(missingAmount);
const missingCounts = (length: number) => new Float64Array(length).fill(Number.NaN);

/** The figures, in a longer array if the current one has no place for the row. */
function reaching<A extends { readonly length: number; set(from: A): void }>(
  row: number,
  figures: A | undefined,
  missing: (length: number) => A,
): A {
  if (figures !== undefined && row < figures.length) return figures;
  const longer = missing(lengthFor(row));
  if (figures !== undefined) longer.set(figures);
  return longer;
}

function lengthFor(row: number): number {
  let length = lengthMin;
  while (length <= row) length *= 2;
  return length;
}
