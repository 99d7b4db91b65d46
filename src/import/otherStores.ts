/** The rows of a document that belong to other stores than the channel's. */
import { OfOtherStore, type StoreSign } from './refused.ts';

/** Counts rows of other stores, which are skipped, and refuses a document without any others. */
export class OtherStores {
  #first: { readonly theirs: string; readonly own: string; readonly sign: StoreSign } | undefined;
  /** Skipped rows. */
  rows = 0;

  /** Skips a row. The texts name its store and the channel's. */
  skip(theirs: string, own: string, sign: StoreSign): void {
    this.#first ??= { theirs: theirs.slice(0, 60), own, sign };
    this.rows++;
  }

  /** Refuses the document if it has only rows of other stores. */
  refuseIfAlone(otherRows: number): void {
    if (this.#first === undefined || otherRows > 0) return;
    const { theirs, own, sign } = this.#first;
    throw new OfOtherStore(
      `the document belongs to ${theirs}, the channel to ${own}: import it into the channel of its store`,
      sign,
    );
  }
}
