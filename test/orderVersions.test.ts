/**
 * Several versions of an order come to the same lines in the same state, whichever version is
 * imported first. Read in memory; orders come into the stores in other tests.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryChannel } from './documents.ts';
import { assertHeld, holds, jsonLines } from './facts.ts';
import { taken } from './imports.ts';
import { flatFile, recordsOf } from './orders.ts';
import { listsOf, rowsOf, tablesBeside } from './table.ts';

const tables = tablesBeside(import.meta.url, 'orderVersions.tables.txt');

const march = (day: number, hour = 0) => `2025-03-0${day}T0${hour}:00:00Z`;
const purchased = { PurchaseDate: '2025-03-02T12:00:00Z' };
const itemOf = (OrderItemId: string, SellerSKU: string, QuantityOrdered: number) => ({
  OrderItemId,
  SellerSKU,
  QuantityOrdered,
});

test('items of one SKU match lines by quantity, and lines that a later version does not name go', async () => {
  const channel = new MemoryChannel();
  const order = '701-0000003-0000003';
  const version = (day: number, ...rows: readonly (readonly [string, string, number])[]) => ({
    OrderId: order,
    ...purchased,
    LastUpdateDate: march(day),
    Items: rows.map(([id, sku, quantity]) => itemOf(id, sku, quantity)),
  });
  const put = (one: object) => channel.importRows('orders', [one]);
  const own = (rows: string) =>
    holds(channel, 'order_line', `line_id, sku, quantity, item_price\n${rows}`);
  const older = version(1, ['9', 'RULE"R', 1], ['1', 'RULE"R', 3]);
  await put(older);
  taken(await channel.import(flatFile([order])), 'allOrders', 3);
  await own(`"1", "RULE""R", 3, 9.75
    "9", "RULE""R", 1, 3.25
    sku:1:TAPE-1, TAPE-1, 0, 0`);
  await put(version(5, ['9', 'RULE"R', 1], ['5', 'TAPE-1', 1]));
  const left = '"9", "RULE""R", 1, 0\nsku:1:TAPE-1, TAPE-1, 1, 0';
  await own(left);
  // The older version does not bring its line back.
  await put(older);
  await own(left);
  await put(version(5));
  await own('');
});

test('versions of an order within one document replace one another as wholes', async () => {
  const version = (day: number, ...ids: readonly string[]) => ({
    OrderId: 'o',
    ...purchased,
    LastUpdateDate: march(day),
    Items: ids.map((OrderItemId) => ({ OrderItemId, SellerSKU: 'A', QuantityOrdered: day })),
  });
  for (const versions of [
    [version(3, '1', '2'), version(4, '2', '3')],
    [version(4, '2', '3'), version(3, '1', '2')],
  ]) {
    const channel = new MemoryChannel();
    await channel.importRows('orders', versions);
    await holds(channel, 'order_line', 'line_id, quantity\n"2", 4\n"3", 4');
  }
  // The items of an order in two parts are all of its items, and replace yesterday's.
  const channel = new MemoryChannel();
  await channel.importRows('orders', [version(3, '1', '2')]);
  const order = { AmazonOrderId: 'o', ...purchased, LastUpdateDate: march(5) };
  const part = (OrderItemId: string) => {
    const OrderItems = [{ OrderItemId, QuantityOrdered: 5, ItemPrice: 1 }];
    return { payload: { AmazonOrderId: 'o', OrderItems } };
  };
  await channel.import(jsonLines({ payload: { Orders: [order] } }, part('3'), part('4')));
  await holds(channel, 'order_line', 'line_id, quantity\n"3", 5\n"4", 5');
});

const item = { OrderItemId: '1', SellerSKU: 'A', QuantityOrdered: 1, ItemPrice: 10 };

test('a version without items changes only the fields that it carries', async () => {
  const channel = new MemoryChannel();
  const columns = 'line_id, status, item_price';
  const order = { OrderId: 'o', ...purchased };
  const state = { LastUpdateDate: march(3), OrderStatus: 'Unshipped', SalesChannel: 'Amazon.com' };
  const BuyerInfo = { BuyerEmail: 'hidden@marketplace.example' };
  const whole = { ...order, ...state, BuyerInfo, Items: [item] };
  await channel.importRows('orders', [whole]);
  await channel.importRows('orders', [{ ...order, IsPrime: true }]);
  await holds(channel, 'order_line', `${columns}\n"1", Unshipped, 10`);
  const expected = { PlatformOrderId: 'o', ...purchased, ...state };
  assert.deepEqual(recordsOf(channel).o, { ...expected, IsPrime: true });
  const update = { LastUpdateDate: march(4), OrderStatus: 'Canceled' };
  await channel.importRows('orders', [{ ...order, ...update }]);
  await holds(channel, 'order_line', `${columns}\n"1", Canceled, 10`);
  assert.deepEqual(recordsOf(channel).o, { ...expected, IsPrime: true, ...update });
  const [stored] = channel.held('order_record', 'customer, sealed_email');
  assert.ok(stored!.every((text) => text !== ''));
  // The same within one document: the later version has the fields of the earlier one, too.
  const other = new MemoryChannel();
  const twice = await other.importRows('orders', [whole, { ...order, ...update }]);
  const { rowsRead, rowsAccepted, rowsMerged } = twice.body;
  assert.deepEqual([rowsRead, rowsAccepted, rowsMerged], [2, 1, 1]);
  assert.deepEqual(recordsOf(other).o, { ...expected, ...update });
  // A cancelled order has no counted lines whatever its items say.
  const Items = [item, { OrderItemId: '2', SellerSKU: 'B', Canceled: false }];
  const canceled = { ...update, LastUpdateDate: march(5), Items };
  await other.importRows('orders', [{ ...whole, ...canceled }]);
  await holds(other, 'order_line', 'line_id, status\n"1", Canceled\n"2", Canceled');
});

test('an older version of an order does not bring back lines that the newer one lacks', async () => {
  const version = (OrderId: string, day: number, Items?: readonly object[]) => {
    const state = { OrderStatus: 'Shipped', LastUpdateDate: march(day) };
    return { OrderId, ...purchased, ...state, ...(Items && { Items }) };
  };
  const channel = new MemoryChannel();
  const put = (...orders: readonly object[]) => channel.importRows('orders', orders);
  const own = () => channel.held('order_line', 'order_id, line_id');
  // In two documents, whichever comes first, and within one.
  await put(version('a', 4, []), version('b', 3, [item]), version('c', 4, []));
  assert.deepEqual(own(), [['b', '1']]);
  await put(version('a', 3, [item]), version('b', 4, []));
  await put(version('d', 4, []), version('d', 3, [item]));
  assert.deepEqual(own(), []);
  // A version that states no items does not change that,
  await put(version('c', 5));
  await put(version('c', 3, [item]), version('d', 5), version('d', 3, [item]));
  assert.deepEqual(own(), []);
  // and does not block an older version that has items; a newer one brings them anyway.
  await put(version('e', 5));
  await put(version('e', 4, [item]), version('a', 6, [item]));
  assert.deepEqual(own(), listsOf('a, "1"\ne, "1"'));
});

test('an order in rows of orders and of order lines has its lines once, whichever come first', async () => {
  const columns = 'line_id, sku, quantity, item_price';
  const items = rowsOf(tables.items!);
  const orders = ['a', 'b', 'c'].map((OrderId) => {
    const Items = items.filter(({ order }) => order === OrderId);
    return { OrderId, ...purchased, LastUpdateDate: march(3), Items };
  });
  const times = { purchasedAt: purchased.PurchaseDate, updatedAt: march(4) };
  // The items of b and c have no SKU: they are matched by position, then by product and quantity.
  const rows = rowsOf(tables.lines!).map((one) => ({ ...times, itemPrice: 5, ...one }));
  const first = new MemoryChannel();
  await first.importRows('orders', orders);
  // The second time, the lines have the ids of the document.
  for (let time = 0; time < 2; time++) {
    await first.importRows('orderLines', rows);
    await assertHeld(first, 'order_line')`
      ${columns}
      "101", A, 1, 5
      "102", A, 2, 5
      "103", B, 1, 30
      "201",  , 1, 5
      "202",  , 2, 5
      "3",   C, 1, 5
      "301",  , 1, 5
      "302",  , 2, 5`;
  }
  const second = new MemoryChannel();
  await second.importRows('orderLines', rows.slice(0, 4));
  await second.importRows('orders', [{ ...orders[0], LastUpdateDate: march(5) }]);
  await assertHeld(second, 'order_line')`
    ${columns}
    "1",    , 1, 5
    "101", A, 1, 10
    "102", A, 2, 20
    "103", B, 1, 30`;
  // Rows that are older than the order change nothing.
  const older = await second.importRows('orderLines', rows.slice(0, 2));
  assert.equal(older.body.rowsOlder, 2);
  assert.equal(second.held('order_line', columns).length, 4);
  // An order that was cancelled stays so, if its lines come without the time of their update.
  await second.importRows('orders', [{ OrderId: 'd', ...purchased, OrderStatus: 'Canceled' }]);
  const { updatedAt: _, ...undated } = rows[1]!;
  await second.importRows('orderLines', [{ ...undated, orderId: 'd', lineId: '1' }]);
  assert.deepEqual(second.held('order_line', 'status, line_id')[0], ['Canceled', '1']);
});

test('items of an older version that come after a newer order take its state, and never bring it back', async () => {
  const version = (hour: number, OrderStatus: string, ItemPrice?: number) => {
    const state = { LastUpdateDate: march(3, hour), OrderStatus };
    const Items = ItemPrice && [{ ...item, ItemPrice }];
    return { OrderId: 'o', ...purchased, ...state, ...(Items && { Items }) };
  };
  const canceled = version(5, 'Canceled');
  const [unshipped, pending] = [version(3, 'Unshipped', 10), version(2, 'Pending', 20)];
  const stored = 'status, updated_at, item_price\nCanceled, 2025-03-03T05:00:00Z, 10';
  const channel = new MemoryChannel();
  await channel.importRows('orders', [canceled]);
  for (const one of [unshipped, pending]) {
    await channel.importRows('orders', [one]);
    await holds(channel, 'order_line', stored);
  }
  // The same within one document.
  const other = new MemoryChannel();
  await other.importRows('orders', [canceled, unshipped, pending]);
  await holds(other, 'order_line', stored);
});

test('an order that comes without items leaves a line that was canceled by itself as it is', async () => {
  const channel = new MemoryChannel();
  const version = (hour: number, OrderStatus: string, Items?: readonly object[]) => {
    const state = { LastUpdateDate: march(3, hour), OrderStatus, ...(Items && { Items }) };
    return channel.importRows('orders', [{ OrderId: 'o', ...purchased, ...state }]);
  };
  await version(3, 'Unshipped', [
    { OrderItemId: '1', SellerSKU: 'A', QuantityOrdered: 1 },
    { OrderItemId: '2', SellerSKU: 'B', Canceled: true },
  ]);
  await version(4, 'Shipped');
  await holds(channel, 'order_line', 'line_id, status\n"1", Shipped\n"2", Canceled');
  await version(5, 'Canceled');
  await holds(channel, 'order_line', 'line_id, status\n"1", Canceled\n"2", Canceled');
});
