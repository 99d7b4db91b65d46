/**
 * Both layouts of settlements become the same facts: each amount on its line, and the sum of the
 * document. Read in memory; that a settlement replaces itself is tried in both pairs of stores.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { MemoryChannel } from '../documents.ts';
import { assertHeld, fixture, holds } from '../facts.ts';
import { type Answer, onOnePair } from '../harness.ts';
import { assertRefused, held, importDocument, taken } from '../imports.ts';
import {
  type Cells,
  commission,
  opening,
  principal,
  row,
  settlementOf,
  tableOf,
  v1,
  v2,
} from '../settlements.ts';

/** The one sum of an import that was taken, without zeros behind. */
function sumOf({ status, body }: Answer) {
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.finance.sums.length, 1);
  const { currency, lines, tax, balance, skipped, total, documentTotal } = body.finance.sums[0];
  return {
    currency,
    lines: Object.fromEntries(
      Object.entries(lines as Cells).map(([line, text]) => [line, Number(text)]),
    ),
    tax: [Number(tax.sales), Number(tax.refunds)],
    balance: Number(balance),
    skipped: Number(skipped),
    total: Number(total),
    documentTotal: documentTotal === null ? null : Number(documentTotal),
  };
}

/** The unknown codes of an import, each with its currency, rows and amount. */
function unknownOf({ body }: Answer): unknown[][] {
  return body.finance.unknownCodes.map((unknown: Record<string, unknown>) => [
    ...['code', 'currency', 'rows'].map((name) => unknown[name]),
    Number(unknown.amount),
  ]);
}

const events = (channel: MemoryChannel, columns: string) => channel.held('finance_event', columns);

/** The sum of every line of the fixtures, added up by hand. */
const fixtureSum = {
  currency: 'USD',
  lines: {
    sales: 474.49, // 129.99 + 89 + 45.50 + 210
    otherIncome: 7.99, // shipping that the buyer paid
    sellingFees: -111.17, // -19.50 - 13.35 - 6.83 - 31.50 of the items, -39.99 for the account
    shippingFees: -15.24, // -4.75 - 7.99 - 2.50
    refunds: -129.99,
    refundsAndReturnsOverheads: 14.5, // 19.50 given back - 5
    reimbursements: 18.75,
    otherExpenses: -76.88, // -64.28 - 12.60
  },
  tax: [0, 0], // 10.40 - 10.40 that the marketplace withheld
  balance: 400.44, // 820.44 - 420
  skipped: 0,
  total: 582.89,
  documentTotal: 582.89,
};

test('columns without cells may be missing from both layouts', async () => {
  for (const [name, kind, rows] of [
    ['settlement.v2.txt', 'settlement', 24],
    ['settlement.v1.txt', 'settlementV1', 28],
  ] as const) {
    const lines = fixture(name).replace(/\n$/, '').split('\n');
    const records = lines.map((line) => line.split('\t'));
    const isFilled = records[0]!.map((_, at) => records.slice(1).some((cells) => cells[at]));
    const blank = records[0]!.filter((_, at) => !isFilled[at]);
    assert.ok(blank.includes('promotion-id'));
    if (kind === 'settlementV1') assert.ok(blank.includes('promotion-amount'));
    const shorter = records.map((cells) => cells.filter((_, at) => isFilled[at]).join('\t'));
    const answer = await new MemoryChannel().import(`${shorter.join('\n')}\n`);
    taken(answer, kind, rows);
    assert.deepEqual(sumOf(answer), fixtureSum);
  }
});

test('a settlement of another currency or marketplace is refused', async () => {
  const channel = new MemoryChannel();
  const rows = (more: Cells, currency = 'USD') =>
    tableOf(v2, [opening('10', { currency }), principal('10', more)]);
  assertRefused(await channel.import(rows({}, 'CAD')))`
    the document belongs to a store in CAD, the channel to one in USD: import it into the channel of
    its store`;
  assertRefused(await channel.import(rows({ 'marketplace-name': 'Amazon.ca' })))`
    the document belongs to marketplace Amazon.ca (A2EUQ1WTGCTBG2), the channel to marketplace
    Amazon.com (ATVPDKIKX0DER): import it into the channel of its store`;
  assert.deepEqual(events(channel, 'line'), []);
  // Orders that the marketplace only ships name no marketplace of their own.
  taken(await channel.import(rows({ 'marketplace-name': 'Non-Amazon US' })), 'settlement', 2);
});

