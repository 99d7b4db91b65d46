/**
 * Peak memory, time and CPU of the service while it imports a large document of each main kind,
 * generated while it is sent. Each goes to its own service with embedded stores, which has the
 * settings of this process. `node bench/documents.ts [MiB=400] [kind]`
 */
import { readFileSync } from 'node:fs';
import { freshService, makeCustomer } from '../test/service.ts';
import { zone } from './folders.ts';
import { asServed, cpuOf, peakOf } from './measure.ts';
import { orderLine, trafficRow } from './rows.ts';
import { upload } from './upload.ts';

const bytesPerMebibyte = 1024 * 1024;
const chunkBytes = 256 * 1024;

/** A document: the text before and after its rows, and each row. */
type Made = {
  readonly path: string;
  readonly head: string;
  readonly row: (number: number) => string;
  readonly separator: string;
  readonly tail: string;
  readonly contentType?: string;
};

/** The settings of this process. */
const settings = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) =>
    name.startsWith('VITRINE_') ? [[name, value!]] : [],
  ),
);

const fixture = (name: string) =>
  readFileSync(new URL(`../test/fixtures/${name}`, import.meta.url), 'utf8');
const dayOf = (number: number) => `2025-03-${String((number % 31) + 1).padStart(2, '0')}`;
const idOf = (number: number) => String(number).padStart(9, '0');

/** A JSON document of a list of rows. */
function json(head: string, tail: string, row: (number: number) => unknown): Made {
  return {
    path: 'documents',
    head,
    tail,
    separator: ',',
    row: (number) => JSON.stringify(row(number)),
  };
}

/** A tab-separated document. */
function tabs(head: string, row: (number: number) => string): Made {
  return { path: 'documents', head, row, separator: '\n', tail: '\n' };
}

/** A charge of a financial event. */
function charge(ChargeType: string, CurrencyAmount: number): object {
  return { ChargeType, ChargeAmount: { CurrencyCode: 'USD', CurrencyAmount } };
}

function specified(reportType: string, list: string, reportOptions: object): string {
  const reportSpecification = {
    reportType,
    reportOptions,
    dataStartTime: reportOptions && 'reportPeriod' in reportOptions ? '2025-03-01' : '2025-03-31',
    dataEndTime: '2025-03-31',
    marketplaceIds: ['ATVPDKIKX0DER'],
  };
  return `${JSON.stringify({ reportSpecification }).slice(0, -1)},"${list}":[`;
}

const sales = JSON.parse(fixture('salesAndTraffic.day.json')).salesAndTrafficByAsin[0];
const campaign = JSON.parse(fixture('ads.spCampaigns.json'))[0];
const product = JSON.parse(fixture('ads.spAdvertisedProducts.json'))[0];
const query = JSON.parse(fixture('searchQuery.week.json')).dataByAsin[0];
const order = JSON.parse(fixture('orders.page.json')).payload.Orders[0];
const transaction = JSON.parse(fixture('finances.transactions.json')).transactions[0];
const { marketplaceDetails, sellingPartnerMetadata, ...paid } = transaction;
const [orderHeader = '', orderRow = ''] = fixture('orders.allOrders.txt').split(/\r?\n/);
const settled = fixture('settlement.v1.txt').split(/\r?\n/);

