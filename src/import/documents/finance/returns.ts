/** Units that customers returned: how many, when and which products, without amounts. */
import { count } from '../../cells/fields.ts';
import { TextNumbers } from '../../cells/textNumbers.ts';
import { checked, filled, instant, known, optional, tableDocument, text } from '../table.ts';

/** A word in place of a licence plate. */
const noPlate = /^(?:n\/?a|none|null|unknown|-+)$/i;

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
    const seen = new TextNumbers();
    return {
      row({ postedAt, orderId, sku, quantity, disposition, reason, ...cells }, line) {
        const plate = noPlate.test(cells.plate) ? '' : cells.plate;
        const unitOf = (name: string) =>
          [name, orderId, sku].map((one) => one.slice(0, 200)).join('/');
        const unit = unitOf(plate);
        const dated = `${unit}/${postedAt}`;
        // A plate belongs to one unit, which came back once: on the first of its dates. Without
        // plates, equal rows are separate returns, which stay the same when they are imported
        // again.
        const isKnown = plate !== '' && seen.get(dated) !== undefined;
        if (isKnown) return;
        seen.set(dated, line);
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
        ledger.post(
          plate === ''
            ? { name: dated, ...(cells.plate !== '' && { formerName: unitOf(cells.plate) }) }
            : {
                name: unit,
                transactionId: plate.slice(0, 200),
                revision: earlier(postedAt),
                formerName: dated,
              },
          posting,
          line,
        );
        return;
      },
      end: () => ledger.close(),
    };
  },
});

/** A revision that is higher for an earlier instant. */
function earlier(instant: number): number {
  return 1_000_000_000 - Math.floor(instant / 60);
}
