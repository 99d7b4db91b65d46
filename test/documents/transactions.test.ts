/**
 * Transactions of the Finances API become facts: each amount once, on the line of its code, in
 * whatever state and order they come. Read in memory; other tests import them into the stores.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { MemoryChannel } from '../documents.ts';
import { assertHeld, fixture, holds, jsonLines } from '../facts.ts';
import {
  breakdown,
  eur,
  german,
  item,
  newSeller,
  page,
  related,
  sale,
  sums,
  transaction,
} from '../finances.ts';
import { assertReasons, reasons, refused, taken } from '../imports.ts';
import { tablesBeside, textBeside } from '../table.ts';
import { fieldsOf } from '../world.ts';

const tables = tablesBeside(import.meta.url, 'transactions.tables.txt');

const eventColumns =
  'unit, number, source, transaction_id, revision, posted_at, sku, order_id, line, code, amount, tax, quantity, currency';
/** Every column of the events but their import. */
const whole = (channel: MemoryChannel) => channel.held('finance_event', eventColumns);

test('a transaction posts the innermost parts of its items once: fees with tax, units with price', async () => {
  const swedish = { currency: 'SEK', timezone: 'Europe/Stockholm' };
  const channel = newSeller({ merchantId: 'A1NORTHWIND000', ...swedish });
  const answer = await channel.import(fixture('finances.transactions.json'));
  taken(answer, 'transactions', 7);
  assert.deepEqual([answer.body.from, answer.body.to], ['2025-03-18', '2025-03-18']);
  const lines = fieldsOf(`
    sales,        otherIncome, sellingFees,  shippingFees
    "260.000000", "40.000000", "-39.000000", "-90.250000"`);
  // 260 + 40 + 75 of tax - 40.25 - 39 - 50 = 245.75
  const total = { total: '245.750000', documentTotal: '245.750000', tax: { sales: '75.000000' } };
  assert.deepEqual(answer.body.finance, {
    source: 'transactions',
    sums: [sums('SEK', lines, total)],
    unknownCodes: [],
    skipped: [],
    superseded: [],
  });
  await holds(channel, 'finance_event', tables.whole!);
  const own = fieldsOf(`
    unit,                                 transaction_id
    transactions:Shipment:20000000000017, kYx2n7Rr-5aB_c0dEfGhIjKlMnOpQrStUvWxYz01234
    revision, posted_at,                                    sku,      order_id
    1,        ${Date.parse('2025-03-18T12:45:47Z') / 1000}, FLASK-1L, 911-1112223-3334445
    fulfillment, currency
    AFN,         SEK`);
  for (const row of channel.held('finance_event', Object.keys(own).join(', ')))
    assert.deepEqual(row, Object.values(own));
  const before = whole(channel);
  const packed = gzipSync(`\ufeff${fixture('finances.transactions.json')}`);
  taken(await channel.import(packed), 'transactions', 7);
  assert.deepEqual(whole(channel), before);
});

test('a sale that was deferred counts once, on its first date, whatever states of it come and in whatever order', async () => {
  const deferred = sale('T-deferred', '71', 'DEFERRED', '2025-03-01T10:00:00Z');
  const later = sale('T-deferred', '71', 'DEFERRED_RELEASED', '2025-03-01T10:00:00Z');
  const released = sale('T-released', '71', 'Released', '2025-03-15T10:00:00Z');
  const expected = `transaction_id, revision, posted_at, line, amount
    T-deferred, 3, 2025-03-01T10:00:00Z, sales, 20
    T-deferred, 3, 2025-03-01T10:00:00Z, sellingFees, -3`;
  const together = newSeller();
  const answer = await together.import(page(released, deferred, later));
  taken(answer, 'transactions', 6);
  // 17 counts and twice 17 is skipped: 51 in all.
  const total = { total: '51.000000', documentTotal: '51.000000', skipped: '34.000000' };
  assert.deepEqual(answer.body.finance.sums, [
    sums('EUR', { sales: '20.000000', sellingFees: '-3.000000' }, total),
  ]);
  assert.deepEqual(answer.body.finance.skipped, [{ source: 'transactions', rows: 4 }]);
  await holds(together, 'finance_event', expected);
  for (const order of [
    [deferred, released, later],
    [released, later, deferred],
  ]) {
    const apart = newSeller();
    for (const one of order) taken(await apart.import(page(one)), 'transactions', 2);
    await holds(apart, 'finance_event', expected);
  }
});

