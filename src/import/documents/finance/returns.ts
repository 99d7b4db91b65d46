/** The units that customers have sent back to the marketplace: no money, but how many came, when, and of what. */
import { CellError, count } from '../../cells/fields.ts';
import { plainInstant } from '../../cells/localCells.ts';
import { DocumentRefused } from '../../refused.ts';
import type { DocumentKind } from '../kind.ts';

const columns = ['return-date', 'order-id', 'sku', 'quantity', 'detailed-disposition', 'reason'];
const units = count();

/** GET_FBA_FULFILLMENT_CUSTOMER_RETURNS_DATA. What customers say beside it is not read. */
export const customerReturns: DocumentKind = {
  name: 'customerReturns',
  about: 'FBA customer returns (TSV or CSV, GET_FBA_FULFILLMENT_CUSTOMER_RETURNS_DATA)',
  tables: ['finance_event'],
  ofChannel: true,
  tabsUnquoted: true,
  recognisesHeader: (names) => columns.every((column) => names.includes(column)),
  read(desk) {
    const book = desk.finance('returns');
    return {
      record(cells, line) {
        const lacking = columns.filter((column) => cells[column] === undefined);
        if (lacking.length > 0) throw new DocumentRefused(`the header lacks ${lacking.join(', ')}`);
        const of = (column: string) => cells[column]?.trim() ?? '';
        const postedAt = plainInstant(of('return-date'), desk.timezone);
        if (typeof postedAt !== 'number')
          return desk.reject(line, `return-date ${postedAt.reason}`);
        const quantity = units.read(of('quantity'));
        if (quantity instanceof CellError) return desk.reject(line, `quantity ${quantity.reason}`);
        // Rows that are told alike are as many returns, and stay together when they are told again.
        const name = [of('license-plate-number'), of('order-id'), of('sku'), String(postedAt)]
          .map((part) => part.slice(0, 200))
          .join('/');
        book.post(
          { name },
          {
            postedAt,
            amount: '0',
            type: 'Return',
            component: of('detailed-disposition'),
            code: of('reason'),
            sku: of('sku'),
            orderId: of('order-id'),
            quantity,
            fulfillment: 'AFN',
          },
          line,
        );
      },
      end: () => book.close(),
    };
  },
};
