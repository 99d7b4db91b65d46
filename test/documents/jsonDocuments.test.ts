/**
 * JSON documents with long lists are read in portions, wherever the lists stand, and refused where
 * they are damaged or take too much memory. Read in memory, and one by the thread of an import.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { MemoryChannel } from '../documents.ts';
import { onOnePair } from '../harness.ts';
import { importDocument, reasons, taken } from '../imports.ts';
import { slowTest } from '../level.ts';

const usd = (amount: number) => ({ amount, currencyCode: 'USD' });
/** Bytes of a list beyond which its rows are read in portions. */
const portionBytes = 64 * 1024;

/** A row of a Sales and Traffic report by product, of about 550 bytes. */
const sold = (sku: string, units: number, more: object = {}) => ({
  parentAsin: 'B000000000',
  childAsin: 'B000000001',
  sku,
  salesByAsin: {
    unitsOrdered: units,
    unitsOrderedB2B: 0,
    orderedProductSales: usd(units),
    orderedProductSalesB2B: usd(0),
    totalOrderItems: units,
    totalOrderItemsB2B: 0,
  },
  trafficByAsin: { sessions: 3, mobileAppSessions: 1, pageViews: 4, buyBoxPercentage: 99.5 },
  ...more,
});
const soldOn = (date: string, units: number) => ({
  date,
  salesByDate: { orderedProductSales: usd(units), unitsOrdered: units, totalOrderItems: 1 },
  trafficByDate: { sessions: 9, pageViews: 10, buyBoxPercentage: 90 },
});
const reportSpecification = {
  reportType: 'GET_SALES_AND_TRAFFIC_REPORT',
  reportOptions: { dateGranularity: 'DAY', asinGranularity: 'SKU' },
  dataStartTime: '2025-03-01',
  dataEndTime: '2025-03-01',
  marketplaceIds: ['ATVPDKIKX0DER'],
};
const products = (count: number, units = 1) =>
  Array.from({ length: count }, (_, number) => sold(`SKU-${number}`, units));

const report = (lists: object, specification: object = reportSpecification) =>
  JSON.stringify({ reportSpecification: specification, ...lists });
const damaged = 'the document is not JSON: it is damaged or was cut off';
const tooLarge = 'the document takes more than the 48 MB of memory that one may: split it by dates';

const megabytesMax = 48;
const settings = { currency: 'USD', timezone: 'UTC', merchantId: 'A1 @ ATVPDKIKX0DER' };
const newChannel = () => new MemoryChannel(settings, megabytesMax);
const refusal = async (document: string | Buffer): Promise<[number, string]> => {
  const { status, body } = await newChannel().import(document);
  return [status, body.error.replace(/ \(import \d+\)$/, '')];
};
/** Imports a document whose rows are all right. Returns its kind, rows, and units in all. */
const imported = async (document: string | Buffer) => {
  const channel = newChannel();
  const answer = await channel.import(document);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const { dataset, rowsRead, rowsAccepted } = answer.body;
  assert.equal(rowsAccepted, rowsRead);
  const units = channel.held('traffic', 'units').flat() as number[];
  return [dataset, rowsRead, units.reduce((sum, one) => sum + one, 0)];
};

onOnePair(
  'JSON documents with long lists',
  (world) => {
    slowTest('a report larger than the memory of a document goes in by portions', async () => {
      const tenant = await world().tenant({ channel: settings });
      const rows = products(15_000, 2);
      rows[9_000] = sold('SKU-9000', -1);
      const text = report({
        salesAndTrafficByDate: [soldOn('2025-03-01', 30_000)],
        salesAndTrafficByAsin: rows,
      });
      const answer = await importDocument(world(), tenant.channelId, gzipSync(text));
      assert.deepEqual(
        [answer.status, answer.body.dataset, answer.body.rowsRead, answer.body.rowsAccepted],
        [200, 'salesAndTrafficReport', 15_001, 15_000],
      );
      // A line is the number of the row in both lists.
      assert.deepEqual(
        reasons(answer).map(([line]) => line),
        [9_002],
      );
    });
  },
  { limits: { importMegabytes: megabytesMax } },
);

test('the description of a report may follow its rows', async () => {
  const rows = products(300);
  const late = JSON.stringify({ salesAndTrafficByAsin: rows, reportSpecification });
  const expected = ['salesAndTrafficReport', 300, 300];
  assert.deepEqual(await imported(late), expected);
  const spaced = JSON.stringify({ reportSpecification, salesAndTrafficByAsin: rows }, null, 2);
  assert.deepEqual(await imported(`\n\n${spaced}\r\n`), expected);
  assert.deepEqual(await imported(Buffer.from(`\ufeff${late}`)), expected);
  assert.deepEqual(await imported(Buffer.from(`\ufeff${late}`, 'utf16le')), expected);
});

