/**
 * Shopify's orders are read from its REST API and its bulk export, and long documents are not held
 * whole. Read in memory; other tests import such documents into the stores.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { MemoryChannel } from '../documents.ts';
import { assertHeld, fixture, holds, jsonLines } from '../facts.ts';
import { assertReasons, assertRefused, reasons, taken } from '../imports.ts';
import { slowTest } from '../level.ts';
import { flatFile, lampOrder, lineColumns, recordsOf } from '../orders.ts';

const french = { merchantId: 'shop', marketplace: 'shopify', currency: 'EUR' };
const newShop = () => new MemoryChannel({ ...french, timezone: 'Europe/Paris' });

const [one, two, four, five] = [1, 2, 4, 5].map((number) => `550000000000${number}`);
const ofOne = `${lineColumns}
  ${one}, 6600000000001, PartiallyShipped, TEA-1, 7700000000001, 3, 30, 5.7, 2, 7.5, EUR
  ${one}, 6600000000002, PartiallyShipped, POT-1, 7700000000002, 1, 30, 0,   3, 0,   EUR`;

test('Shopify REST orders: shop money, both kinds of tax, gift cards, test orders, inferred products', async () => {
  const channel = newShop();
  const tea = { sku: 'TEA-1', title: 'From the catalogue', price: 10 };
  await channel.importRows('products', [tea]);
  const answer = await channel.import(fixture('shopify.orders.json'));
  assert.equal(answer.body.dataset, 'shopifyOrders', JSON.stringify(answer.body));
  assert.deepEqual(reasons(answer), [[3, 'is a test order']]);
  assert.deepEqual([answer.body.rowsRead, answer.body.rowsAccepted], [4, 3]);
  // The second: 2 x 12 with 4 of tax in it.
  const expected = `${ofOne}
    ${two},  6600000000004, Canceled, POT-1, 7700000000002, 2, 20, 4, 0, 0, EUR
    ${four}, 6600000000006, Pending,  POT-1, 7700000000002, 1, 10, 2, 0, 0, EUR`;
  await holds(channel, 'order_line', expected);
  // Placed at 23:30 of the first of May in Paris.
  await assertHeld(channel, 'order_line', ({ order_id }) => order_id === one)`
    order_id, purchased_at, updated_at
    ${one}, 2025-05-01T21:30:00Z, 2025-05-03T07:00:00Z
    ${one}, 2025-05-01T21:30:00Z, 2025-05-03T07:00:00Z`;
  await assertHeld(channel, 'product')`
    sku, product_id, title, brand, price
    POT-1, "7700000000002", Pot, Clay, 0
    TEA-1, , From the catalogue, , 10`;
  assert.deepEqual(recordsOf(channel)[one!], JSON.parse(fixture('shopify.record.json')));
  const stored = channel.held('order_record', 'record, sealed_email');
  assert.doesNotMatch(JSON.stringify(stored), /hidden/i);
  const [order] = JSON.parse(fixture('shopify.orders.json')).orders;
  taken(await channel.import(JSON.stringify({ order })), 'shopifyOrders', 1);
  await holds(channel, 'order_line', expected);
  const line_items = [{ id: 2, quantity: 1, price: 'much' }];
  const strange = { orders: [{ id: 1, financial_status: 'paid', line_items }] };
  assertRefused(await channel.import(JSON.stringify(strange), '&from=2025-05-01&to=2025-05-02'))`
    …PurchaseDate is required`;
});

test('the bulk export of Shopify has the same orders, wherever their parts stand', async () => {
  const channel = newShop();
  const parent = 'gid://shopify/Order/404';
  const stray = { id: 'gid://shopify/LineItem/9', sku: 'STRAY', quantity: 1, __parentId: parent };
  const idless = jsonLines(
    { id: 'gid://shopify/Order/7', createdAt: '2025-05-04T08:00:00Z' },
    { sku: 'IDLESS', quantity: 1, __parentId: 'gid://shopify/Order/7' },
  );
  const answer = await channel.import(
    `${fixture('shopify.bulk.jsonl')}${jsonLines(stray)}\n{"id"\n${idless}`,
  );
  assert.equal(answer.body.dataset, 'shopifyOrders', JSON.stringify(answer.body));
  assertReasons(answer, 'of lines')`
    8 is a test order
    9 is a test order
    10 comes too late after its order, or without it: export with grouped objects
    11 is not JSON
    12 Items[0].OrderItemId is required
    13 Items[0].OrderItemId is required`;
  assert.deepEqual([answer.body.rowsRead, answer.body.rowsAccepted], [13, 7]);
  // The cups: 3 x 12 with a fifth of tax on 30; the discount of 1 holds its share of it.
  await assertHeld(channel, 'order_line')`
    ${ofOne}
    ${five}, 6600000000007, Pending, CUP-1, 7700000000003, 3, 30, 6, 0.833333, 4, EUR`;
  const byBulk = recordsOf(channel)[one!];
  const [customer] = channel.held('order_record', 'order_id, customer');
  // The REST API reports the first order identically, under the same ids.
  await channel.import(fixture('shopify.orders.json'));
  await holds(channel, 'order_line', ofOne, ({ order_id }) => order_id === one);
  assert.deepEqual(recordsOf(channel)[one!], byBulk);
  assert.deepEqual(channel.held('order_record', 'order_id, customer')[0], customer);
  assert.notEqual(customer![1], '');
  await assertHeld(channel, 'product')`
    sku, product_id, title, brand
    CUP-1, "7700000000003", Cup,       Clay
    POT-1, "7700000000002", Pot,       Clay
    TEA-1, "7700000000001", Green tea, Leaf & Co`;
});

slowTest('long documents are not held whole; late parts still find their order', async () => {
  const channel = new MemoryChannel({ ...french, timezone: 'UTC' });
  const many = 2500;
  const numbers = Array.from({ length: many }, (_, index) => index + 1);
  const euros = (amount: string) => ({ shopMoney: { amount, currencyCode: 'EUR' } });
  const orders = numbers.map((number) => ({
    id: `gid://shopify/Order/${number}`,
    createdAt: '2025-05-01T12:00:00Z',
    updatedAt: '2025-05-01T12:00:00Z',
    currencyCode: 'EUR',
    taxesIncluded: true,
    totalShippingPriceSet: euros('1.00'),
  }));
  const items = numbers.map((number) => ({
    id: `gid://shopify/LineItem/${number}`,
    sku: 'A',
    quantity: 1,
    originalUnitPriceSet: euros('12.00'),
    taxLines: [{ priceSet: euros('2.00') }],
    __parentId: `gid://shopify/Order/${number}`,
  }));
  const document = gzipSync(jsonLines(...orders, ...items));
  taken(await channel.import(document), 'shopifyOrders', 2 * many);
  assert.deepEqual(sums(channel), [2500, 25_000_000_000n, 5_000_000_000n, 2_500_000_000n]);
});

slowTest('rows of a long flat file that come too late for their order say so', async () => {
  const channel = new MemoryChannel();
  const row = flatFile([lampOrder]).split('\n')[1]!;
  const [header] = fixture('orders.allOrders.txt').split('\n');
  const rows = Array.from({ length: 5500 }, (_, index) => row.replace(lampOrder, `order-${index}`));
  const near = row.replace(lampOrder, 'order-5000').replaceAll('LAMP', 'SHADE');
  const far = row.replace(lampOrder, 'order-3').replaceAll('LAMP', 'SHADE');
  const answer = await channel.import([header, ...rows, near, far].join('\n'));
  assertReasons(answer)`
    5503 comes too late after the other rows of its order: import all rows of the order together`;
  assert.equal(answer.body.rowsAccepted, 5501);
  assert.deepEqual(sums(channel).slice(0, 2), [5501, 110_020_000_000n]);
});

/** How many order lines the channel has, and their prices, taxes and shipping added up. */
function sums(channel: MemoryChannel): unknown[] {
  const all = channel.held('order_line', 'item_price, item_tax, shipping_price') as bigint[][];
  return [all.length, ...[0, 1, 2].map((place) => all.reduce((sum, row) => sum + row[place]!, 0n))];
}
