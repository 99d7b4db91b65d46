/** The staged units of a document, in little memory: a document has millions. */
import { TextNumbers } from '../cells/textNumbers.ts';

/** The state of a staged unit. */
export type StagedUnit = { readonly revision: number; readonly rows: number };

/** Remembers the revision and the rows of each staged unit. */
export class StagedUnits {
  readonly #indexes = new TextNumbers();
  readonly #revisions: number[] = [];
  readonly #rows: number[] = [];

  /** The unit of that name, if any of its rows has been staged. */
  get(name: string): StagedUnit | undefined {
    const index = this.#indexes.get(name);
    if (index === undefined) return undefined;
    return { revision: this.#revisions[index]!, rows: this.#rows[index]! };
  }

  /** The number of the next row of a unit. The first row decides its revision. */
  nextRow(name: string, revision: number): number {
    let index = this.#indexes.get(name);
    if (index === undefined) {
      index = this.#indexes.size;
      this.#indexes.set(name, index);
      this.#revisions.push(revision);
      this.#rows.push(0);
    }
    this.#rows[index]!++;
    return this.#rows[index]!;
  }
}