test('of two items of a shipment, one is released and the other stays deferred', async () => {
  const state = (id: string, status: string) => sale(id, '71', status, '2025-03-01T10:00:00Z');
  const [first, second] = [state('T-1', 'DEFERRED'), state('T-2', 'DEFERRED')];
  const released = state('T-1', 'DEFERRED_RELEASED');
  for (const documents of [
    [page(first, second), page(released)],
    [page(released, second)],
    [page(released), page(second)],
  ]) {
    const channel = newSeller();
    for (const one of documents) await channel.import(one);
    await holds(channel, 'finance_event', tables.twoStates!);
  }
});

test('without a shipment, the released transaction names the deferred one', async () => {
  const fees = (id: string, state: string, date: string, identifiers: Record<string, string>) => {
    const relatedIdentifiers = related(identifiers);
    const of = { transactionType: 'ServiceFee', transactionStatus: state, relatedIdentifiers };
    return transaction(id, date, -5, of);
  };
  const channel = newSeller();
  const named = { DEFERRED_TRANSACTION_ID: 'T-1' };
  const released = fees('T-2', 'RELEASED', '2025-03-15T10:00:00Z', named);
  await channel.import(page(released, fees('T-other', 'RELEASED', '2025-03-16T10:00:00Z', {})));
  await channel.import(page(fees('T-1', 'DEFERRED', '2025-03-01T10:00:00Z', {})));
  await assertHeld(channel, 'finance_event')`
    transaction_id, revision, posted_at, line, amount
    T-1,     3, 2025-03-01T10:00:00Z, otherExpenses, -5
    T-other, 1, 2025-03-16T10:00:00Z, otherExpenses, -5`;
});

test('the unexplained rest of a transaction is posted: nothing is lost, nothing doubled', async () => {
  const channel = newSeller();
  const day = (second: number) => `2025-03-02T10:00:0${second}Z`;
  const part = breakdown;
  const document = page(
    // Parts that do not add up to their whole: the whole counts.
    transaction('A', day(1), 9, {
      items: [
        item('A', 1, 9, [
          part('ProductCharges', 10, [part('OurPricePrincipal', 4)]),
          part('AmazonFees', -1, [part('Commission', -1, [])]),
        ]),
      ],
    }),
    // Items without breakdowns: the transaction has the type, the items have the SKUs.
    transaction('B', day(2), 8.5, {
      transactionType: 'Adjustment',
      items: [item('A', 1, 6, null), item('B', 1, 2.5, null)],
      breakdowns: [part('Adjustments', 8.5, [part('FBAInventoryReimbursement', 8.5)])],
    }),
    // Only groups that sort others, with several parts, of one product.
    transaction('C', day(3), -12, {
      transactionType: 'Refund',
      items: [item('C', 2, -12, null)],
      breakdowns: [
        part('Refund Sales', -14, [part('ProductCharges', -12, []), part('Tax', -2)]),
        part('Refund Expenses', 2, [
          part('AmazonFees', 2, [part('Commission', 2, [part('Tax', 0.3), part('Base', 1.7)])]),
        ]),
      ],
    }),
    // Nothing adds up: the rest goes by the type.
    transaction('D', day(4), 5, { items: [item('D', 1, 5, [part('ProductCharges', 7)])] }),
    // A part in another currency says nothing of the whole.
    transaction('E', day(5), 3, {
      items: [
        item('E', 1, 3, [{ breakdownType: 'ProductCharges', breakdownAmount: eur(3, 'USD') }]),
      ],
    }),
    // Nothing but a total.
    transaction('F', day(6), -1.5, { transactionType: 'ProductAdsPayment' }),
    transaction('G', day(7), 0, { transactionType: 'Shipment' }),
  );
  const answer = await channel.import(document);
  await holds(channel, 'finance_event', textBeside(import.meta.url, 'transactions.events.csv'));
  // 9 + 8.5 - 12 + 5 + 3 - 1.5 + 0 = 12
  const [euros] = answer.body.finance.sums;
  assert.deepEqual([euros.total, euros.documentTotal], ['12.000000', '12.000000']);
  assert.deepEqual(answer.body.finance.unknownCodes, [
    { code: 'Shipment', currency: 'EUR', rows: 3, amount: '1.000000' },
  ]);
});

