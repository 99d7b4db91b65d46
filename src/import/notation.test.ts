/**
 * Times without an offset and amounts with a decimal comma are read as the options of an import
 * say; without these options the document is refused, with the missing ones named.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryChannel } from '../../test/documents.ts';
import { onOnePair } from '../../test/harness.ts';
import { assertReasons, reasons, refused } from '../../test/imports.ts';
import { sampled, slowTest } from '../../test/level.ts';
import { StoredChannel } from '../../test/storedChannel.ts';
import { linesBeside, listsOf, tablesBeside } from '../../test/table.ts';

const tables = tablesBeside(import.meta.url, 'notation.tables.txt');

const at = (instant: string) => Date.parse(instant) / 1000;
const order = (id: string, cells: object) => ({ orderId: id, lineId: '1', ...cells });
const inZone = (timezone: string) => new MemoryChannel({ timezone, currency: 'EUR' });
const linesOf = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n');

type Rows = readonly object[];

/** Imports rows of a dataset and asserts that all of them are accepted. */
async function put(channel: MemoryChannel, dataset: string, rows: Rows, query: string) {
  assert.deepEqual(reasons(await channel.post(dataset, linesOf(rows), 'ndjson', query)), []);
}

test('times without an offset are those of the channel, on days of changes as well', async () => {
  const zones = {
    'America/New_York': listsOf(tables.newYork!),
    'Europe/Berlin': listsOf(tables.berlin!),
  };
  for (const [timezone, times] of Object.entries(zones)) {
    const one = inZone(timezone);
    const query = '&zone=channel';
    const expected = times.map(([, instant]) => at(instant)).sort((a, b) => a - b);
    const rowsOf = {
      orderLines: (purchasedAt: string, id: number) => order(`${id}`, { purchasedAt }),
      financeEvents: (postedAt: string, id: number) => ({ eventId: `${id}`, postedAt }),
      orders: (PurchaseDate: string, id: number) => ({ OrderId: `o${id}`, PurchaseDate }),
    };
    for (const [dataset, rowOf] of Object.entries(rowsOf)) {
      const rows = times.map(([written], place) => rowOf(written, place));
      await put(one, dataset, rows, query);
    }
    for (const table of ['order_line', 'order_record']) {
      const found = one.held(table, 'purchased_at');
      assert.deepEqual(found.flat(), expected, timezone);
    }
    assert.deepEqual(one.held('finance_event', 'posted_at').flat(), expected);
  }
  const one = inZone('Asia/Tokyo');
  const local = { OrderId: 'o', PurchaseDate: '2025-03-02T00:30:00', Items: [] };
  await put(one, 'orders', [local], '&zone=channel');
  // The same goes for documents: the Orders API gives offsets, but a copy of it may not.
  const page = { payload: { Orders: [{ AmazonOrderId: 'p', ...local, OrderId: undefined }] } };
  const taken = await one.import(JSON.stringify(page), '&zone=channel');
  assert.equal(taken.status, 200, taken.body.error);
  const ids = one.held('order_record', 'order_id, purchased_at');
  assert.deepEqual(ids, [
    ['o', at('2025-03-01T15:30:00Z')],
    ['p', at('2025-03-01T15:30:00Z')],
  ]);
});

test('amounts with decimal commas, in rows and in flat files', async () => {
  const one = inZone('Europe/Berlin');
  const prices = ['1.234,56', '12,5', '7', '1.234', ',5'];
  const rows = prices.map((price, place) => `${place};1;2025-03-02T10:00:00Z;"${price}"`);
  const csv = ['orderId;lineId;purchasedAt;itemPrice', ...rows].join('\n').replaceAll(';', ',');
  const taken = await one.post('orderLines', csv, 'csv', '&decimal=comma');
  assert.deepEqual(reasons(taken), []);
  const amounts = one.held('order_line', 'item_price').map(([amount]) => Number(amount) / 1e6);
  assert.deepEqual(amounts, [0.5, 7, 12.5, 1234, 1234.56]);
  // A number of JSON stays what it is.
  const events = [{ amount: '-3,00', tax: '0,1234567' }, { amount: 1.5 }].map((event, place) => {
    return { eventId: `${place}`, postedAt: '2025-03-02T10:00:00Z', ...event };
  });
  await put(one, 'financeEvents', events, '&decimal=comma');
  assert.deepEqual(one.held('finance_event', 'amount, tax'), [
    [-3_000_000n, 123_457n],
    [1_500_000n, 0n],
  ]);
  const row = '{"orderId":"x","lineId":"1","purchasedAt":0,"itemPrice":"12.5"}';
  const point = await one.post('orderLines', row, 'ndjson', '&decimal=comma');
  assertReasons(point)`1 itemPrice must be a decimal number such as 12,34 (it is "12.5")`;
  const items = [{ OrderItemId: '1', QuantityOrdered: 1, ItemPrice: '1.000,50' }];
  const whole = { OrderId: 'o', PurchaseDate: '2025-03-02T10:00:00Z', Items: items };
  const total = { OrderTotal: { Amount: '1.000,50', CurrencyCode: 'EUR' } };
  await put(one, 'orders', [{ ...whole, ...total }], '&decimal=comma');
  const [[record]] = one.held('order_record', 'record') as [[string]];
  assert.equal(JSON.parse(record).OrderTotal.Amount, 1000.5);
  // A flat file is read once, and the result is not read again: 1,125 is not a thousand.
  const other = inZone('Europe/Berlin');
  const file = [
    'amazon-order-id\tpurchase-date\tlast-updated-date\torder-status\tsku\tquantity\tcurrency\titem-price\titem-tax',
    'f\t2025-03-02T10:00:00\t2025-03-03T10:00:00\tShipped\tA\t1\tEUR\t1,125\t',
  ].join('\n');
  const both = '&zone=channel&decimal=comma&type=allOrders';
  const flat = await other.import(`${file}\n`, both);
  assert.deepEqual(reasons(flat), []);
  assert.deepEqual(other.held('order_line', 'item_price, purchased_at'), [
    [1_125_000n, at('2025-03-02T09:00:00Z')],
  ]);
});

