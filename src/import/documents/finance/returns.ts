/** Units that customers returned: how many, when and which, without amounts. */
import { count } from '../../cells/fields.ts';
import { checked, filled, instant, known, optional, tableDocument, text } from '../table.ts';

/** GET_FBA_FULFILLMENT_CUSTOMER_RETURNS_DATA, without the customers' comments. */
export const customerReturns = tableDocument({
  name: 'customerReturns',
  about: 'FBA customer returns (TSV or CSV, GET_FBA_FULFILLMENT_CUSTOMER_RETURNS_DATA)',
  tables: ['finance_event'],
  columns: {
    postedAt: known('return-date', instant),
    orderId: known('order-id', text),
    sku: known('sku', text),
    quantity: filled(known('quantity', checked(count()))),
    disposition: known('detailed-disposition', text),
    reason: known('reason', text),
    plate: optional('license-plate-number', text),
  },
  open(session) {
    const ledger = session.ledger('returns');
    return {
      row({ postedAt, orderId, sku, quantity, disposition, reason, plate }, line) {
        // Equal rows are separate returns. Their numbering stays the same when they are imported
        // again.
        const name = [plate, orderId, sku, String(postedAt)].map((one) => one.slice(0, 200));
        const posting = {
          postedAt,
          amount: '0',
          type: 'Return',
          component: disposition,
          code: reason,
          sku,
          orderId,
          quantity: Number(quantity),
          fulfillment: 'AFN',
        } as const;
        ledger.post({ name: name.join('/') }, posting, line);
      },
      end: () => ledger.close(),
    };
  },
});
