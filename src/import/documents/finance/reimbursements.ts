/**
 * Payments by the marketplace for goods that it lost or damaged, and payments that it took back.
 */
import { text as textType } from '../../cells/fields.ts';
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
  },
  open(session) {
    const ledger = session.ledger('reimbursements');
    return {
      row({ id, postedAt, reason, sku, currency, amount, orderId }, line) {
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
        ledger.post({ name: `${id}/${sku.slice(0, 200)}` }, posting, line);
      },
      end: () => ledger.close(),
    };
  },
});
