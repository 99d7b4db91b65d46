/** The whole document is refused, for a reason that its sender can act on. */
export class DocumentRefused extends Error {}

/** The signs of the store to which a document belongs, as far as it has any. */
export type StoreSign = {
  readonly marketplaceId?: string;
  readonly currencies?: readonly string[];
  readonly account?: 'seller' | 'vendor';
};

/** The whole document is refused because it belongs to another store than the channel's. */
export class OfOtherStore extends DocumentRefused {
  readonly sign: StoreSign;
  constructor(reason: string, sign: StoreSign) {
    super(reason);
    this.sign = sign;
  }
}

/** The whole document is refused because it takes too much memory. */
export class DocumentTooLarge extends DocumentRefused {}

/** Replaces control characters and lone surrogates, which not every store can hold. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '\ufffd').toWellFormed();
}