test('version 2 adds up to its total, each amount on its line and each sale with its units', async () => {
  const channel = new MemoryChannel();
  const answer = await channel.import(gzipSync(fixture('settlement.v2.txt')));
  taken(answer, 'settlement', 24);
  assert.deepEqual(sumOf(answer), fixtureSum);
  assert.deepEqual(answer.body.finance.unknownCodes, []);
  assert.deepEqual([answer.body.from, answer.body.to], ['2025-03-01', '2025-03-17']);
  assert.equal(events(channel, 'line').length, 23);
  const [sold, refunded] = ['Order/ItemPrice/Principal', 'Refund/ItemPrice/Principal'];
  await assertHeld(channel, 'finance_event', ({ quantity }) => quantity !== 0)`
    posted_at, order_id, sku, line, quantity, fulfillment, amount, tax, code
    2025-03-01T09:31:55Z, 701-0000004-1000004, HB-1200, sales, 1, AFN, 210, 0, ${sold}
    2025-03-04T08:14:22Z, 701-0000001-1000001, HB-1200, sales, 1, AFN, 129.99, 0, ${sold}
    2025-03-06T15:02:10Z, 701-0000002-1000002, AC-0071, sales, 1, AFN, 45.5, 0, ${sold}
    2025-03-06T15:02:10Z, 701-0000002-1000002, CB-0450, sales, 2, AFN, 89, 0, ${sold}
    2025-03-09T11:47:03Z, 701-0000003-1000003, HB-1200, refunds, 1, AFN, -129.99, 0, ${refunded}`;
  await assertHeld(channel, 'finance_event', ({ tax }) => tax !== 0)`
    line, amount, tax, code
    sales, 0, -10.4, Order/ItemFees/MarketplaceFacilitatorVAT-Principal
    sales, 0, 10.4,  Order/ItemPrice/Tax`;
  await assertHeld(channel, 'finance_claim')`
    superseded, source, from_at, to_at
    economics,       settlement, 2025-03-03T00:00:00Z, 2025-03-17T23:59:59Z
    financialEvents, settlement, 2025-03-03T00:00:00Z, 2025-03-17T23:59:59Z
    reimbursements,  settlement, 2025-03-03T00:00:00Z, 2025-03-17T23:59:59Z
    returns,         settlement, 2025-03-03T00:00:00Z, 2025-03-17T23:59:59Z
    transactions,    settlement, 2025-03-03T00:00:00Z, 2025-03-17T23:59:59Z`;
});

test('the older layout gives the same sums, and either layout of a settlement replaces the other', async () => {
  const channel = new MemoryChannel();
  const figures = () => events(channel, 'posted_at, line, amount, tax');
  const sold = () =>
    events(channel, 'line, quantity, sku, posted_at').filter(
      ([line, quantity]) => line === 'sales' && quantity !== 0,
    );
  const codes = () => new Set(events(channel, 'code').flat() as string[]);
  taken(await channel.import(fixture('settlement.v2.txt')), 'settlement', 24);
  const [before, unitsBefore] = [figures(), sold()];
  const older = await channel.import(fixture('settlement.v1.txt'));
  taken(older, 'settlementV1', 28);
  assert.deepEqual(sumOf(older), fixtureSum);
  assert.deepEqual(older.body.finance.unknownCodes, []);
  const after = figures();
  // In addition to its amounts it has four rows with quantities only.
  assert.equal(after.length, 27);
  const amounts = after.filter(([, , amount, tax]) => amount !== 0n || tax !== 0n);
  assert.deepEqual(amounts, before);
  assert.deepEqual(sold(), unitsBefore);
  const olderCodes = codes();
  taken(await channel.import(fixture('settlement.v2.txt')), 'settlement', 24);
  assert.deepEqual(figures(), before);
  const notItems = /^(?:(?:ServiceFee|Adjustment|Transfer)\/|other-)/;
  const ofItems = (all: Set<string>) => [...all].filter((code) => !notItems.test(code)).sort();
  assert.deepEqual(
    ofItems(olderCodes).map((code) => code.replace('ShipmentFees', 'Shipment-Fees')),
    ofItems(codes()),
  );
});

onOnePair('Settlements in a store', (world) => {
  test('the same settlement twice changes nothing, and a corrected one takes its place', async () => {
    const tenant = await world().tenant();
    const take = (document: string) => importDocument(world(), tenant.channelId, document);
    const stored = () => held(world(), tenant, 'finance_event', 'line, amount');
    const document = settlementOf('85.00', principal('100.00'), commission('-15.00'));
    for (let time = 0; time < 2; time++) {
      taken(await take(document), 'settlement', 3);
      assert.deepEqual(await stored(), [
        ['sales', 100_000_000n],
        ['sellingFees', -15_000_000n],
      ]);
    }
    taken(await take(settlementOf('90.00', principal('90.00'))), 'settlement', 2);
    assert.deepEqual(await stored(), [['sales', 90_000_000n]]);
  });
});

