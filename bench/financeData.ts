/**
 * The data set of the benchmarks of finance, made once by statements: financial events of one
 * channel in a year, with unit costs for 49 of every 50 SKUs.
 */
import { type DataFolder, dataFolder, oneChannel } from './folders.ts';

/** The year of the events, in the channel's zone, epoch seconds. */
export const year = {
  from: Date.UTC(2025, 0, 1, 8) / 1000,
  to: Date.UTC(2026, 0, 1, 8) / 1000 - 1,
};
/** The rows of an order: sale, commission, fulfilment, and sometimes another. */
const rowsPerOrder = 4;
/** No import of the registry has this number. */
const importId = 0;

/** The size of the data. */
export type FinanceSize = { readonly events: number; readonly skus: number };

/** Makes the data folder unless it exists. */
export function financeData({ events, skus }: FinanceSize): Promise<DataFolder> {
  const what = `${events.toLocaleString('en')} events of ${skus.toLocaleString('en')} SKUs`;
  return dataFolder(`finance-${events}-${skus}`, what, {
    channels: oneChannel,
    *statements() {
      const orders = events / rowsPerOrder;
      for (let month = 0; month < 12; month++) yield eventsOfMonth(month, orders, skus);
      yield `INSERT INTO unit_cost SELECT 1, ${importId}, 'SKU-' || n, day,
        (n % 3000 + 100) / 100, 'USD', 0, 'USD'
        FROM range(${skus}) AS numbers(n), (VALUES (DATE '2024-01-01'),
        (DATE '2025-07-01')) AS days(day) WHERE n % 50 <> 7`;
      yield `INSERT INTO product (channel, import_id, sku, product_id, parent_product_id,
        title, brand, image_url, link_url, price, units_per_case, fulfilled_by_marketplace)
        SELECT 1, ${importId}, 'SKU-' || n, 'B' || n, '', 'Product ' || n, '', '', '', 10, 0, 1
        FROM range(${skus}) AS numbers(n)`;
    },
    rebuilds: { importId },
  });
}

/** A few SKUs sell the most. Every 20th order is refunded; one row in a thousand has no SKU. */
function eventsOfMonth(month: number, orders: number, skus: number): string {
  const portion = orders / 12;
  return `INSERT INTO finance_event (channel, import_id, day, unit, number, source,
    transaction_id, revision, posted_at, sku, order_id, line, code, amount, tax, quantity,
    fulfillment, currency)
    SELECT 1, ${importId}, CAST(make_timestamp(posted_at * 1000000) AS DATE),
    'rows:' || n || '-' || part, 1, 'rows', '', 0, posted_at,
      CASE WHEN part = 3 AND n % 250 = 0 THEN '' ELSE sku END, '111-' || n,
      CASE part WHEN 0 THEN 'sales' WHEN 1 THEN 'sellingFees' WHEN 2 THEN 'shippingFees'
      ELSE CASE WHEN n % 5 = 0 THEN 'refunds' WHEN n % 5 = 1 THEN 'promotions' WHEN n % 5 = 2
      THEN 'otherIncome' WHEN n % 5 = 3 THEN 'advertisingSpend' ELSE 'otherExpenses' END END,
      'code', CASE part WHEN 0 THEN price WHEN 1 THEN -price * 0.15 WHEN 2 THEN -3.45 ELSE CASE
      WHEN n % 5 = 2 THEN 4.99 ELSE -price * 0.2 END END,
      CASE part WHEN 0 THEN price * 0.08 ELSE 0 END, CASE WHEN part = 0 OR (part = 3
      AND n % 5 = 0) THEN 1 ELSE 0 END, 'AFN', 'USD'
    FROM (SELECT n, ${year.from} + CAST(n * ${(year.to - year.from) / orders} AS BIGINT) AS posted_at, (hash(n) % 9000 + 500) / 100 AS price,
            'SKU-' || CAST(floor(${skus} * pow((hash(n + 7) % 1000003) / 1000003,
            2)) AS INTEGER) AS sku
          FROM range(${Math.floor(month * portion)},
          ${Math.floor((month + 1) * portion)}) AS orders(n)) AS made,
          range(${rowsPerOrder}) AS parts(part)
    ORDER BY posted_at`;
}
