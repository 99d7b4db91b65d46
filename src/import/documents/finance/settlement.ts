/**
 * Settlements as flat files in both layouts: version 1 with nine pairs of columns for amounts, and
 * version 2 with one amount per row. The first row of a settlement has the total of all others.
 */
import { DocumentRefused } from '../../refused.ts';
import type { DocumentKind } from '../kind.ts';
import {
  type CellsOf,
  type Column,
  type Columns,
  known,
  optional,
  plainTitle,
  tableDocument,
  text,
} from '../table.ts';
import { type Amount, type SettlementCells, settlementColumns } from './settlementPeriod.ts';
import { SettlementReader } from './settlementReader.ts';

const columns = {
  ...settlementColumns,
  component: known('amount-type', text),
  code: known('amount-description', text),
  amount: known('amount', text),
};

/** GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2. */
export const settlement = settlementDocument(
  'settlement',
  'Settlement, flat file version 2 (GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2)',
  columns,
  ({ type, component, code, amount }) => [{ type, component, code, text: amount }],
);

/** The pairs of columns of version 1, each with its amount type in version 2. */
const amountColumns = [
  { amount: 'price-amount', name: 'price-type', component: 'ItemPrice' },
  { amount: 'item-related-fee-amount', name: 'item-related-fee-type', component: 'ItemFees' },
  { amount: 'shipment-fee-amount', name: 'shipment-fee-type', component: 'ShipmentFees' },
  { amount: 'order-fee-amount', name: 'order-fee-type', component: 'OrderFees' },
  { amount: 'promotion-amount', name: 'promotion-type', component: 'Promotion' },
  { amount: 'direct-payment-amount', name: 'direct-payment-type', component: 'DirectPayment' },
  { amount: 'other-fee-amount', name: 'other-fee-reason-description', component: 'OtherFees' },
  { amount: 'misc-fee-amount', name: undefined, component: '' },
  { amount: 'other-amount', name: 'price-type', component: 'Other transactions' },
] as const;

type AmountTitle = (typeof amountColumns)[number]['amount'];
type NameTitle = NonNullable<(typeof amountColumns)[number]['name']>;

const columnsV1 = {
  ...settlementColumns,
  orderItem: optional('order-item-code', text),
  ...(Object.fromEntries(
    amountColumns.map(({ amount }) => [amount, optional(amount, text)]),
  ) as Record<AmountTitle, Column<string>>),
  ...(Object.fromEntries(
    amountColumns.flatMap(({ name }) => (name === undefined ? [] : [[name, optional(name, text)]])),
  ) as Record<NameTitle, Column<string>>),
};

/**
 * Transaction types of both versions, in lower case. For amounts without a name, version 1 has
 * other types, which are descriptions in version 2.
 */
const sharedTypes = new Set(
  [
    'Order',
    'Refund',
    'Order_Retrocharge',
    'Refund_Retrocharge',
    'Chargeback Refund',
    'A-to-z Guarantee Refund',
    'ServiceFee',
    'Shipment',
    'Adjustment',
    'Fee Adjustment',
    'Transfer',
    'Liquidations',
    'Liquidations Adjustments',
    'CouponRedemptionFee',
    'Lightning Deal Fee',
    'SellerReviewEnrollmentPayment',
    'Vine Enrollment Fee',
    'Grade and Resell Fees',
    'Commingling VAT',
    'Income Tax Charged',
  ].map((type) => type.toLowerCase()),
);
const otherTransaction = 'other-transaction';

/** GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE, which the marketplace no longer produces. */
export const settlementV1 = settlementDocument(
  'settlementV1',
  'Settlement, flat file of the older layout (GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE)',
  columnsV1,
  (cells) => {
    const type = sharedTypes.has(cells.type.toLowerCase()) ? cells.type : otherTransaction;
    const amounts = amountColumns.flatMap(({ amount, name, component }): Amount[] => {
      if (cells[amount] === '') return [];
      const code = name === undefined ? '' : cells[name];
      return code === ''
        ? [{ type, component: otherTransaction, code: cells.type, text: cells[amount] }]
        : [{ type: cells.type, component, code, text: cells[amount] }];
    });
    // The number of units has its own row, next to the item's amounts.
    const isQuantity = amounts.length === 0 && cells.orderItem !== '' && cells.quantity !== '';
    return isQuantity ? [{ type, component: 'ItemPrice', code: 'Principal', text: '0' }] : amounts;
  },
  {
    // A settlement without promotions has no columns for them, and so on.
    recognises: (titles) =>
      ['settlement-id', 'total-amount'].every((title) => titles.has(title)) &&
      amountColumns.some(({ amount }) => titles.has(amount)),
    check: refuseNameless,
  },
);

/** The columns of rows about orders and refunds: if they are missing, units and costs are lost. */
const columnsOfOrders = ['orderId', 'orderItem', 'sku', 'quantity', 'fulfillment'];
const orderTypes = ['order', 'refund'];

function settlementDocument<Table extends Columns>(
  name: DocumentKind['name'],
  about: string,
  columns: Table,
  amountsOf: (cells: CellsOf<Table>) => readonly Amount[],
  older?: {
    readonly recognises: (titles: ReadonlySet<string>) => boolean;
    readonly check: (has: ReadonlySet<string>) => void;
  },
): DocumentKind {
  const check = older?.check;
  return tableDocument<Table>({
    name,
    about,
    ...(older && { recognises: older.recognises }),
    tables: ['finance_event', 'finance_claim'],
    columns,
    title: (written) => plainTitle(written).replaceAll(' ', '-'),
    open(session) {
      const reader = new SettlementReader(session);
      let missing: readonly string[] = [];
      return {
        header(has) {
          check?.(has as ReadonlySet<string>);
          missing = Object.entries(columns).flatMap(([name, { titles }]) =>
            columnsOfOrders.includes(name) && !has.has(name) ? titles : [],
          );
        },
        row(cells, line) {
          if (missing.length > 0 && orderTypes.includes(String(cells.type).toLowerCase()))
            throw new DocumentRefused(
              `the header lacks ${missing.join(', ')}, which orders and refunds need: import the settlement as it was downloaded`,
            );
          reader.row(cells as unknown as SettlementCells, amountsOf(cells), line);
          return undefined;
        },
        end: () => reader.end(),
      };
    },
  });
}

/** Refuses a version 1 header with amounts but without the columns that name them. */
function refuseNameless(has: ReadonlySet<string>): void {
  const found = amountColumns.find(
    ({ amount, name }) => name !== undefined && has.has(amount) && !has.has(name),
  );
  if (found !== undefined)
    throw new DocumentRefused(`the header has ${found.amount}, but lacks ${found.name}`);
}