const [one, two, three] = ['1', '2', '3'].map((id) =>
  sale(`T-${id}`, id, 'RELEASED', `2025-03-0${id}T10:00:00Z`),
) as [object, object, object];

test('transactions are read from bodies, lines or a list', async () => {
  const channel = newSeller();
  taken(await channel.import(jsonLines(one, two, three)), 'transactions', 6);
  const before = whole(channel);
  const list = [JSON.parse(page(one)), { transactions: [two, three] }];
  for (const [document, rows] of [
    [`${page(one)}\n${page(two, three)}\n`, 6],
    [JSON.stringify(list), 6],
    [JSON.stringify(three), 2],
  ] as const)
    taken(await channel.import(document), 'transactions', rows);
  assert.deepEqual(whole(channel), before);
});

test('invalid transactions are rejected with their line', async () => {
  const channel = newSeller();
  await channel.import(page(one, two, three));
  const before = whole(channel);
  const march4 = '2025-03-04T10:00:00Z';
  const french = { marketplaceId: 'A13V1IB3VIYZZH', marketplaceName: 'Amazon.fr' };
  const tooLong = item('S'.repeat(201), 1, 1, [breakdown('ProductCharges', 1)]);
  const bad = [
    transaction('T-4', march4, 1, { marketplaceDetails: french }),
    transaction('T-5', 'yesterday', 1),
    transaction('T-6', march4, 1, {
      totalAmount: { currencyAmount: 'a lot', currencyCode: 'EUR' },
    }),
    transaction('T-7', march4, 1, { totalAmount: undefined }),
    transaction('T-8', march4, 1, { items: [tooLong] }),
  ];
  const answer = await channel.import(page(one, one, ...bad));
  assertReasons(answer)`
    2 repeats the transaction of line 1
    4 postedDate must be an instant: ISO 8601 with its offset (2025-03-30T09:15:00Z), or epoch
      seconds
    5 totalAmount must be a decimal number such as 12.34
    6 totalAmount is required
    7 sku must be text of at most 200 characters`;
  assert.equal(answer.body.otherStores, 1);
  // The refused rows are missing from the posted total: 17 of 17 + 1 + 1.
  const [{ total, documentTotal }] = answer.body.finance.sums;
  assert.deepEqual([total, documentTotal], ['17.000000', '19.000000']);
  assert.deepEqual(whole(channel), before);

  const outside = await channel.import(page(one, two), '&from=2025-03-02&to=2025-03-02');
  assert.deepEqual(reasons(outside), [[1, 'is outside the dates that the import covers']]);
  for (const [document, reason] of [
    [page(), /the document has no rows/],
    [page(one).slice(0, -20), /is not JSON: it is damaged or was cut off/],
    [JSON.stringify({ payload: { balances: [] } }), /unrecognised document/],
  ] as const)
    refused(await channel.import(document), reason);
  const cut = await channel.import(`${jsonLines(one, two)}\n{"transactionType":"Ship`);
  assert.deepEqual(reasons(cut), [[3, 'is not JSON']]);
  assert.deepEqual(whole(channel), before);
});

test('where the channel does not name its marketplace, a document may name one only', async () => {
  const unnamed = newSeller({ ...german, merchantId: 'A1NORTHWIND' });
  const french = transaction('T-9', '2025-03-05T10:00:00Z', 1, {
    sellingPartnerMetadata: { marketplaceId: 'A13V1IB3VIYZZH' },
  });
  assertReasons(await unnamed.import(page(one, french)))`
    2 belongs to marketplace A13V1IB3VIYZZH, but earlier rows belong to A1PA6795UKMFR9: a channel
      has one marketplace`;
});

test('transactions without a number are identified by their content, equal ones by their order', async () => {
  const channel = newSeller();
  const nameless = transaction(undefined, '2025-03-03T10:00:00Z', 2);
  const totalAmount = { currencyAmount: '4.25', currencyCode: 'USD' };
  const dollars = transaction(undefined, '2025-03-03T10:00:00Z', 2, { totalAmount });
  for (const document of [
    page(nameless, nameless, dollars),
    page(nameless, nameless),
    page(dollars, nameless),
  ]) {
    await channel.import(document);
    await holds(channel, 'finance_event', 'amount, currency\n2, EUR\n2, EUR\n4.25, USD');
  }
});