/** Stores by their country, with their currency. */
const stores = {
  DE: { merchantId: 'A1 @ A1PA6795UKMFR9', currency: 'EUR' },
  IN: { merchantId: 'A1 @ A21TJRUUN4KGV', currency: 'INR' },
  US: { merchantId: 'A1 @ ATVPDKIKX0DER', currency: 'USD' },
  none: { merchantId: 'A1', currency: 'USD' },
} as const;

test('all amounts of a document show how it writes them, else the country and the decimal places', async () => {
  type Case = [store: keyof typeof stores, amounts: string, read: string, query?: string];
  const lines = linesBeside(import.meta.url, 'notation.jsonl');
  const cases = lines.map((line) => JSON.parse(line) as Case);
  for (const [store, amounts, read, query] of cases) {
    const one = new MemoryChannel(stores[store]);
    const rows = amounts.split(' | ').map((amount, at) => `2025-03-${at + 10};"${amount}";1;2;3`);
    const titles = 'Date;Ordered Product Sales;Units ordered;Sessions – Total;Page views';
    const answer = await one.import([titles, ...rows].join('\n'), query);
    const [, found] = [answer.body.error, one.held('traffic_total', 'revenue').flat()];
    const expected = /^[\d. |-]+$/.test(read) ? read.split(' | ').map(Number) : undefined;
    if (expected === undefined) assert.ok(answer.body.error?.includes(read), answer.body.error);
    else assert.deepEqual(found.map((one) => Number(one) / 1e6).sort(), expected.sort(), amounts);
  }
});

slowTest('late rows show the notation as well, or refuse a document read in another', async () => {
  const titles = 'reimbursement-id,approval-date,reason,sku,currency-unit,amount-total';
  const row = (id: number, amount: string, date: string) => `${id},${date},Lost,S,EUR,"${amount}"`;
  const documentOf = (amount: string, date: string, last: string, lastDate = date) => {
    const rows = Array.from({ length: 32_001 }, (_, id) => row(id, amount, date));
    return [titles, ...rows, row(-1, last, lastDate)].join('\n');
  };
  const refused = /later rows of the document write amounts/;
  const documents = [
    [['1.234', '2025-03-02', '0.5'], refused],
    [['1', '3/4/2025', '1', '4/13/2025'], refused],
    [['1.234', '2025-03-02', '0,5'], 32_002],
  ] as const;
  for (const [[amount, date, last, lastDate], read] of sampled(documents, 3)) {
    const document = documentOf(amount, date, last, lastDate);
    const { body } = await new MemoryChannel(stores.DE).import(document);
    if (typeof read === 'number') assert.equal(body.rowsAccepted, read, body.error);
    else assert.match(body.error ?? body.rejected[0].reason, read);
  }
});

onOnePair('Local times and decimal commas', (world) => {
  test('without the options the document is refused, and all that is missing is said', async () => {
    const one = await StoredChannel.open(world(), { timezone: 'Europe/Berlin', currency: 'EUR' });
    const put = (rows: readonly object[], query = '') =>
      one.post('orderLines', linesOf(rows), undefined, query);
    const local = order('1', { purchasedAt: '2025-03-02T10:00:00', itemPrice: 1 });
    const comma = order('2', { purchasedAt: '2025-03-02T10:00:00Z', itemPrice: '12,5' });
    const pattern =
      /^the document needs zone=channel \(its times have no offset from UTC, such as 2025-03-02T10:00:00, and then are those of the channel's time zone\) and decimal=comma \(its amounts have a decimal comma, such as 12,5\) \(import/;
    refused(await put([local, comma]), pattern);
    refused(await put([local, comma], '&zone=channel&onError=abort'), /decimal=comma/);
    refused(await put([local], '&zone=utc'), /^zone must be channel$/);
    refused(await put([local], '&decimal=dot'), /^decimal must be comma or point$/);
    // A document whose rows are wrong in other ways as well names them all.
    const wrong = order('4', { purchasedAt: 'yesterday' });
    assert.equal(reasons(await put([local, wrong])).length, 2);
    // A document with other, valid rows is accepted without these.
    const right = order('3', { purchasedAt: '2025-03-02T10:00:00Z', itemPrice: '12' });
    const inPart = await put([local, comma, right]);
    assertReasons(inPart)`
      1 purchasedAt must carry its offset from UTC (…Z or …+01:00) unless the import has
        zone=channel (it is "2025-03-02T10:00:00")
      2 itemPrice must be a decimal number such as 12.34 unless the import has decimal=comma
        (it is "12,5")`;
  });
});
