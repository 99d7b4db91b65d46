import { columnsOf, type ReportKind } from './kind.ts';

const columns = columnsOf(
  [
    ...['startTime', 'totalRevenue', 'repeatCustomersRevenue', 'repeatRevenuePercentage', 'totalCustomers', 'repeatCustomers'],
    ...['repeatCustomersPercentage', 'averageLTV', 'averageRepeatLTV', 'adSpend', 'cac', 'ltvCacRatio', 'repeatPurchases'],
    ...['purchaseFrequency', 'currency'],
  ],
  ['startTime', 'currency'],
);

/** Cohorts of customers, and what they have bought since. */
export const customerLifetimeValue: ReportKind<'customerLifetimeValue'> = {
  reportType: 'customerLifetimeValue',
  columns: () => columns,
  rows: async () => {},
};