const kinds: Readonly<Record<string, Made>> = {
  salesAndTraffic: json(
    specified('GET_SALES_AND_TRAFFIC_REPORT', 'salesAndTrafficByAsin', { dateGranularity: 'DAY' }),
    ']}',
    (number) => ({
      ...sales,
      parentAsin: `P${idOf(number >> 2)}`,
      childAsin: `B${idOf(number)}`,
      sku: `SKU-${number}`,
    }),
  ),
  adsCampaigns: json('[', ']', (number) => ({
    ...campaign,
    date: dayOf(number),
    campaignId: 100_000_000_000 + (Math.floor(number / 31) % 10_000),
  })),
  adsProducts: json('[', ']', (number) => ({
    ...product,
    date: dayOf(number),
    advertisedAsin: `B${idOf(Math.floor(number / 31) % 10_000)}`,
    advertisedSku: `SKU-${Math.floor(number / 31) % 10_000}`,
  })),
  searchQueries: json(
    specified('GET_BRAND_ANALYTICS_SEARCH_QUERY_PERFORMANCE_REPORT', 'dataByAsin', {
      reportPeriod: 'MONTH',
    }),
    ']}',
    (number) => ({
      ...query,
      startDate: '2025-03-01',
      endDate: '2025-03-31',
      asin: `B${idOf(number % 500)}`,
      searchQueryData: { ...query.searchQueryData, searchQuery: `steel flask ${number}` },
    }),
  ),
  ordersApi: json('{"payload":{"NextToken":"more","Orders":[', ']}}', (number) => ({
    ...order,
    AmazonOrderId: `701-${idOf(number)}`,
    PurchaseDate: `${dayOf(number)}T10:00:00Z`,
  })),
  transactions: json('{"payload":{"transactions":[', ']}}', (number) => ({
    ...paid,
    transactionId: `transaction-${number}`,
    postedDate: `${dayOf(number)}T10:00:00Z`,
    relatedIdentifiers: [
      { relatedIdentifierName: 'ORDER_ID', relatedIdentifierValue: `701-${idOf(number)}` },
      { relatedIdentifierName: 'SHIPMENT_ID', relatedIdentifierValue: String(number) },
    ],
  })),
  financialEvents: json(
    '{"payload":{"FinancialEvents":{"ShipmentEventList":[',
    ']}}}',
    (number) => ({
      AmazonOrderId: `701-${idOf(number)}`,
      PostedDate: `${dayOf(number)}T10:00:00Z`,
      MarketplaceName: 'Amazon.com',
      ShipmentItemList: [
        {
          SellerSKU: `SKU-${number % 10_000}`,
          OrderItemId: String(number),
          QuantityShipped: 1,
          ItemChargeList: [charge('Principal', 19.99), charge('Tax', 1.6)],
        },
      ],
    }),
  ),
  allOrders: tabs(`${orderHeader}\n`, (number) =>
    orderRow.replace('701-0000001-0000001', `701-${idOf(number)}`),
  ),
  settlement: tabs(
    `${settled[0]}\n${settled[1]!.replace('582.89', '0')}\n`,
    // A price and its promotion: the rows of a settlement add up to its total.
    (number) =>
      ['10.00', '-10.00']
        .map((amount) =>
          settled[3]!
            .replaceAll('701-0000001-1000001', `701-${idOf(number)}`)
            .replace('129.99', amount),
        )
        .join('\n'),
  ),
  orderLinesCsv: {
    path: 'imports/orderLines',
    head: `${Object.keys(orderLine(0, 0)).join(',')}\n`,
    row: (number) =>
      Object.values({ ...orderLine(Math.floor(number / 4000), number % 400), lineId: number }).join(
        ',',
      ),
    separator: '\n',
    tail: '\n',
    contentType: 'text/csv',
  },
  trafficRows: {
    path: 'imports/traffic',
    head: '',
    row: (number) => JSON.stringify(trafficRow(Math.floor(number / 4000), number % 4000)),
    separator: '\n',
    tail: '\n',
    contentType: 'application/x-ndjson',
  },
};

/** A document of that size. */
function* documentOf({ head, row, separator, tail }: Made, bytes: number): Generator<string> {
  let text = head;
  for (let made = 0, sent = 0; sent + text.length < bytes; made++) {
    text += (made === 0 ? '' : separator) + row(made);
    if (text.length < chunkBytes) continue;
    yield text;
    sent += text.length;
    text = '';
  }
  yield text + tail;
}

/** Imports a document into a fresh service, and prints its peak memory and its time. */
async function measure(name: string, kind: Made, mebibytes: number): Promise<void> {
  await using service = await freshService(settings, asServed);
  const place = { timezone: zone, hasAdvertisingConnected: true };
  await makeCustomer(service, 'bench', { marketplace: 'bench', ...place });
  const idle = peakOf(service.pid);
  const start = performance.now();
  const cpu = cpuOf(service.pid);
  const path = `${kind.path}?channelId=bench`;
  const document = documentOf(kind, mebibytes * bytesPerMebibyte);
  const [status, text] = await upload(service, path, document, kind.contentType);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const peak = `peak ${String(peakOf(service.pid)).padStart(4)} MiB (${idle} MiB before)`;
  const { rowsAccepted, rowsRejected, error } = JSON.parse(text);
  const rejected = rowsRejected > 0 ? `, ${text.slice(0, 600)}` : '';
  const rows = error ?? `${rowsAccepted} rows${rejected}`;
  const took = `${seconds} s, CPU ${(cpuOf(service.pid) - cpu).toFixed(1)} s`;
  console.log(`${name.padEnd(16)} ${mebibytes} MiB: ${peak}, ${took}, ${status} ${rows}`);
}

const mebibytes = Number(process.argv[2] ?? 400);
for (const [name, kind] of Object.entries(kinds))
  if (process.argv[3] === undefined || process.argv[3] === name)
    await measure(name, kind, mebibytes);
