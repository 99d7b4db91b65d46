/** What the marketplace has paid for goods that it lost or damaged, and taken back. */

import { moneyOf } from '../../cells/adCells.ts';
import { plainInstant } from '../../cells/localCells.ts';
import { DocumentRefused } from '../../refused.ts';
import type { DocumentKind } from '../kind.ts';

const columns = [
  'approval-date',
  'reimbursement-id',
  'reason',
  'sku',
  'currency-unit',
  'amount-total',
];

/** GET_FBA_REIMBURSEMENTS_DATA. Goods instead of money are a row of amount 0. */
export const reimbursements: DocumentKind = {
  name: 'reimbursements',
  about: 'FBA reimbursements (TSV or CSV, GET_FBA_REIMBURSEMENTS_DATA)',
  tables: ['finance_event'],
  ofChannel: true,
  tabsUnquoted: true,
  recognisesHeader: (names) => columns.every((column) => names.includes(column)),
  read(desk) {
    const book = desk.finance('reimbursements');
    return {
      record(cells, line) {
        const lacking = columns.filter((column) => cells[column] === undefined);
        if (lacking.length > 0) throw new DocumentRefused(`the header lacks ${lacking.join(', ')}`);
        const of = (column: string) => cells[column]?.trim() ?? '';
        const id = of('reimbursement-id');
        if (id === '' || id.length > 100) return desk.reject(line, 'has no reimbursement-id');
        const postedAt = plainInstant(of('approval-date'), desk.timezone);
        if (typeof postedAt !== 'number')
          return desk.reject(line, `approval-date ${postedAt.reason}`);
        const amount = moneyOf(of('amount-total'));
        if (amount === undefined)
          return desk.reject(line, 'amount-total cannot be read as an amount');
        const currency = of('currency-unit');
        book.post(
          { name: `${id}/${of('sku').slice(0, 200)}` },
          {
            postedAt,
            ...(currency !== '' && { currency }),
            amount: amount === '' ? '0' : amount,
            type: 'Reimbursement',
            component: '',
            code: of('reason'),
            sku: of('sku'),
            orderId: of('amazon-order-id'),
            fulfillment: 'AFN',
          },
          line,
        );
      },
      end: () => book.close(),
    };
  },
};
