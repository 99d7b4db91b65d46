/** Facts and rows of the report of profit and loss, of one channel. */
import { channelProfitAndLoss } from '../../src/endpoints/reports/create/channelProfitAndLoss/report.ts';
import { rowsOf } from '../table.ts';
import { type Conformance, days } from './report.ts';

/** The two days of the facts. */
export const twoDays = { ...days('2025-03-10', '2025-03-11'), timezone: 'UTC' };

/** Financial events, one after another. */
export const financeEvents = (csv: string) =>
  rowsOf(csv).map((row, place) => ({ eventId: `event-${place}`, ...row }));

/** Events of a store; the last two are before and after the days. */
export const storeFacts = {
  unitCosts: [{ sku: 'A', effectiveFrom: '2025-01-01', cogs: '6.00' }],
  financeEvents: financeEvents(`
    postedAt,             sku, line,             amount, tax,   quantity, fulfillment
    2025-03-10T12:00:00Z, A,   sales,            100.00, 8.00,  4,        AFN
    2025-03-10T12:00:00Z, A,   refunds,          -20.00, -1.60, 1
    2025-03-10T12:00:00Z, A,   sellingFees,      -15.00
    2025-03-10T12:00:00Z, A,   advertisingSpend, -5.00
    2025-03-09T23:59:59Z, A,   sales,            7.00,   ,      1
    2025-03-12T00:00:00Z, A,   sales,            7.00,   ,      1
  `),
};

/** Each value, its share of income and its value per unit: of the channel, then of all. */
const both = (csv: string, currency = 'USD') =>
  rowsOf(`metric, cells, currency\n${csv}`)
    .map(({ metric, cells, currency: own = currency }) => [metric, cells, cells, own].join('|'))
    .join('\n');

/** Earnings of a store, and how they are shown. */
export const profitConformance: Conformance = {
  reportType: 'channelProfitAndLoss',
  table: channelProfitAndLoss,
  channel: { timezone: 'UTC' },
  facts: storeFacts,
  columns: (channelId) =>
    [
      'metric',
      ...[channelId, 'Total'].flatMap((name) =>
        ['value', 'shareOfIncome', 'valuePerUnit'].map((figure) => `${name} ${figure}`),
      ),
      'currency',
    ].join(),
  questions: [
    {
      options: twoDays,
      rows: both(`
        totalRevenue,               80.00|100.00|20.00
        totalExpenses,              44.00|55.00|11.00
        sales,                      100.00|125.00|25.00
        refunds,                    -20.00|-25.00|-5.00
        promotions,                 0.00|0.00|0.00
        reimbursements,             0.00|0.00|0.00
        otherIncome,                0.00|0.00|0.00
        advertisingSpend,           5.00|6.25|1.25
        sellingFees,                15.00|18.75|3.75
        shippingFees,               0.00|0.00|0.00
        refundsAndReturnsOverheads, 0.00|0.00|0.00
        cogs,                       24.00|30.00|6.00
        otherExpenses,              0.00|0.00|0.00
        netProfit,                  36.00|45.00|9.00
        margin,                     45.00||, ""
        units,                      4||, ""
      `),
    },
  ],
  // A range without facts has zeros, and no ratios.
  empty: both(
    [
      ...['totalRevenue', 'totalExpenses', 'sales', 'refunds', 'promotions', 'reimbursements'],
      ...['otherIncome', 'advertisingSpend', 'sellingFees', 'shippingFees'],
      ...['refundsAndReturnsOverheads', 'cogs', 'otherExpenses', 'netProfit'],
    ]
      .map((metric) => `${metric}, 0.00||`)
      .concat('margin, ||, ""', 'units, "0||", ""')
      .join('\n'),
  ),
};
