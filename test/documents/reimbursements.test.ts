/**
 * Reports of reimbursements and of customer returns become facts, which settlements supersede.
 * Read in memory; the kinds of documents come into the stores in another test.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryChannel } from '../documents.ts';
import { holds } from '../facts.ts';
import { sums } from '../finances.ts';
import { onOnePair, type Tenant } from '../harness.ts';
import {
  assertReasons,
  held,
  importDocument,
  importRows,
  reasons,
  refused,
  taken,
} from '../imports.ts';
import { type Cells, quotedTableOf, row, settlementOf, tableOf } from '../settlements.ts';
import { tablesBeside } from '../table.ts';

const tables = tablesBeside(import.meta.url, 'reimbursements.tables.txt');

const reimbursementColumns =
  'approval-date reimbursement-id case-id amazon-order-id reason sku fnsku asin product-name condition currency-unit amount-per-unit amount-total quantity-reimbursed-cash quantity-reimbursed-inventory quantity-reimbursed-total original-reimbursement-id original-reimbursement-type'.split(
    ' ',
  );
const reimbursed = (id: string, amount: string, more: Cells = {}): Cells => ({
  'approval-date': '2025-03-08T10:00:00+00:00',
  'reimbursement-id': id,
  reason: 'Damaged_Warehouse',
  sku: 'A',
  'product-name': '24" TV, "wide"',
  'currency-unit': 'USD',
  'amount-total': amount,
  ...more,
});
const reimbursementsOf = (...rows: Cells[]) => tableOf(reimbursementColumns, rows);

test('reimbursements are posted when approved: reversals are negative, goods instead of money are zero', async () => {
  const channel = new MemoryChannel();
  const document = reimbursementsOf(
    reimbursed('R1', '12.50', { 'amazon-order-id': '701-1', 'quantity-reimbursed-cash': '1' }),
    reimbursed('R1', '7.50', { sku: 'B', 'approval-date': '2025-03-08' }),
    reimbursed('R2', '-12.50', {
      reason: 'Reversal_Reimbursement',
      'approval-date': '2025-03-12T08:00:00-07:00',
    }),
    reimbursed('R3', '0.00', { 'quantity-reimbursed-inventory': '2' }),
    reimbursed('R4', '', {}),
    reimbursed('R5', '1,000.25'),
    // One of another store, and one that is there twice.
    reimbursed('R6', '8.00', { 'currency-unit': 'CAD' }),
    reimbursed('R4', '', {}),
  );
  for (let time = 0; time < 2; time++) {
    const answer = await channel.import(document);
    const { otherStores, rowsAccepted, rowsSkipped, finance } = answer.body;
    assert.deepEqual([rowsAccepted, otherStores, rowsSkipped], [6, 1, 2]);
    assert.deepEqual(finance.sums, [
      sums('USD', { reimbursements: '1007.750000' }, { total: '1007.750000', documentTotal: null }),
    ]);
    // The date of the second is noon in Los Angeles, before its clocks go forward.
    await holds(channel, 'finance_event', tables.reimbursed!);
    const lines = channel.held('finance_event', 'line').flat();
    assert.deepEqual([lines.length, ...new Set(lines)], [6, 'reimbursements']);
  }
});

test('overlapping reimbursements do not add up, and the console’s CSV is accepted too', async () => {
  const channel = new MemoryChannel();
  const document = reimbursementsOf(reimbursed('R1', '1.00'), reimbursed('R2', '2.00'));
  taken(await channel.import(document), 'reimbursements', 2);
  const rows = [reimbursed('R2', '2.50'), reimbursed('R3', '3.00')];
  const csv = quotedTableOf(reimbursementColumns, rows, ',');
  taken(await channel.import(csv), 'reimbursements', 2);
  await holds(channel, 'finance_event', 'amount\n1\n2.5\n3');
  // The products of one SKU are known by their FNSKU, in whatever document they come.
  const of = (fnsku: string, amount: string) => reimbursed('R9', amount, { fnsku });
  taken(
    await channel.import(reimbursementsOf(of('X1', '5.00'), of('X2', '7.00'))),
    'reimbursements',
    2,
  );
  taken(await channel.import(reimbursementsOf(of('X2', '8.00'))), 'reimbursements', 1);
  await holds(channel, 'finance_event', 'amount\n1\n2.5\n3\n5\n8');
});

test('unreadable reimbursements are rejected with line and reason, the others imported', async () => {
  const channel = new MemoryChannel();
  const document = reimbursementsOf(
    reimbursed('R1', '1.00'),
    reimbursed('', '2.00'),
    reimbursed('R3', 'a lot'),
    reimbursed('R4', '1.00', { 'approval-date': 'yesterday' }),
    reimbursed('R5', '1.00', { 'approval-date': '03/04/2025' }),
    reimbursed('R6', '1.00', { 'currency-unit': 'dollars' }),
    reimbursed('R7', '1.00', { 'approval-date': '03/14/2025' }),
  );
  assertReasons(await channel.import(document))`
    3 reimbursement-id is required
    4 amount-total must be an amount (it is "a lot")
    5 approval-date must be a date (it is "yesterday")
    7 currency must be a currency code of three letters`;
  assert.equal(channel.held('finance_event', 'line').length, 3);
  const inApril = reimbursed('R9', '1.00', { 'approval-date': '2025-04-01' });
  const both = reimbursementsOf(reimbursed('R8', '1.00'), inApril);
  const outside = await channel.import(both, '&from=2025-03-01&to=2025-03-31');
  assert.deepEqual(reasons(outside), [[3, 'is outside the dates that the import covers']]);
  refused(await channel.import(reimbursementsOf()), /the document has no rows/);
});

test('reimbursements are superseded by a settlement, whichever comes first', async () => {
  const settled = settlementOf(
    '20.00',
    row('other-transaction|FBA Inventory Reimbursement|WAREHOUSE_DAMAGE', '12.50', {
      sku: 'A',
      'posted-date-time': '2025-03-08 10:00:00 UTC',
    }),
    // Before the settlement's start: matched by order and instant.
    row('other-transaction|FBA Inventory Reimbursement|WAREHOUSE_LOST', '7.50', {
      'order-id': '701-9',
      'posted-date-time': '2025-02-20 10:00:00 UTC',
    }),
  );
  const before = { 'approval-date': '2025-02-20T10:00:00+00:00' };
  const reported = reimbursementsOf(
    reimbursed('R1', '12.50'),
    reimbursed('R2', '7.50', { 'amazon-order-id': '701-9', ...before }),
    reimbursed('R3', '4.00', { 'amazon-order-id': '701-8', ...before }),
    reimbursed('R4', '5.00', { 'approval-date': '2025-03-18T10:00:00+00:00' }),
  );
  const facts = `source, amount
    reimbursements, 4
    reimbursements, 5
    settlement,     7.5
    settlement,     12.5`;
  const first = new MemoryChannel();
  taken(await first.import(settled), 'settlement', 3);
  const left = await first.import(reported);
  taken(left, 'reimbursements', 4);
  await holds(first, 'finance_event', facts);
  const [{ lines, skipped, total }] = left.body.finance.sums;
  const expected = [{ reimbursements: '9.000000' }, '20.000000', '29.000000'];
  assert.deepEqual([lines, skipped, total], expected);
  assert.deepEqual(left.body.finance.skipped, [{ source: 'settlement', rows: 2 }]);
  const second = new MemoryChannel();
  taken(await second.import(reported), 'reimbursements', 4);
  const gave = await second.import(settled);
  taken(gave, 'settlement', 3);
  assert.deepEqual(gave.body.finance.superseded, [{ source: 'reimbursements', rows: 2 }]);
  await holds(second, 'finance_event', facts);
});

const returnColumns =
  'return-date order-id sku asin fnsku product-name quantity fulfillment-center-id detailed-disposition reason status license-plate-number customer-comments'.split(
    ' ',
  );
const returned = (plate: string, more: Cells = {}): Cells => ({
  'return-date': '2025-03-20T09:00:00+00:00',
  'order-id': '701-1',
  sku: 'A',
  quantity: '1',
  'detailed-disposition': 'SELLABLE',
  reason: 'UNWANTED_ITEM',
  'license-plate-number': plate,
  'customer-comments': 'call jane@private.example or 555-0100',
  ...more,
});
const returnsOf = (...rows: Cells[]) => tableOf(returnColumns, rows);

test('returns add units without money, once per equal row, and importing them again changes nothing', async () => {
  const channel = new MemoryChannel();
  const document = returnsOf(
    returned('L1'),
    returned('L2', { quantity: '2', 'return-date': '2025-03-21' }),
    // Without a plate two rows alike are two returns.
    ...['', 'N/A'].map((none) => returned(none, { sku: 'B', 'detailed-disposition': 'DEFECTIVE' })),
  );
  for (let time = 0; time < 2; time++) {
    taken(await channel.import(document), 'customerReturns', 4);
    await holds(channel, 'finance_event', tables.returned!);
  }
  // A unit that a later document has on another day is the same, on the first of its days.
  for (const date of ['2025-03-24', '2025-03-18T09:00:00Z', '2025-03-20T09:00:00Z'])
    taken(
      await channel.import(returnsOf(returned('L1', { 'return-date': date }))),
      'customerReturns',
      1,
    );
  await holds(
    channel,
    'finance_event',
    `sku, order_id, quantity, posted_at
    A, 701-1, 1, 2025-03-18T09:00:00Z`,
    ({ posted_at }) => posted_at === '2025-03-18T09:00:00Z',
  );
  assert.equal(channel.held('finance_event', 'line').length, 4);
  const comments = { 'customer-comments': '"too small, ""tight""\nand red"' };
  const csv = tableOf(returnColumns, [returned('L1', comments)], ',');
  taken(await channel.import(csv), 'customerReturns', 1);
  assert.equal(channel.held('finance_event', 'line').length, 4);
});

onOnePair('Reimbursements and returns', (world) => {
  test('a reimbursement counts in the store of its order, or in the one that has it first', async () => {
    const seller = `A1${Math.random()}`;
    const of = (site: string) => ({ currency: 'EUR', merchantId: `${seller} @ ${site}` });
    const german = await world().tenant({ channel: of('A1PA6795UKMFR9') });
    const other = of('A13V1IB3VIYZZH');
    const channelId = await world().channel(german.organisationId, `${seller}-fr`, other);
    const french = { ...german, channelId, merchantId: other.merchantId };
    const order = { orderId: 'F-1', lineId: '1', sku: 'A', quantity: 1, itemPrice: 9 };
    const line = { ...order, purchasedAt: '2025-03-01T10:00:00Z', status: 'shipped' };
    await importRows(world(), 'orderLines', channelId, [line]);
    const euros = { 'currency-unit': 'EUR', fnsku: 'X1' };
    const ofOrder = reimbursed('R1', '5.00', { ...euros, 'amazon-order-id': 'F-1' });
    const report = reimbursementsOf(ofOrder, reimbursed('R2', '7.00', euros));
    const booked = async (tenant: Tenant) => {
      const answer = await importDocument(world(), tenant.channelId, report);
      taken(answer, 'reimbursements', 2);
      const rows = await held(world(), tenant, 'finance_event', 'line, amount');
      return rows.filter(([name]) => name !== 'balance').map(([, amount]) => Number(amount) / 1e6);
    };
    for (let time = 0; time < 2; time++) {
      assert.deepEqual(await booked(german), [7]);
      assert.deepEqual(await booked(french), [5]);
    }
    // At the same moment too, each payment counts once.
    const ids = Array.from({ length: 500 }, (_, at) => `R${at + 3}`);
    const more = reimbursementsOf(...ids.map((id) => reimbursed(id, '1.00', euros)));
    const both = [german, french].map((one) => importDocument(world(), one.channelId, more));
    for (const answer of await Promise.all(both)) taken(answer, 'reimbursements', 500);
    const counted = [await booked(german), await booked(french)].flat();
    assert.equal(counted.length, 502);
  });

  test('customers’ comments appear in no reason and no log', async () => {
    const tenant = await world().tenant();
    const document = returnsOf(
      returned('L1', { quantity: 'some' }),
      returned('L2', { 'return-date': 'soon' }),
      returned('L3', { 'customer-comments': 'jane@private.example\tand more of it' }),
      returned('L4', { 'customer-comments': 'see "here: jane@private.example' }),
    );
    const answer = await importDocument(world(), tenant.channelId, document);
    assertReasons(answer, 'of lines')`
      2 quantity must be a whole number, 0 or more (it is "some")
      3 return-date must be a date (it is "soon")
      4 has 14 cells, but the header has 13: put quotes around cells with a separator in them`;
    assert.doesNotMatch(world().logLines.join('\n'), /private\.example/);
    assert.doesNotMatch(JSON.stringify(answer.body), /private\.example/);
  });
});

test('returns are superseded by a settlement with returned units, whichever is first, but not by one without', async () => {
  const refundOf = (quantity: string) => {
    const of = { 'order-id': '701-1', sku: 'A', 'posted-date-time': '2025-03-10 10:00:00 UTC' };
    const cells = { ...of, 'quantity-purchased': quantity };
    return settlementOf('-10.00', row('Refund|ItemPrice|Principal', '-10.00', cells));
  };
  const earlier = returned('L1', { 'return-date': '2025-03-09T09:00:00+00:00' });
  const document = returnsOf(earlier, returned('L2'));
  const returns = ['customerReturns', document] as const;
  const refund = ['settlement', refundOf('1')] as const;
  const without = ['settlement', refundOf('')] as const;
  const superseded = `source, posted_at, quantity
    returns,    2025-03-20T09:00:00Z, 1
    settlement, 2025-03-10T10:00:00Z, 1`;
  const remaining = `source, quantity
    returns,    1
    returns,    1
    settlement, 0`;
  for (const [documents, expected] of [
    [[refund, returns], superseded],
    [[returns, refund], superseded],
    [[without, returns], remaining],
  ] as const) {
    const channel = new MemoryChannel();
    for (const [kind, one] of documents) taken(await channel.import(one), kind, 2);
    await holds(
      channel,
      'finance_event',
      expected,
      ({ posted_at, quantity }) => !posted_at || quantity !== 0,
    );
  }
});
