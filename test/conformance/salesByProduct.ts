/** Facts and rows of the report of sales by product. */
import {
  productsByPages,
  salesByProduct,
} from '../../src/endpoints/reports/create/salesByProduct/report.ts';
import { rowsOf } from '../table.ts';
import type { Conformance } from './report.ts';

const ash =
  "'=Ash|Wood|A|B0A|B0A|https://images.example/a.jpg|https://shop.example/a|7|12.50|35.70|3|11.90|";
const cedar =
  'Cedar||C|B0C|B0C|||4||0.00|0||2025-01-20T13:00:00.000+01:00||60.0|0.00|0.00|||MFN|active';
// 7 units at 3 in 30 days; 1.00 of 4.00 and of 35.70.
const sold = `
  ${ash}2025-03-31T23:59:59.000+02:00||70.0|1.00|4.00|25.00|2.80|AFN|active
  ||B|||||0||12.50|1|12.50|2025-03-10T13:00:00.000+01:00|2025-03-29T00:00:00.000+01:00|0.0|0.00|0.00||0.00||outOfStock
`;

const at = (instant: string) => Date.parse(instant) / 1000;

/** March 2025 in Berlin, where clocks change on the 30th. */
export const marchInBerlin = {
  fromDate: at('2025-02-28T23:00:00Z'),
  toDate: at('2025-03-31T21:59:59Z'),
  timezone: 'Europe/Berlin',
};

/** Sales and stock of a seller, and how they are shown. */
export const salesConformance: Conformance = {
  reportType: 'salesByProduct',
  table: salesByProduct,
  byPages: productsByPages,
  channel: { timezone: 'Europe/Berlin' },
  facts: {
    products: rowsOf(`
      sku, productId, title, brand, price, fulfilledByMarketplace, linkUrl,                imageUrl
      A,   B0A,       =Ash,  Wood,  12.50, true,                   https://shop.example/a, https://images.example/a.jpg
      C,   B0C,       Cedar, ,      ,      false,                  ,`),
    // The catalogue does not have B.
    orderLines: rowsOf(`
      orderId, lineId, purchasedAt,          sku, quantity, itemPrice, itemTax
      "1",     "1",    2025-03-31T21:59:59Z, A,   3,        30.00,     5.70
      "3",     "1",    2025-03-10T12:00:00Z, B,   1,        12.50,
      "2",     "1",    2025-03-31T22:00:00Z, A,   9,        90.00,
      "4",     "1",    2025-01-20T12:00:00Z, C,   6,        6.00,`),
    inventory: rowsOf(`
      date,       sku, available
      2025-03-30, A,   7
      2025-04-01, A,   99
      2025-03-29, B,   0
      2025-03-29, C,   4`),
    adProductDays: rowsOf(`
      date,       sku, productId, cost, sales
      2025-03-31, A,   B0A,       1.00, 4.00`),
  },
  columns:
    'title,brand,sku,productSku,asin,imageUrl,linkUrl,quantity,price,totalSales,unitsSold,' +
    'avPrice,lastSold,noQuantitySinceTime,daysCover,adSpend,adSales,acos,tacos,' +
    'fulfillmentChannel,status',
  questions: [
    { options: marchInBerlin, rows: sold },
    { options: { ...marchInBerlin, includeNoSales: true }, rows: sold + cedar },
    {
      options: {
        ...{ ...marchInBerlin, includeNoSales: true, includeNoInventory: false, includeTax: false },
      },
      // Without tax, 30.00 for 3 units; 4 units of C at 6 in 90 days.
      rows: `
        '=Ash|Wood|A|B0A|B0A|https://images.example/a.jpg|https://shop.example/a|7|12.50|30.00|3|10.00|2025-03-31T23:59:59.000+02:00||70.0|1.00|4.00|25.00|3.33|AFN|active
        ${cedar}`,
    },
  ],
  zone: {
    options: { timezone: 'America/New_York' },
    first: `${ash}2025-03-31T17:59:59.000-04:00|`,
  },
};
