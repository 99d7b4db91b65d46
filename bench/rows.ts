/** Rows for the benchmarks: equal on every machine, with the shape and size of real rows. */

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

/** The first day of the benchmark's facts: 2024-01-01, as a day number. */
export const firstDay = Date.UTC(2024, 0, 1) / 86_400_000;

/** How rows are written. */
export type Format = 'ndjson' | 'csv';
/** The content type of each format. */
export const contentTypes: Readonly<Record<Format, string>> = {
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
};

/** The order line of a channel, SKU and day. */
export function orderLine(day: number, sku: number): Record<string, string | number> {
  const number = day * 400 + sku;
  const second = (number * 7919) % 86_400;
  return {
    orderId: `112-${String(number % 10_000_000).padStart(7, '0')}-${String((number * 31) % 10_000_000).padStart(7, '0')}`,
    lineId: String(10_000_000_000 + number),
    purchasedAt: new Date(((firstDay + day) * 86_400 + second) * 1000).toISOString(),
    status: number % 37 === 0 ? 'Canceled' : 'Shipped',
    sku: `SKU-${String(sku).padStart(4, '0')}`,
    productId: `B0${String(sku).padStart(8, '0')}`,
    quantity: 1 + (number % 3),
    itemPrice: (999 + (sku % 90) * 100) / 100,
    itemTax: ((number % 900) + 10) / 100,
    promotionDiscount: number % 5 === 0 ? 1.5 : 0,
    shippingPrice: 0,
    currency: 'USD',
    buyerEmail: `buyer${(number * 17) % 50_000}@marketplace.example`,
  };
}

/** The order of an order line, with its item and the fields that marketplaces report. */
export function order(day: number, sku: number): Record<string, unknown> {
  const line = orderLine(day, sku);
  const amount = (value: unknown) => ({ Amount: String(value), CurrencyCode: line.currency });
  return {
    OrderId: line.orderId,
    SellerId: 'A1BENCHMARK',
    MarketplaceId: 'ATVPDKIKX0DER',
    PurchaseDate: line.purchasedAt,
    LastUpdateDate: line.purchasedAt,
    OrderStatus: line.status,
    FulfillmentChannel: 'AFN',
    SalesChannel: 'Amazon.com',
    ShipServiceLevel: 'Expedited',
    IsPrime: true,
    IsBusinessOrder: false,
    BuyerInfo: { BuyerEmail: line.buyerEmail },
    ShippingAddress: {
      City: 'Portland',
      StateOrRegion: 'OR',
      PostalCode: '97201',
      CountryCode: 'US',
    },
    OrderTotal: amount(line.itemPrice),
    NumberOfItemsShipped: 1,
    NumberOfItemsUnshipped: 0,
    Items: [
      {
        OrderItemId: line.lineId,
        SellerSKU: line.sku,
        ASIN: line.productId,
        QuantityOrdered: line.quantity,
        ItemPrice: amount(line.itemPrice),
        ItemTax: amount(line.itemTax),
        PromotionDiscount: line.promotionDiscount,
      },
    ],
  };
}

/** The traffic of a channel, SKU and day. */
export function trafficRow(day: number, sku: number): Record<string, string | number> {
  const number = day * 400 + sku;
  return {
    date: new Date((firstDay + day) * 86_400_000).toISOString().slice(0, 10),
    sku: `SKU-${String(sku).padStart(4, '0')}`,
    productId: `B0${String(sku).padStart(8, '0')}`,
    parentProductId: `B1${String(sku >> 2).padStart(8, '0')}`,
    pageViews: 20 + (number % 200),
    sessions: 15 + (number % 150),
    mobileSessions: 9 + (number % 80),
    buyBoxPercentage: 80 + (number % 20),
    orderedRevenue: (999 + (sku % 90) * 100) / 100,
    orderedUnits: 1 + (number % 3),
    orderItems: 1,
    currency: 'USD',
  };
}

