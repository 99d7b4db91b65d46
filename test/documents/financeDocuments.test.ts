/**
 * Of financial documents that report the same sales, the most detailed one counts, whichever is
 * imported first. Read in memory, and in one order into the stores.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertHeld, holds, jsonLines } from '../facts.ts';
import { events, german, newSeller, page, product, sale, shipped, sums } from '../finances.ts';
import { type Answer, onOnePair } from '../harness.ts';
import { held, importDocument } from '../imports.ts';
import { level } from '../level.ts';
import { opening, principal, tableOf, v2 } from '../settlements.ts';
import { fieldsOf } from '../world.ts';

const orders = (...numbers: number[]) =>
  page(
    ...numbers.map((day) =>
      sale(`T-${day}`, String(day), 'RELEASED', `2025-03-0${day}T10:00:00Z`, `O-${day}`),
    ),
  );
const documents = {
  transactions: orders(1, 3),
  financialEvents: events({
    ShipmentEventList: [
      // Superseded by the transactions, because its instant lies between theirs.
      shipped('O-2', '2025-03-02T09:00:00Z', 20),
      // Before and after them: no other source reports these.
      shipped('O-8', '2025-03-01T09:00:00Z', 8),
      shipped('O-9', '2025-03-04T09:00:00Z', 9),
    ],
  }),
  economics: jsonLines(
    ...['2025-03-01', '2025-03-02', '2025-03-05'].map((date, place) =>
      product(date, 'FLASK', [place + 1, 1], place + 1, {
        marketplaceId: 'A1PA6795UKMFR9',
        sales: { orderedProductSales: { amount: place + 1, currencyCode: 'EUR' }, unitsOrdered: 1 },
        netProceeds: undefined,
      }),
    ),
  ),
};
type Name = keyof typeof documents;
// Transactions cover the 1st 10:00 to the 3rd 10:00, events the 1st 9:00 to the 4th 9:00. Of the
// rows by day, only noon of the 5th remains.
const expected = `source, posted_at, line, amount
  economics,       2025-03-05T11:00:00Z, sales,       3
  financialEvents, 2025-03-01T09:00:00Z, sales,       8
  financialEvents, 2025-03-04T09:00:00Z, sales,       9
  transactions,    2025-03-01T10:00:00Z, sales,       20
  transactions,    2025-03-01T10:00:00Z, sellingFees, -3
  transactions,    2025-03-03T10:00:00Z, sales,       20
  transactions,    2025-03-03T10:00:00Z, sellingFees, -3`;
const isBooked = ({ line }: Readonly<Record<string, unknown>>) => line !== 'balance';
const comings: readonly Name[][] = [
  ['transactions', 'financialEvents', 'economics'],
  ['economics', 'financialEvents', 'transactions'],
  ['financialEvents', 'economics', 'transactions'],
];

/** Imports all documents in an order; the first finds nothing of another source. */
async function come(
  order: readonly Name[],
  take: (document: string) => Promise<Answer>,
): Promise<void> {
  const answers = new Map<Name, Answer>();
  for (const name of order) answers.set(name, await take(documents[name]));
  const first = answers.get(order[0]!)!.body.finance;
  assert.deepEqual([first.skipped, first.superseded], [[], []]);
  if (order[0] !== 'transactions') return;
  const { skipped, sums: actual } = answers.get('financialEvents')!.body.finance;
  assert.deepEqual(skipped, [{ source: 'transactions', rows: 1 }]);
  // 8 and 9 are posted, 20 is skipped.
  const total = { total: '37.000000', documentTotal: null, skipped: '20.000000' };
  assert.deepEqual(actual, [sums('EUR', { sales: '17.000000' }, total)]);
}

test('the most detailed source of an instant counts, whichever is imported first', async () => {
  for (const order of comings) {
    const channel = newSeller();
    await come(order, (document) => channel.import(document));
    await holds(channel, 'finance_event', expected, isBooked);
  }
});

onOnePair('Financial documents', (world, pair) => {
  test('the most detailed source of an instant counts in a store', async () => {
    const own = comings[pair === 'served' ? 0 : 1]!;
    for (const order of level === 'deep' ? comings : [own]) {
      const tenant = await world().tenant({ channel: german });
      await come(order, (document) => importDocument(world(), tenant.channelId, document));
      const holder = {
        held: (table: string, columns: string) => held(world(), tenant, table, columns),
      };
      await holds(holder, 'finance_event', expected, isBooked);
    }
  });
});

test('a settlement supersedes every state of its transactions, whichever is imported first', async () => {
  const settlement = tableOf(v2, [
    opening('100.00', { 'settlement-id': '1', currency: 'EUR' }),
    principal(
      '100.00',
      fieldsOf(`settlement-id, currency, order-id, sku, quantity-purchased
        "1", EUR, O-1, FLASK, "1"`),
    ),
  ]);
  const state = (id: string, status: string, date: string) =>
    page(sale(id, '7', status, `${date}T10:00:00Z`, 'O-1'));
  for (const all of [
    // Reported earlier on another day, and again within the settlement.
    [state('T', 'RELEASED', '2025-04-03'), settlement, state('T', 'RELEASED', '2025-03-05')],
    // Deferred before the settlement, released within it.
    [settlement, state('D', 'DEFERRED', '2025-02-25'), state('R', 'RELEASED', '2025-03-05')],
    // Deferred within it, released after it.
    [settlement, state('D', 'DEFERRED', '2025-03-05'), state('R', 'RELEASED', '2025-03-20')],
  ]) {
    const channel = newSeller();
    for (const document of all) assert.equal((await channel.import(document)).status, 200);
    await assertHeld(channel, 'finance_event', ({ line }) => line !== 'balance')`
      source, posted_at, line, amount
      settlement, 2025-03-05T10:00:00Z, sales, 100`;
  }
});