test('of lists with the same name the last one counts', async () => {
  const list = (rows: readonly object[]) => `"salesAndTrafficByAsin":${JSON.stringify(rows)}`;
  const specification = `"reportSpecification":${JSON.stringify(reportSpecification)}`;
  const both = (one: readonly object[], other: readonly object[]) =>
    imported(`{${list(one)},${specification},${list(other)}}`);
  const kind = 'salesAndTrafficReport';
  assert.deepEqual(await both(products(300), products(2)), [kind, 2, 2]);
  assert.deepEqual(await both(products(2), products(300)), [kind, 300, 300]);
  assert.deepEqual(await both(products(300), products(300, 2)), [kind, 300, 600]);
});

test('rows of any size are read: texts with brackets, nested lists, long numbers', async () => {
  const rows: object[] = products(200);
  const text = `["\\{,${'x'.repeat(3 * portionBytes)}é`;
  rows[120] = sold('SKU-120', 1, { [text]: [[[{ text }]]], text, number: 1e300 });
  const document = report({ salesAndTrafficByAsin: rows });
  assert.deepEqual(await imported(document), ['salesAndTrafficReport', 200, 200]);
  rows[150] = sold('SKU-150', 1, { nested: Array.from({ length: 130_000 }, () => ({})) });
  assert.deepEqual(await refusal(report({ salesAndTrafficByAsin: rows })), [413, tooLarge]);
  const deep = `${'['.repeat(200)}${']'.repeat(200)}`;
  assert.deepEqual(await refusal(document.replace('1e+300', deep)), [
    400,
    'the JSON document is nested more than 100 levels deep: no known document is',
  ]);
});

test('a damaged document is refused wherever the damage is', async () => {
  const document = report({ salesAndTrafficByAsin: products(400) });
  const end = document.length;
  for (const broken of [
    document.slice(0, end / 2),
    document.slice(0, -1),
    document.slice(0, -2),
    `${document} and more`,
    `${document}[1]`,
    `${document.slice(0, -2)},]}`,
    document.replace('},{"parentAsin"', '},,{"parentAsin"'),
    document.replace(/"sku":"SKU-390"/, '"sku":'),
    document.replace(/"sku":"SKU-390"(.*)\}/, '"sku":"SKU-390"$1]'),
    document.replace(
      /\{("parentAsin":"B000000000","childAsin":"B000000001","sku":"SKU-390")/,
      '$1',
    ),
  ])
    assert.deepEqual(await refusal(broken), [400, damaged], broken.slice(-60));
});

test('lists are found at the top, in a body and in its payload; empty ones have no rows', async () => {
  const campaigns = Array.from({ length: 400 }, (_, number) => ({
    date: '2025-03-01',
    // Longer than a double holds.
    campaignId: `9007199254740${993 + number}`,
    campaignName: `Campaign ${number}, with a name of a hundred letters ${'x'.repeat(100)}`,
    impressions: 1,
    clicks: 1,
    cost: 1,
    purchases14d: 1,
    sales14d: 1,
  }));
  const text = JSON.stringify(campaigns).replaceAll(/"(9007\d+)"/g, '$1');
  const channel = newChannel();
  taken(await channel.import(text, '&type=adsSpCampaigns'), 'adsSpCampaigns', 400);
  const stored = channel.held('campaign_day', 'campaign_id');
  assert.deepEqual([stored.length, stored.at(-1)], [400, ['9007199254740999']]);

  const orders = Array.from({ length: 400 }, (_, number) => ({
    AmazonOrderId: `701-${number}`,
    PurchaseDate: '2025-03-01T10:00:00Z',
    LastUpdateDate: '2025-03-01T10:00:00Z',
    OrderStatus: 'Shipped',
    ShipmentServiceLevelCategory: 'x'.repeat(200),
  }));
  const body = JSON.stringify({ payload: { NextToken: 'more', Orders: orders } });
  for (const written of [body, body.replace('payload', '\\u0070ayload')])
    taken(await newChannel().import(written), 'ordersApi', 400);
  for (const empty of [
    { payload: { Orders: [] } },
    JSON.parse(report({ salesAndTrafficByAsin: [] })),
  ])
    assert.deepEqual(await refusal(JSON.stringify(empty)), [400, 'the document has no rows']);
});

slowTest('413: what is not in lists of rows must fit in memory', async () => {
  const members = Array.from({ length: 150_000 }, (_, number) => `"a${number}":{}`);
  assert.deepEqual(await refusal(`{${members}}`), [413, tooLarge]);
  const fees = Array.from({ length: 150_000 }, () => ({}));
  const economics = { startDate: '2025-03-01', endDate: '2025-03-01', msku: 'A', fees };
  assert.deepEqual(await refusal(JSON.stringify(economics)), [413, tooLarge]);
  assert.deepEqual(await imported(report({ salesAndTrafficByAsin: products(1) })), [
    'salesAndTrafficReport',
    1,
    1,
  ]);
});
