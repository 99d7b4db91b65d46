/** The kinds of accounts that documents belong to: sellers or vendors. */
import type { ReadingTask } from '../messages.ts';
import { OfOtherStore } from '../refused.ts';
import type { DocumentKind } from './kind.ts';

type Account = NonNullable<ReadingTask['account']>;

/** The datasets and tables that only documents of one kind of account feed. */
const accountOfTable = new Map<string, Account>([
  ...['vendorSales', 'vendorMargins'].map((table) => [table, 'vendor'] as const),
  ...['traffic', 'orders', 'orderLines', 'order_record', 'order_line'].map(seller),
  ...['financeEvents', 'finance_event', 'inventory'].map(seller),
]);

function seller(table: string) {
  return [table, 'seller'] as const;
}

/** Refuses a seller's document in a vendor's channel, and the reverse. */
export function requireAccount(
  { name, tables }: Pick<DocumentKind, 'name' | 'tables'>,
  own: Account | undefined,
): void {
  const theirs = tables.map((table) => accountOfTable.get(table)).find((one) => one !== undefined);
  if (own === undefined || theirs === undefined || theirs === own) return;
  throw new OfOtherStore(
    `a ${name} document belongs to a ${theirs}, the channel to a ${own}: import it into a ${theirs} channel`,
    { account: theirs },
  );
}
