/**
 * Both pairs of stores hold and answer what channels in memory do, for each kind of document of
 * orders and finance, one after the other in the same channel. Most tests read documents in memory.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factTable } from '../schema/warehouse/tables.ts';
import { MemoryChannel } from './documents.ts';
import { fixture, jsonLines } from './facts.ts';
import { american, events, german, page, product, sale } from './finances.ts';
import { type Answer, type ChannelSettings, onEachPair } from './harness.ts';
import { held, importDocument, importRows } from './imports.ts';
import { sampled } from './level.ts';
import { flatFile, flatLamp, lampOrder } from './orders.ts';
import { principal, settlementOf } from './settlements.ts';
import { rowsOf } from './table.ts';

/** A document with its query, or rows of a dataset. */
type Step =
  | string
  | readonly [document: string, query: string]
  | { readonly [dataset: string]: object[] };

const order = {
  OrderId: '701-9',
  PurchaseDate: '2025-03-02T12:00:00Z',
  LastUpdateDate: '2025-03-03T00:00:00Z',
  BuyerInfo: { BuyerEmail: 'hidden@marketplace.example' },
  Items: rowsOf(`OrderItemId, SellerSKU, QuantityOrdered, ItemPrice
    "101", A, 1, 10
    "102", A, 2, 20`),
};
const orderLines = rowsOf(`orderId, lineId, purchasedAt, updatedAt, sku, quantity, itemPrice
  701-9, "1", 2025-03-02T12:00:00Z, 2025-03-04T00:00:00Z, A, 2, 5
  701-9, "2", 2025-03-02T12:00:00Z, 2025-03-04T00:00:00Z, A, 1, 5`);

const lists = JSON.parse(fixture('finance.events.json'));

const sequences: Readonly<
  Record<string, { channel: Partial<ChannelSettings>; tables: string[]; steps: Step[] }>
> = {
  'orders of a marketplace': {
    channel: american,
    tables: ['order_line', 'order_record'],
    steps: [
      fixture('orders.allOrders.txt'),
      fixture('orders.page.json'),
      fixture('orderItems.first.json'),
      fixture('orderItems.second.json'),
      fixture('orders.canceled.json'),
      flatLamp('05', '22.00'),
      flatFile([lampOrder]),
      fixture('orders.search2026.json'),
      fixture('orders.get2026.json'),
      { orders: [order] },
      { orderLines },
      { orders: [{ ...order, LastUpdateDate: '2025-03-05T00:00:00Z', Items: [] }] },
      { orders: [order] },
    ],
  },
  'orders of a shop': {
    channel: { merchantId: 'shop', marketplace: 'shopify', currency: 'EUR' },
    tables: ['order_line', 'order_record', 'product'],
    steps: [
      { products: [{ sku: 'TEA-1', title: 'From the catalogue', price: 10 }] },
      fixture('shopify.orders.json'),
      fixture('shopify.bulk.jsonl'),
    ],
  },
  'settlements and what they supersede': {
    channel: american,
    tables: ['finance_event', 'finance_claim', 'product'],
    steps: [
      [fixture('finances.economics.jsonl'), '&coarse=lastDay'],
      jsonLines(product('2025-03-20', 'A', [5, 1], 5)),
      fixture('reimbursements.txt'),
      fixture('returns.txt'),
      fixture('settlement.v2.txt'),
      fixture('settlement.v1.txt'),
      fixture('settlement.v2.txt').replace('\t582.89\t', '\t582.90\t'),
      settlementOf('10.00', principal('10.00')),
      fixture('reimbursements.txt'),
    ],
  },
  'transactions and events': {
    channel: german,
    tables: ['finance_event', 'finance_claim'],
    steps: [
      page(sale('D', '7', 'DEFERRED', '2025-02-25T10:00:00Z')),
      events(lists),
      page(sale('R', '7', 'RELEASED', '2025-03-19T10:00:00Z')),
      page(sale('S', '8', 'RELEASED', '2025-03-17T10:00:00Z')),
      events({ ShipmentEventList: lists.ShipmentEventList }),
    ],
  },
};

/** The columns whose values do not depend on the import alone. */
const ownColumns = ['versions', 'sealed_email'];
const columnsOf = (table: string) =>
  Object.keys(factTable(table).columns)
    .filter((one) => !ownColumns.includes(one) && !(table === 'product' && one === 'updated_at'))
    .join(', ');
/** An answer without its import. */
function answerOf({ status, body: { importId: _, error, ...body } }: Answer): object {
  return status === 200 ? body : { status, error: error?.replace(/ \(import \d+\)/, '') };
}

onEachPair('Kinds of documents', (world) => {
  const sequencesOf = sampled(Object.entries(sequences), 2, 1);
  for (const [name, { channel, tables, steps }] of sequencesOf) {
    test(`a store holds what a channel in memory does: ${name}`, async () => {
      const tenant = await world().tenant({ channel });
      const memory = new MemoryChannel(channel);
      for (const [place, step] of steps.entries()) {
        const message = `${name}, document ${place + 1}`;
        if (typeof step === 'string' || Array.isArray(step)) {
          const [document, query] = [step].flat() as [string, string?];
          const answer = await importDocument(world(), tenant.channelId, document, query);
          const expected = await memory.import(document, query);
          assert.deepEqual(answerOf(answer), answerOf(expected), message);
        } else
          for (const [dataset, rows] of Object.entries(step as Record<string, object[]>)) {
            const answer = await importRows(world(), dataset, tenant.channelId, rows);
            const expected = await memory.importRows(dataset, rows);
            assert.deepEqual(answerOf(answer), answerOf(expected), message);
          }
      }
      for (const table of tables) {
        const columns = columnsOf(table);
        const stored = await held(world(), tenant, table, columns);
        assert.ok(stored.length > 0, table);
        assert.deepEqual(stored, memory.held(table, columns), table);
      }
      assert.doesNotMatch(world().logLines.join(), /hidden/i);
    });
  }
});
