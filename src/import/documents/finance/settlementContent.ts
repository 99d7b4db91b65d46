/** The contents of settlements, which show that one comes again under another id. */
import { crc32 } from 'node:zlib';
import { amountText, millionthsOf } from '../../cells/fields.ts';
import type { Claim, Ledger } from '../../ledger/ledger.ts';
import { DocumentRefused } from '../../refused.ts';

/** An amount of a settlement, with its tax if it has been booked. */
type Row = {
  readonly postedAt: number;
  readonly orderId: string;
  readonly sku: string;
  readonly amount: string;
};

/** The rows of a settlement in any order, as two numbers. */
export class SettlementContent {
  #rows = 0;
  #sum = 0;

  /** Adds a row. */
  add({ postedAt, orderId, sku, amount }: Row): void {
    this.#rows++;
    this.#sum += crc32(`${postedAt} ${orderId} ${sku} ${millionthsOf(amount)}`);
  }

  /** Equal texts for equal rows; "" without any. */
  get text(): string {
    return this.#rows === 0 ? '' : `${this.#rows} ${this.#sum}`;
  }
}

/** Refuses a document with a settlement that has the dates and rows of another one. */
export async function refuseRepeated(
  settlements: readonly { readonly claim: Claim; readonly content: SettlementContent }[],
  ledger: Ledger,
): Promise<void> {
  const known = new Map<string, string>();
  for (const { claim, content } of settlements) {
    const key = `${claim.from} ${claim.to} ${content.text}`;
    if (content.text === '') continue;
    const inDocument = known.get(key);
    if (inDocument !== undefined)
      throw new DocumentRefused(
        `settlement ${claim.name} has the dates and rows of settlement ${inDocument} of the document: remove one of them`,
      );
    known.set(key, claim.name);
    for (const [name, rows] of await ledger.unitsClaiming(claim)) {
      const existing = new SettlementContent();
      for (const row of rows)
        existing.add({
          postedAt: row.posted_at as number,
          orderId: row.order_id as string,
          sku: row.sku as string,
          amount: amountText((row.amount as bigint) + (row.tax as bigint)),
        });
      if (existing.text === content.text)
        throw new DocumentRefused(
          `settlement ${claim.name} has the dates and rows of settlement ${name}, which has been imported: it counts already (to replace it, undo that import first)`,
        );
    }
  }
}