/** The metrics of one campaign and day. */
export function campaignDay(day: number, campaign: number): Record<string, string | number> {
  const number = day * 40 + campaign;
  return {
    date: new Date((firstDay + day) * 86_400_000).toISOString().slice(0, 10),
    campaignId: String(400_000_000_000 + campaign),
    impressions: 1000 + (number % 5000),
    clicks: 10 + (number % 50),
    cost: ((number % 4000) + 100) / 100,
    sales: ((number % 20_000) + 100) / 100,
    conversions: number % 7,
    units: number % 9,
    currency: 'USD',
  };
}

/** The metrics of one ad group and day; each campaign has one ad group. */
export function adGroupDay(day: number, campaign: number): Record<string, string | number> {
  const { campaignId, ...figures } = campaignDay(day, campaign);
  return { ...figures, adGroupId: String(500_000_000_000 + campaign), campaignId: campaignId! };
}

/** A financial event: sales, fees and refunds in turn. */
export function financeEvent(day: number, event: number): Record<string, string | number> {
  const number = day * 400 + event;
  const [line, sign] = (
    [
      ['sales', 1],
      ['sellingFees', -0.15],
      ['shippingFees', -0.2],
      ['sales', 1],
      ['refunds', -1],
    ] as const
  )[event % 5]!;
  return {
    eventId: String(number),
    postedAt: new Date(
      ((firstDay + day) * 86_400 + ((number * 7919) % 86_400)) * 1000,
    ).toISOString(),
    sku: `SKU-${String(event).padStart(4, '0')}`,
    orderId: `112-${number}`,
    line,
    amount: (((number % 900) + 100) * sign).toFixed(2),
    quantity: line === 'sales' ? 1 : 0,
    fulfillment: 'AFN',
    currency: 'USD',
  };
}

const monthOf = (month: number) =>
  new Date(Date.UTC(2024, month, 1)).toISOString().slice(0, '2024-01'.length);

/** The results of a search of a month: 20 searches for each product. */
export function searchQuery(month: number, place: number): Record<string, string | number> {
  const number = month * 400 + place;
  return {
    month: monthOf(month),
    asin: `B0${String(Math.floor(place / 20)).padStart(8, '0')}`,
    searchQuery: `search ${place % 20}`,
    searchQueryVolume: 1000 + (number % 900),
    totalImpressions: 9000 + (number % 700),
    impressions: 90 + (number % 80),
    totalClicks: 500 + (number % 90),
    clicks: 9 + (number % 7),
    totalPurchases: 50 + (number % 20),
    purchases: number % 5,
    totalMedianPurchasePrice: 19.99,
    currency: 'USD',
  };
}

/** The targets of a month. */
export function target(month: number): Record<string, string | number> {
  return { month: monthOf(month), salesBudget: 10_000 + month, adSpendBudget: 900 + month };
}

/** The text of rows in pieces, so any number of rows fits in memory. */
export function* textOf(
  rows: Iterable<Record<string, unknown>>,
  format: Format,
): Generator<string> {
  let text = '';
  let header = true;
  for (const row of rows) {
    if (format === 'csv') {
      if (header) text += `${Object.keys(row).join(',')}\n`;
      header = false;
      text += `${Object.values(row).join(',')}\n`;
    } else {
      text += `${JSON.stringify(row)}\n`;
    }
    if (text.length > 1_000_000) {
      yield text;
      text = '';
    }
  }
  if (text !== '') yield text;
}

/** Every SKU of every day. */
export function* everySku<Row>(
  days: number,
  skus: number,
  row: (day: number, sku: number) => Row,
): Generator<Row> {
  for (let day = 0; day < days; day++) for (let sku = 0; sku < skus; sku++) yield row(day, sku);
}

/** Writes rows to a file. */
export async function writeRows(
  file: string,
  rows: Iterable<Record<string, unknown>>,
  format: Format,
): Promise<void> {
  const stream = createWriteStream(file);
  for (const text of textOf(rows, format)) if (!stream.write(text)) await once(stream, 'drain');
  stream.end();
  await once(stream, 'finish');
}