test('each of the nine columns of amounts is posted under the names of version 2', async () => {
  const channel = new MemoryChannel();
  const of = (type: string, more: Cells): Cells => ({
    'settlement-id': '501',
    'transaction-type': type,
    'posted-date': '2025-03-05T10:00:00+00:00',
    ...more,
  });
  const amountsOf = (type: string, kind: string, name: string, amount: string) =>
    of(type, {
      [kind === 'other-fee' ? 'other-fee-reason-description' : `${kind}-type`]: name,
      [`${kind}-amount`]: amount,
    });
  const sold = { 'quantity-purchased': '3', sku: 'A' };
  const document = tableOf(v1, [
    opening('68.00'),
    // Two amounts in one row, and the units beside the principal.
    {
      ...amountsOf('Order', 'price', 'Principal', '100.00'),
      ...amountsOf('Order', 'item-related-fee', 'Commission', '-15.00'),
      ...sold,
    },
    amountsOf('Order', 'shipment-fee', 'FBA transportation fee', '-4.00'),
    amountsOf('Order', 'order-fee', 'Strange fee', '-1.00'),
    { ...amountsOf('Order', 'promotion', 'Principal', '-5.00'), 'promotion-id': 'SAVE5' },
    amountsOf('Order', 'direct-payment', 'CashOnDelivery', '-2.00'),
    amountsOf('ServiceFee', 'item-related-fee', 'Cost of Advertising', '-6.00'),
    amountsOf('ServiceFee', 'other-fee', 'TaxAmount', '-0.50'),
    of('Storage Fee', { 'misc-fee-amount': '-3.50' }),
    of('WAREHOUSE_DAMAGE', { 'other-amount': '8.00', 'quantity-purchased': '1' }),
    of('Storage Fee - Reversal', { 'other-amount': '1.00' }),
    of('SAFE-T Reimbursement', { 'price-type': 'SAFE-T Reimbursement', 'other-amount': '2.00' }),
    of('Previous Reserve Amount Balance', { 'other-amount': '-6.00' }),
    of('Order', {}),
    of('Order', {}),
  ]);
  const answer = await channel.import(document);
  taken(answer, 'settlementV1', 15);
  assert.deepEqual(sumOf(answer), {
    currency: 'USD',
    lines: {
      sales: 100,
      sellingFees: -15,
      shippingFees: -4,
      promotions: -5,
      advertisingSpend: -6.5,
      reimbursements: 10, // 8 + 2
      otherExpenses: -5.5, // -1 and -2 that the list does not know, -3.50 + 1 of storage
    },
    tax: [0, 0],
    balance: -6,
    skipped: 0,
    total: 68,
    documentTotal: 68,
  });
  assert.deepEqual(unknownOf(answer), [
    ['Order/OrderFees/Strange fee', 'USD', 1, -1],
    ['Order/DirectPayment/CashOnDelivery', 'USD', 1, -2],
  ]);
  await assertHeld(channel, 'finance_event', ({ quantity }) => quantity !== 0)`
    code, quantity
    Order/ItemPrice/Principal, 3`;
  assert.ok(events(channel, 'code').flat().includes('other-transaction/Storage Fee'));
});

test('units stand on principals alone, promotions with a principal and blank amounts have none', async () => {
  const channel = new MemoryChannel();
  const two = { 'quantity-purchased': '2', sku: 'A', 'fulfillment-id': 'MFN' };
  const document = settlementOf(
    '15.00',
    principal('20.00', two),
    row('Order|ItemPrice|Tax', '', two),
    row('Order|Promotion|Principal', '-5.00', two),
    // Replacements are sold for nothing.
    principal('0.00', { ...two, 'quantity-purchased': '1' }),
  );
  taken(await channel.import(document), 'settlement', 5);
  await assertHeld(channel, 'finance_event')`
    line, amount, quantity, fulfillment, sku
    promotions, -5, 0, MFN, A
    sales,      0,  1, MFN, A
    sales,      20, 2, MFN, A`;
});

test('unknown codes are posted by their sign and reported', async () => {
  const document = settlementOf(
    '1.00',
    row('Moon Fee|Craters|Deep', '-2.00'),
    row('Moon Fee|Craters|Deep', '-3.00'),
    row('Moon Fee|Craters|High', '6.00'),
  );
  const answer = await new MemoryChannel().import(document);
  taken(answer, 'settlement', 4);
  assert.deepEqual(sumOf(answer).lines, { otherIncome: 6, otherExpenses: -5 });
  assert.deepEqual(unknownOf(answer), [
    ['Moon Fee/Craters/Deep', 'USD', 2, -5],
    ['Moon Fee/Craters/High', 'USD', 1, 6],
  ]);
});

test('every row of a settlement is in its currency', async () => {
  const channel = new MemoryChannel({ currency: 'CAD' });
  const whole = opening('85.00', { currency: 'CAD' });
  const inCurrency = (currency: string) =>
    tableOf(v2, [whole, principal('100.00', { currency }), commission('-15.00')]);
  const answer = await channel.import(inCurrency('cad'));
  taken(answer, 'settlement', 3);
  assert.equal(sumOf(answer).currency, 'CAD');
  await holds(channel, 'finance_event', 'currency, amount\nCAD, -15\nCAD, 100');
  assertRefused(await channel.import(inCurrency('EUR')))`
    …add up to -15.00 CAD, its total-amount is 85.00 CAD, …line 3 is in "EUR", but the settlement
    in CAD`;
});
