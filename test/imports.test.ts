/**
 * Imports leave facts in the stores, exactly once however often they come; what they count adds up,
 * and one that is refused leaves the facts as they were.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Row } from '../src/engine/warehouse.ts';
import { fixture } from './facts.ts';
import { type Answer, onEachPair, onOnePair, testOnOnePair } from './harness.ts';
import { assertRefused, counted, lines, reasons, refused } from './imports.ts';
import { level } from './level.ts';
import { StoredChannel } from './storedChannel.ts';
import { listsOf, rowsOf } from './table.ts';
import { askView, days } from './world.ts';

const csv = 'text/csv';
const utc = { timezone: 'UTC', merchantId: 'A1MERCHANT' };

onEachPair('Imports of rows', (world, pair) => {
  const testOnce = testOnOnePair(pair);

  test('orders with their items become records and lines, and the address of the buyer is only stored sealed and hashed', async () => {
    const channel = await StoredChannel.open(world(), utc);
    const order = JSON.parse(fixture('orders.items.json'));
    const orders = lines([order, { ...order, OrderId: 'constructor' }]);
    const answer = await channel.post('orders', gzipSync(orders));
    assert.deepEqual(counted(answer), [2, 2, 0, '2025-03-01', '2025-03-01']);
    const ofLines = 'order_id, line_id, sku, quantity, item_price, currency';
    const found = await channel.held('order_line', ofLines);
    assert.deepEqual(found.slice(0, 2), [
      ['700-1', '1', 'A', 2, 20_000_000n, 'EUR'],
      ['700-1', '2', 'B', 1, 11_500_000n, 'EUR'],
    ]);
    const columns = 'order_id, record, sealed_email, customer';
    const records = await channel.held('order_record', columns);
    assert.equal(records.length, 2);
    assert.equal(JSON.parse(records[0]![1] as string).ShippingAddress.City, 'Köln');
    assert.doesNotMatch(JSON.stringify(records), /hidden/);
    for (const [, , sealedEmail, customer] of records)
      assert.ok(sealedEmail !== '' && customer !== '');
    // A second time, now without items. Names such as `constructor` are ordinary order ids.
    const { Items: _, ...bare } = order;
    const named = ['constructor', '__proto__'].map((OrderId) => ({ ...bare, OrderId }));
    const again = await channel.post('orders', lines(named));
    assert.deepEqual(counted(again).slice(0, 3), [2, 2, 0]);
    const inApril = { ...order, OrderId: 'x', PurchaseDate: '2025-04-01T00:00:00Z' };
    const march = '&from=2025-03-01&to=2025-03-31';
    const outside = await channel.post('orders', lines([order, inApril]), undefined, march);
    assert.deepEqual(reasons(outside), [[2, 'is outside the dates that the import covers']]);
  });

  test('texts with quotes and line ends survive in any number, on their way through the staged files', async () => {
    const channel = await StoredChannel.open(world(), utc);
    const count = level === 'deep' ? 9000 : 3000;
    const rows = Array.from({ length: count }, (_, place) => ({
      sku: `S${place}`,
      title: [
        `"\n${place},0,"a\r\n"b"${'\u{1f4a1}\n'.repeat(place % 300)}`,
        `'\n${place},0,'a\\'\r\n''b'\\`,
        '\\N',
        "'",
        '',
      ][place % 5]!,
    }));
    const answer = await channel.post('products', gzipSync(lines(rows)));
    assert.deepEqual(counted(answer).slice(0, 3), [count, count, 0]);
    const found = await channel.held('product', 'sku, title');
    const titles = new Map(rows.map((row) => [row.sku, row.title]));
    assert.ok(found.every(([sku, title]) => titles.get(sku as string) === title));
    assert.equal(found.length, count);
  });

  testOnce('order lines around both changes of the clock are in their own hours', async () => {
    const channel = await StoredChannel.open(world(), { timezone: 'Europe/Berlin' });
    const bought = rowsOf(`orderId, lineId, purchasedAt, quantity, itemPrice
      a, "1", 2025-03-30T01:59:59+01:00, 1, 0.01
      b, "1", 2025-03-30T03:00:00+02:00, 1, 0.1
      c, "1", 2025-03-30T23:59:59+02:00, 1, 1
      d, "1", 2025-10-26T02:30:00+02:00, 1, 10
      e, "1", 2025-10-26T02:30:00+01:00, 1, 100
      f, "1", 2025-10-27T00:00:00+01:00, 1, 1000`);
    await channel.importRows('orderLines', bought);
    const sold = async (from: string, to: string, interval: string) => {
      const { key, channelId, merchantId } = channel.tenant;
      const reportOptions = { ...days(from, to, 'Europe/Berlin'), interval };
      const body = { channelId, merchantId, reportOptions };
      const { formattedChartData } = await askView(world(), key, 'salesByPeriod', body);
      return formattedChartData
        .filter((row: Row) => row.lineItemCount !== 0)
        .map((row: Row) => [String(row.startTime).replace(/:00:00.*(?=[+-])/, ''), row.sales]);
    };
    const [march, october] = ['2025-03-30', '2025-10-26'];
    assert.deepEqual(await sold(march, march, 'd'), [[`${march}T00+01:00`, '1.11']]);
    const ofDays = listsOf('2025-10-26T00+02:00, "110.00"\n2025-10-27T00+01:00, "1000.00"');
    assert.deepEqual(await sold(october, '2025-10-27', 'd'), ofDays);
    assert.deepEqual(
      [...(await sold(march, march, 'h')), ...(await sold(october, october, 'h'))],
      listsOf(`2025-03-30T01+01:00, "0.01"
        2025-03-30T03+02:00, "0.10"
        2025-03-30T23+02:00, "1.00"
        2025-10-26T02+02:00, "10.00"
        2025-10-26T02+01:00, "100.00"`),
    );
  });
});

onOnePair('What imports count and refuse', (world) => {
  test('the counts of an import add up, and amounts that were rounded are counted', async () => {
    const channel = await StoredChannel.open(world(), utc);
    const sumsUp = ({ body }: Answer) => {
      const { rowsRead, rowsAccepted, rowsMerged, rowsRejected, rowsSkipped } = body;
      assert.equal(rowsRead, rowsAccepted + rowsMerged + rowsRejected + rowsSkipped);
      return [rowsRead, rowsAccepted, rowsMerged, rowsRejected, rowsSkipped, body.rounded];
    };
    const purchasedAt = '2025-03-01T10:00:00Z';
    const line = (lineId: string, itemPrice: unknown, more: object = {}) => {
      return { orderId: 'o', lineId, purchasedAt, itemPrice, ...more };
    };
    const mixed = await channel.post(
      'orderLines',
      lines([
        line('1', '1.0000005'),
        line('2', -2.0000015, { itemTax: '0.12345678' }),
        line('3', '3.1000000'),
        line('3', 4.123456),
        line('4', 'four', { itemTax: '0.12345678' }),
      ]),
    );
    assert.deepEqual(sumsUp(mixed), [5, 3, 1, 1, 0, 3]);
    assert.deepEqual(await channel.held('order_line', 'line_id, item_price, item_tax'), [
      ['1', 1_000_001n, 0n],
      ['2', -2_000_002n, 123_457n],
      ['3', 4_123_456n, 0n],
    ]);
    const order = (OrderId: string, ItemPrice: string) => {
      const Items = [{ OrderItemId: '1', QuantityOrdered: 1, ItemPrice }];
      return { OrderId, PurchaseDate: purchasedAt, Items };
    };
    const orders = [order('p', '1.12345649'), order('p', '2'), order('q', '3')];
    assert.deepEqual(sumsUp(await channel.post('orders', lines(orders))), [3, 2, 1, 0, 0, 1]);
    // A document that is refused has counts, too: a row that was right is skipped.
    const wrong = lines([line('5', 1), line('6', 'six')]);
    const refusedWhole = await channel.post('orderLines', wrong, undefined, '&onError=abort');
    const { importId } = mixed.body;
    const read = (id: number) => world().operate('GET', `/operator/imports/${id}`);
    refused(refusedWhole, /line 2 itemPrice/);
    assert.deepEqual(sumsUp({ ...mixed, body: await read(importId) }), [5, 3, 1, 1, 0, 3]);
    const [latest] = await channel.imports();
    assert.deepEqual(sumsUp({ ...mixed, body: latest }), [2, 0, 0, 1, 1, 0]);
  });

  test('facts are not refused because their sum has more digits than one fact may have', async () => {
    const channel = await StoredChannel.open(world(), utc);
    const dear = rowsOf(`orderId, lineId, purchasedAt, itemPrice
      o, "1", 2025-03-01T10:00:00Z, "999999999999.99"
      o, "2", 2025-03-01T10:00:00Z, "999999999999.99"`);
    await channel.importRows('orderLines', dear);
    const [[sales] = []] = await channel.figures('2025-03-01', '2025-03-02');
    assert.equal(sales, '1999999999999.98');
  });

  test('the content type says which format and encoding a document has', async () => {
    const channel = await StoredChannel.open(world(), utc);
    const latin = Buffer.from('sku,title\nA,caf\xe9\nB,tea\n', 'latin1');
    const answer = await channel.post('products', latin, `${csv}; charset=windows-1252`);
    assert.deepEqual(counted(answer).slice(0, 3), [2, 2, 0]);
    assert.deepEqual(await channel.held('product', 'sku, title'), listsOf('A, café\nB, tea'));
  });

  test('neither the answer nor the log has an address that stands in the wrong place', async () => {
    const channel = await StoredChannel.open(world(), utc);
    for (const document of [
      '700-1,1,2025-03-01T00:00:00Z,hidden@example.com\n',
      'orderId,"lineId,purchasedAt\nhidden,b,c\n',
      'orderId,lineId,purchasedAt,buyerEmail\n,1,2025-03-01T00:00:00Z,hidden@example.com\n',
    ]) {
      const answer = await channel.post('orderLines', document, csv);
      assert.ok([400, 422].includes(answer.status), answer.body.error);
      assert.doesNotMatch(JSON.stringify(answer.body), /hidden/);
    }
    assert.deepEqual(await channel.freshness(), []);
    assert.doesNotMatch(world().logLines.join(), /hidden/);
  });

  test('a document that is cut off, or without rows, leaves no facts and no import that runs', async () => {
    const channel = await StoredChannel.open(world(), utc);
    const packed = gzipSync('{"date":"2025-03-01","pageViews":1}\n'.repeat(4000));
    assertRefused(await channel.post('traffic', packed.subarray(0, packed.length - 20)))`
      …the gzip data ends too early: the document is cut off`;
    for (const empty of ['', ' \n\n\t\n', '\ufeff'])
      refused(await channel.post('traffic', empty), /the document has no rows/);
    refused(await channel.post('traffic', 'date,pageViews\n', csv), /the document has no rows/);
    assertRefused(await channel.post('traffic', '{}', 'application/x-ndjson; charset=klingon'))`
      …unknown encoding klingon`;
    assert.deepEqual(await channel.freshness(), []);
    const states = (await channel.imports()).map(({ state }: { state: string }) => state);
    assert.deepEqual(states, Array(6).fill('failed'));
  });

  test('a refused document leaves no staged file open', {
    // Only Linux lists the open files of a process.
    skip: process.platform !== 'linux',
  }, async () => {
    const channel = await StoredChannel.open(world(), utc);
    const { stagingFolder } = world().warehouse;
    const rows = Array.from({ length: 5000 }, (_, place) => ({
      sku: `S${place}`,
      title: createHash('sha256').update(`${place}`).digest('hex'),
    }));
    const whole = gzipSync(lines(rows));
    const cut = await channel.post('products', whole.subarray(0, whole.length / 2));
    refused(cut, /^the gzip data ends too early: the document is cut off/);
    const open = readdirSync('/proc/self/fd')
      .map((name) => `/proc/self/fd/${name}`)
      // The listing itself is closed by now.
      .filter((link) => lstatSync(link, { throwIfNoEntry: false }) !== undefined)
      .map((link) => readlinkSync(link));
    const found = open.filter((path) => path.startsWith(stagingFolder));
    assert.deepEqual(found, []);
  });
});

onOnePair('Refused rows', (world) => {
  test('with onError=abort one of them refuses the document, and the facts stay', async () => {
    const channel = await StoredChannel.open(world(), utc);
    const rows = [
      { date: '2025-03-01', pageViews: 1 },
      { date: '2025-03-02', pageViews: -1 },
    ];
    const answer = await channel.post('traffic', lines(rows), undefined, '&onError=abort');
    assertRefused(answer)`
      …1 row was rejected, so the whole document was refused: line 2 pageViews must be a whole
      number, 0 or more (it is -1) (import #)`;
    assert.deepEqual(await channel.freshness(), []);
    const importId = /\(import (\d+)\)/.exec(answer.body.error)![1];
    const failed = await world().operate('GET', `/operator/imports/${importId}`);
    assert.deepEqual([failed.state, failed.rowsRejected], ['failed', 1]);
  });

  test('all are counted, the first thousand stored, and a hundred of them in the answer', async () => {
    const channel = await StoredChannel.open(world(), utc);
    const rows = Array.from({ length: 2600 }, (_, place) => ({
      date: '2025-03-01',
      campaignId: place % 2 === 0 ? String(place) : '',
    }));
    const answer = await channel.post('campaignDays', lines(rows));
    assert.deepEqual(counted(answer), [2600, 1300, 1300, '2025-03-01', '2025-03-01']);
    assert.equal(answer.body.rejected.length, 100);
    const path = `/operator/imports/${answer.body.importId}/rejected`;
    const { rejected } = await world().operate('GET', path);
    assert.equal(rejected.length, 1000);
    assert.deepEqual(rejected.slice(0, 100), answer.body.rejected);
    assert.deepEqual(rejected.at(-1), { line: 2000, reason: 'campaignId is required' });
  });
});
