/**
 * Payments by the marketplace for goods that it lost or damaged, and payments that it took back.
 */
import { text as textType } from '../../cells/fields.ts';
import { shortenedReason } from '../../cells/shortened.ts';
import { TextNumbers } from '../../cells/textNumbers.ts';
import { nameOf, Occurrences } from '../../ledger/content.ts';
import {
  amount,
  checked,
  filled,
  instant,
  known,
  optional,
  tableDocument,
  text,
} from '../table.ts';

/** GET_FBA_REIMBURSEMENTS_DATA. A reimbursement in goods is a row with the amount 0. */
export const reimbursements = tableDocument({
  name: 'reimbursements',
  about: 'FBA reimbursements (TSV or CSV, GET_FBA_REIMBURSEMENTS_DATA)',
  tables: ['finance_event'],
  columns: {
    id: filled(known('reimbursement-id', checked(textType(100)))),
    postedAt: known('approval-date', instant),
    reason: known('reason', text),
    sku: known('sku', text),
    currency: known('currency-unit', text),
    amount: known('amount-total', amount),
    orderId: optional('amazon-order-id', text),
    fnsku: optional('fnsku', text),
  },
  open(session) {
    const ledger = session.ledger('reimbursements');
    const occurrences = new Occurrences();
    const seen = new TextNumbers();
    return {
      row({ id, postedAt, reason, sku, currency, amount, orderId, fnsku }, line) {
        if (
          currency !== '' &&
          /^[a-z]{3}$/i.test(currency) &&
          currency.toUpperCase() !== session.currency
        ) {
          session.otherStores.skip(`a store in ${currency}`, `one in ${session.currency}`, {
            currencies: [currency.toUpperCase()],
          });
          return undefined;
        }
        const shortened = shortenedReason(id);
        if (shortened !== undefined) return `reimbursement-id ${shortened}`;
        const posting = {
          postedAt,
          ...(currency !== '' && { currency }),
          amount: amount || '0',
          type: 'Reimbursement',
          component: '',
          code: reason,
          sku,
          orderId,
          fulfillment: 'AFN',
        } as const;
        const name = `${id}/${sku.slice(0, 200)}`;
        // A repeated row is the same payment: a script has joined two files.
        const content = nameOf([name, fnsku, posting]);
        if (seen.get(content) !== undefined) return undefined;
        seen.set(content, line);
        const transactionId = fnsku && occurrences.next(`${name}/${fnsku.slice(0, 100)}`);
        ledger.post({ name, transactionId }, posting, line);
        return undefined;
      },
      end: () => ledger.close(),
    };
  },
});
