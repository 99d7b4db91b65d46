/**
 * Documents of orders become order records and order lines, from marketplaces' flat files,
 * the console's table and both Orders APIs. Read in memory, and one order of two documents also
 * into the stores.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { MemoryChannel } from '../documents.ts';
import { assertHeld, fixture, holds, jsonLines } from '../facts.ts';
import { onOnePair } from '../harness.ts';
import { assertReasons, assertRefused, reasons, taken } from '../imports.ts';
import { apiBodies, flatFile, flatLamp, lampOrder, lineColumns, recordsOf } from '../orders.ts';
import { StoredChannel } from '../storedChannel.ts';
import { listsOf, rowsOf } from '../table.ts';
import { assertShown, fieldsOf } from '../world.ts';

const lampLine =
  '701-0000001-0000001, sku:1:LAMP-1, Shipped, LAMP-1, B0LAMP0001, 2, 20, 1.65, 2.5, 4.99, USD';
const addressOf = (row: string) =>
  rowsOf(`StateOrRegion, PostalCode, City, CountryCode\n${row}`)[0];

test('the all-orders flat file: an order record per order and a line per row, wherever its rows stand', async () => {
  const channel = new MemoryChannel();
  const answer = await channel.import(gzipSync(fixture('orders.allOrders.txt')));
  taken(answer, 'allOrders', 6);
  assert.deepEqual([answer.body.from, answer.body.to], ['2025-03-01', '2025-03-02']);
  const expected = `${lineColumns}
    ${lampLine}
    701-0000001-0000001, sku:1:BULB-1, Shipped, BULB-1, B0BULB0001, 1, 4.01, 0.33, 0, 0, USD
    701-0000002-0000002, sku:1:SHADE-1, Canceled, SHADE-1, B0SHADE001, 0, 0, 0, 0, 0, USD
    701-0000003-0000003, "sku:1:RULE""R", Shipped, "RULE""R", B0RULER001, 1, 3.25, 0, 0, 0, USD
    701-0000003-0000003, sku:1:TAPE-1, Canceled, TAPE-1, B0TAPE0001, 0, 0, 0, 0, 0, USD
    701-0000003-0000003, "sku:2:RULE""R", Shipped, "RULE""R", B0RULER001, 3, 9.75, 0, 1, 0, USD`;
  await holds(channel, 'order_line', expected);
  await assertHeld(channel, 'order_line', ({ order_id }) => order_id === lampOrder)`
    order_id, day, purchased_at, updated_at, customer
    ${lampOrder}, 2025-03-02, 2025-03-02T07:30:00Z, 2025-03-03T10:00:00Z,
    ${lampOrder}, 2025-03-02, 2025-03-02T07:30:00Z, 2025-03-03T10:00:00Z,`;
  const stored = recordsOf(channel);
  const shipped = fieldsOf(`
    PlatformOrderId, PurchaseDate,         LastUpdateDate,       OrderStatus, MarketplaceId
    ${lampOrder},    2025-03-02T07:30:00Z, 2025-03-03T10:00:00Z, Shipped,     ATVPDKIKX0DER
    SalesChannel, FulfillmentChannel, ShipServiceLevel, IsBusinessOrder
    Amazon.com,   AFN,                Expedited,        true`);
  const ofLamp = { ...shipped, ShippingAddress: addressOf('OR, "97201", Portland, US') };
  assert.deepEqual(stored[lampOrder], ofLamp);
  const { OrderStatus, FulfillmentChannel, ShippingAddress } = stored['701-0000002-0000002']!;
  assert.deepEqual([OrderStatus, FulfillmentChannel], ['Canceled', 'MFN']);
  assert.equal(ShippingAddress, undefined);
  assert.equal(stored['701-0000003-0000003']!.OrderStatus, 'Shipped');

  taken(await channel.import(fixture('orders.allOrders.txt')), 'allOrders', 6);
  await holds(channel, 'order_line', expected);
  // A later version replaces its lines, whatever the order of its rows; an earlier one imported
  // afterwards changes nothing.
  const later = flatLamp('05', '19.00').replaceAll('Shipped\tAmazon', 'Cancelled\tAmazon');
  const [header, ...rows] = later.slice(0, -1).split('\n');
  const turned = `${[header, ...rows.reverse()].join('\n')}\n`;
  taken(await channel.import(turned), 'allOrders', 2);
  const older = await channel.import(fixture('orders.allOrders.txt'));
  // The record and both lines of the order.
  assert.deepEqual([older.body.rowsAccepted, older.body.rowsOlder], [6, 3]);
  await assertHeld(channel, 'order_line', ({ line_id }) => /LAMP|BULB/.test(String(line_id)))`
    line_id, status, item_price
    sku:1:BULB-1, Canceled, 4.01
    sku:1:LAMP-1, Canceled, 19`;
});

test('unreadable rows of the flat file are rejected, and orders of other marketplaces skipped', async () => {
  const channel = new MemoryChannel();
  const row = flatFile([lampOrder]).split('\n')[1]!;
  const [header] = fixture('orders.allOrders.txt').split('\n');
  const bad = [
    row.replace('\t2\tUSD', '\ttwo\tUSD').replace('20.00', '20,00'),
    row.replace('2025-03-01T23:30:00-08:00', 'hidden@example.com'),
    row.replace(lampOrder, ''),
    row.replace(lampOrder, 'strange').replace('\tShipped\t', '\tLost\t'),
    row.replace('Amazon.com', 'Amazon.ca'),
    row.replace('Amazon.com', 'Non-Amazon US'),
    `${row}\tmore`,
  ];
  const answer = await channel.import([header, ...bad, row].join('\n'));
  assertReasons(answer, 'of lines')`
    2 quantity must be a whole number, 0 or more (it is "two"), item-price must be a decimal
      number such as 12.34 unless the import has decimal=comma (it is "20,00")
    3 purchase-date must be an instant: ISO 8601 with its offset (2025-03-30T09:15:00Z), or epoch
      seconds (it is (withheld))
    4 amazon-order-id is required
    5 OrderStatus must be one of Pending, PendingAvailability, Unshipped, PartiallyShipped,
      Shipped, InvoiceUnconfirmed, Canceled, Unfulfillable
    8 has 33 cells, but the header has 32: put quotes around cells with a separator in them`;
  const { rowsRead, rowsAccepted, rowsRejected, otherStores } = answer.body;
  assert.deepEqual([rowsRead, rowsAccepted, rowsRejected, otherStores], [8, 1, 5, 2]);
  await holds(channel, 'order_line', `${lineColumns}\n${lampLine}`);
  assertRefused(await channel.import(flatFile([lampOrder]), '&from=2025-03-03&to=2025-03-04'))`
    …nothing was imported, because 2 rows were rejected: line 2 is outside the dates`;
});

test('the encodings that flat files come in', async () => {
  const written = (name: Buffer) => {
    const parts = flatFile([lampOrder], ['“red”', 'red'], ['café', 'cafe']).split('Portland');
    return Buffer.concat(
      parts.flatMap((part, index) => [...(index === 0 ? [] : [name]), Buffer.from(part)]),
    );
  };
  const marked = Buffer.from(`\ufeff${flatFile([lampOrder], ['Portland', 'Orléans'])}`);
  const zurich = written(Buffer.from([0x5a, 0xfc, 0x72, 0x69, 0x63, 0x68]));
  const tokyo = written(Buffer.from([0x93, 0x8c, 0x8b, 0x9e]));
  const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
  for (const [body, charset, city, encoding, merchantId = 'A1MERCHANT', currency = 'USD'] of [
    [zurich, 'windows-1252', 'Zürich', 'windows-1252'],
    [zurich, undefined, 'Zürich', 'windows-1252'],
    [tokyo, 'shift_jis', '東京', 'shift_jis'],
    [tokyo, undefined, '東京', 'shift_jis', 'A1MERCHANT', 'JPY'],
    [written(Buffer.of(0x93, 0x80, 0x94)), undefined, '“€”', 'windows-1252', 'A1 @ ATVPDKIKX0DER'],
    [marked, 'windows-1252', 'Orléans', 'utf-8'],
    [written(Buffer.from('東京')), undefined, '東京', 'utf-8', 'A1MERCHANT', 'JPY'],
    [utf16(flatFile([lampOrder], ['Portland', '東京'])), undefined, '東京', 'utf-16le'],
    [utf16(flatFile([lampOrder], ['Portland', 'Łódź'])).swap16(), undefined, 'Łódź', 'utf-16be'],
  ] as const) {
    const channel = new MemoryChannel({ merchantId, currency });
    const answer = await channel.import(body, '', charset);
    taken(answer, 'allOrders', 2);
    assert.equal(answer.body.encoding, encoding);
    const { ShippingAddress } = recordsOf(channel)[lampOrder]!;
    assert.equal((ShippingAddress as { City: string }).City, city);
  }
  // A document with letters of UTF-8 is UTF-8, also where a line of it is damaged.
  const damaged = Buffer.concat([Buffer.from('café, '), Buffer.from([0x5a, 0xfc])]);
  for (const [body, charset] of [
    [zurich, 'utf-8'],
    [written(Buffer.concat([Buffer.from('Łódź 東京 '), damaged])), undefined],
  ] as const)
    assert.match(
      reasons(await new MemoryChannel().import(body, '', charset))[0]![1],
      /^is not UTF-8: name the encoding of the document by charset=windows-1252/,
    );
  assertRefused(
    await new MemoryChannel({ currency: 'JPY', merchantId: 'A1' }).import(
      written(Buffer.of(0xff, 0xa0)),
    ),
  )`
    the document is neither UTF-8 nor shift_jis, the encoding of its marketplace: save it as UTF-8`;
});

test("the console's table: other titles, dates as noon of the channel's timezone, statuses of single rows", async () => {
  const merchantId = 'A1MERCHANT @ A21TJRUUN4KGV';
  const channel = new MemoryChannel({ merchantId, currency: 'INR', timezone: 'Asia/Kolkata' });
  const answer = await channel.import(fixture('orders.console.csv'));
  assert.equal(answer.body.dataset, 'allOrders');
  assertReasons(answer)`
    6 Date must be an instant: ISO 8601 with its offset (2025-03-30T09:15:00Z), or epoch seconds
      (it is "04-31-22")`;
  assert.deepEqual([answer.body.rowsRead, answer.body.rowsAccepted], [5, 4]);
  const expected = `${lineColumns}
    405-0000001-0000001, sku:1:SET1-KR-S, Shipped, SET1-KR-S, B0SET10001, 1, 647.62, 0, 0, 0, INR
    405-0000002-0000002, sku:1:JNE1-KR-XL, Canceled, JNE1-KR-XL, B0JNE10001, 0, 0, 0, 0, 0, INR
    405-0000003-0000003, sku:1:JNE2-KR-M, Shipped, JNE2-KR-M, B0JNE20001, 2, 812, 0, 0, 0, INR
    405-0000003-0000003, sku:1:JNE3-KR-L, Canceled, JNE3-KR-L, B0JNE30001, 0, 0, 0, 0, 0, INR`;
  await holds(channel, 'order_line', expected);
  // Noon in India is 06:30 UTC. Months come first.
  await assertHeld(channel, 'order_line')`
    order_id, purchased_at, updated_at
    405-0000001-0000001, 2022-04-30T06:30:00Z, 0
    405-0000002-0000002, 2022-04-05T06:30:00Z, 0
    405-0000003-0000003, 2022-04-05T06:30:00Z, 0
    405-0000003-0000003, 2022-04-05T06:30:00Z, 0`;
  const stored = recordsOf(channel);
  const shipped = fieldsOf(`
    PlatformOrderId,     PurchaseDate,         OrderStatus, MarketplaceId
    405-0000001-0000001, 2022-04-30T06:30:00Z, Shipped,     A21TJRUUN4KGV
    SalesChannel, FulfillmentChannel, ShipServiceLevel, IsBusinessOrder
    Amazon.in,    MFN,                Standard,         false`);
  const address = addressOf('MAHARASHTRA, "400081.0", MUMBAI, IN');
  assert.deepEqual(stored['405-0000001-0000001'], { ...shipped, ShippingAddress: address });
  assert.equal(stored['405-0000002-0000002']!.OrderStatus, 'Canceled');
  assert.equal(stored['405-0000003-0000003']!.OrderStatus, 'Shipped');
  await channel.import(fixture('orders.console.csv'));
  await holds(channel, 'order_line', expected);
});

const ofBoth = 'line_id, status, sku, quantity, item_price';
const canceledByApi = `${ofBoth}
  sku:1:BULB-1, Canceled, BULB-1, 1, 4.01
  sku:1:LAMP-1, Canceled, LAMP-1, 2, 21`;
const canceledBodies = apiBodies('2025-03-04T10:00:00Z', 'Canceled', '21.00');
const shippedLater = `${ofBoth}
  sku:1:BULB-1, Shipped, BULB-1, 1, 4.01
  sku:1:LAMP-1, Shipped, LAMP-1, 2, 22`;

onOnePair('Documents of orders', (world) => {
  test('an order from both the flat file and the Orders API counts once in a store', async () => {
    const stored = await StoredChannel.open(world());
    taken(await stored.import(flatLamp('03', '20.00')), 'allOrders', 2);
    taken(await stored.import(canceledBodies), 'ordersApi', 2);
    await holds(stored, 'order_line', canceledByApi);
    await stored.import(flatLamp('03', '20.00'));
    await holds(stored, 'order_line', canceledByApi);
    taken(await stored.import(flatLamp('05', '22.00')), 'allOrders', 2);
    await holds(stored, 'order_line', shippedLater);
  });
});

test('an order from both the flat file and the Orders API counts once, whichever is first', async () => {
  const first = new MemoryChannel();
  taken(await first.import(flatLamp('03', '20.00')), 'allOrders', 2);
  taken(await first.import(canceledBodies), 'ordersApi', 2);
  await holds(first, 'order_line', canceledByApi);
  await first.import(flatLamp('03', '20.00'));
  await first.import(canceledBodies);
  await holds(first, 'order_line', canceledByApi);
  taken(await first.import(flatLamp('05', '22.00')), 'allOrders', 2);
  await holds(first, 'order_line', shippedLater);

  const second = new MemoryChannel();
  const bodies = apiBodies('2025-03-02T10:00:00Z', 'Unshipped', '18.00');
  taken(await second.import(bodies), 'ordersApi', 2);
  const [stored] = second.held('order_record', 'customer, sealed_email');
  assert.ok(stored!.every((text) => text !== ''));
  taken(await second.import(flatLamp('03', '20.00')), 'allOrders', 2);
  await second.import(bodies);
  await assertHeld(second, 'order_line')`
    ${ofBoth}
    "111", Shipped, LAMP-1, 2, 20
    "222", Shipped, BULB-1, 1, 4.01`;
  const OrderItems = [{ OrderItemId: '111', BuyerCustomizedInfo: {} }];
  const ofBuyer = jsonLines({ payload: { AmazonOrderId: lampOrder, OrderItems } });
  assertReasons(await second.import(ofBuyer))`
    1 QuantityOrdered is required in every item`;
  // Fields of the order that the flat file lacks stay.
  const customer = stored![0];
  assert.deepEqual(second.held('order_line', 'customer'), [[customer], [customer]]);
  assert.deepEqual(second.held('order_record', 'customer, sealed_email'), [stored]);
  const { IsPrime, OrderTotal, OrderStatus } = recordsOf(second)[lampOrder]!;
  assert.deepEqual([IsPrime, OrderStatus], [true, 'Shipped']);
  assert.deepEqual(OrderTotal, { Amount: 30, CurrencyCode: 'USD' });
});

test('an all-orders flat file that names no SKU matches the lines of its order', async () => {
  const channel = new MemoryChannel();
  const bodies = apiBodies('2025-03-02T10:00:00Z', 'Unshipped', '18.00');
  taken(await channel.import(bodies), 'ordersApi', 2);
  const unnamed = flatFile([lampOrder], ['\tLAMP-1\t', '\t\t'], ['\tBULB-1\t', '\t\t']);
  taken(await channel.import(unnamed), 'allOrders', 2);
  await holds(channel, 'order_line', 'line_id, quantity, item_price\n"111", 2, 20\n"222", 1, 4.01');
});

test('the Orders API 2026: every field, single canceled items, and orders of other channels', async () => {
  const channel = new MemoryChannel();
  const answer = await channel.import(fixture('orders.search2026.json'));
  assert.equal(answer.body.dataset, 'ordersApi2026', JSON.stringify(answer.body));
  assert.deepEqual([answer.body.rowsRead, answer.body.rowsAccepted], [4, 2]);
  assert.deepEqual([answer.body.rejected, answer.body.otherStores], [[], 2]);
  const [one, two] = ['702-0000001-0000001', '702-0000002-0000002'];
  // The price of the bulbs is 3 x 3.33.
  await assertHeld(channel, 'order_line')`
    ${lineColumns}
    ${one}, 70200000000001, PartiallyShipped,    LAMP-1, B0LAMP0001, 2, 39.98, 4,   1, 5, USD
    ${one}, 70200000000002, PartiallyShipped,    BULB-1, B0BULB0001, 3, 9.99,  0,   0, 0, USD
    ${one}, 70200000000003, Canceled,            TAPE-1, B0TAPE0001, 1, 2,     0,   0, 0, USD
    ${two}, 70200000000004, PendingAvailability, LAMP-1, B0LAMP0001, 1, 10,    0.8, 0, 0, USD`;
  const stored = recordsOf(channel);
  const ofOne = fieldsOf(`
    PlatformOrderId, PurchaseDate,         LastUpdateDate,       OrderStatus
    ${one},          2025-04-01T10:00:00Z, 2025-04-02T08:30:00Z, PartiallyShipped
    MarketplaceId, SalesChannel, FulfillmentChannel, ShipmentServiceLevelCategory
    ATVPDKIKX0DER, Amazon.com,   MFN,                SecondDay
    EarliestShipDate,     LatestShipDate,       EarliestDeliveryDate, LatestDeliveryDate
    2025-04-02T00:00:00Z, 2025-04-03T23:59:59Z, 2025-04-05T00:00:00Z, 2025-04-07T23:59:59Z
    PaymentMethod, PaymentMethodDetails,  NumberOfItemsShipped, NumberOfItemsUnshipped
    Other,         "CreditCard,GiftCard", 1,                    4
    IsPrime, IsPremiumOrder, IsBusinessOrder, IsISPU, IsReplacementOrder
    true,    false,          true,            false,  false`);
  assert.deepEqual(stored[one], {
    ...ofOne,
    ShippingAddress: addressOf('WA, "98101", Seattle, US'),
    DefaultShipFromLocationAddress: addressOf('NV, "89501", Reno, US'),
    OrderTotal: { Amount: 57.97, CurrencyCode: 'USD' },
  });
  const { PaymentMethod, OrderType, FulfillmentChannel, ...ofTwo } = stored[two]!;
  assert.deepEqual([PaymentMethod, OrderType, FulfillmentChannel], ['COD', 'Preorder', 'AFN']);
  assertShown([ofTwo])`
    IsISPU, IsPremiumOrder, IsReplacementOrder, IsPrime
    true,   true,           true,               false`;
  const records = channel.held('order_record', 'order_id, record, customer, sealed_email');
  assert.doesNotMatch(JSON.stringify(records), /hidden/i);
  const isStored = records.map(([, , customer, sealed]) => [customer !== '', sealed !== '']);
  assert.deepEqual(isStored, listsOf('true, true\nfalse, false'));
  taken(await channel.import(fixture('orders.get2026.json')), 'ordersApi2026', 1);
  // The older page does not bring the canceled order back. One body a line.
  const page = JSON.parse(fixture('orders.search2026.json'));
  const bodies = page.orders.slice(0, 2).map((order: object) => ({ orders: [order] }));
  const older = await channel.import(jsonLines(...bodies));
  // The record and the line of the second order.
  assert.deepEqual([older.body.rowsAccepted, older.body.rowsOlder], [2, 2]);
  const statuses = channel.held('order_line', 'order_id, status');
  assert.deepEqual([statuses.length, statuses.at(-1)], [4, [two, 'Canceled']]);
});
