/**
 * Documents that come again, or in another version, leave every fact once: the latest version of an
 * order line, and for dates what the last document about them says.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachPair, onOnePair } from './harness.ts';
import { assertReasons, assertRefused, counted, lines, reasons, refused } from './imports.ts';
import { deepTest } from './level.ts';
import { StoredChannel } from './storedChannel.ts';
import { rowsOf } from './table.ts';

const utc = { timezone: 'UTC', merchantId: 'A1MERCHANT' };

const orders = rowsOf(`
  orderId, lineId, purchasedAt,          updatedAt,            sku, quantity, itemPrice
  o1,      "1",    2025-03-01T10:00:00Z, 2025-03-01T10:00:00Z, A,   1,        "10.00"
  o2,      "1",    2025-03-02T10:00:00Z, 2025-03-02T10:00:00Z, B,   1,        "20.00"`);
const views = [1, 2, 3].map((date) => ({
  date: `2025-03-0${date}`,
  pageViews: date * 10,
  orderedRevenue: date,
}));
const ads = [1, 2, 3].flatMap((date) =>
  ['1', '2'].map((campaignId) => ({ date: `2025-03-0${date}`, campaignId, cost: date })),
);

onEachPair('Imports that come again', (world) => {
  test('a restated document removes its missing rows, only within the dates that it covers', async () => {
    const channel = await StoredChannel.open(world(), utc);
    const spend = async () =>
      (await channel.figures('2025-03-01', '2025-03-04')).map((row) => row[2]);
    const take = (rows: readonly object[], query = '') =>
      channel.post('campaignDays', lines(rows), undefined, query);
    await take(ads);
    assert.deepEqual(await spend(), ['2.00', '4.00', '6.00']);
    // Campaign b has vanished from the second day.
    await take([{ date: '2025-03-02', campaignId: '1', cost: 2.5 }]);
    assert.deepEqual(await spend(), ['2.00', '2.50', '6.00']);
    // A document that says from where to where it speaks empties the days that it is silent about.
    const covered = await take(
      [
        { date: '2025-03-01', campaignId: '1', cost: 7 },
        { date: '2025-03-04', campaignId: '1', cost: 9 },
      ],
      '&from=2025-03-01&to=2025-03-02',
    );
    assert.deepEqual(counted(covered), [2, 1, 1, '2025-03-01', '2025-03-02']);
    assert.deepEqual(reasons(covered), [[2, 'is outside the dates that the import covers']]);
    assert.deepEqual(await spend(), ['7.00', '0.00', '6.00']);
    // A document with no acceptable row empties nothing,
    assertRefused(
      await take(
        [{ date: '2025-03-01', campaignId: '1', cost: 'much' }],
        '&from=2025-03-01&to=2025-03-03',
      ),
    )`
      …nothing was imported, because 1 row was rejected: line 1 cost must be`;
    assert.deepEqual(await spend(), ['7.00', '0.00', '6.00']);
    // and one that has none empties all.
    const emptied = counted(await take([], '&from=2025-03-01&to=2025-03-02'));
    assert.deepEqual(emptied, [0, 0, 0, '2025-03-01', '2025-03-02']);
    assert.deepEqual(await spend(), ['0.00', '0.00', '6.00']);
    refused(await take([], '&from=2025-03-01'), /from and to must be given together/);
    refused(await take([], '&from=2025-03-02&to=2025-03-01'), /to must not be before from/);
  });
});

onOnePair('Facts that come again', (world) => {
  test('the same documents twice leave the same answers and the same freshness', async () => {
    const channel = await StoredChannel.open(world(), utc);
    const answers: unknown[] = [];
    for (const _ of [1, 2]) {
      await channel.importRows('orderLines', orders);
      await channel.importRows('traffic', views);
      await channel.importRows('campaignDays', ads);
      answers.push([await channel.figures('2025-03-01', '2025-03-04'), await channel.freshness()]);
    }
    assert.deepEqual(answers[0], answers[1]);
    assert.deepEqual(answers[0], [
      [
        ['10.00', 10, '2.00'],
        ['20.00', 20, '4.00'],
        ['0.00', 30, '6.00'],
      ],
      [
        ['orderLines', '2025-03-01', '2025-03-02', 2],
        ['traffic', '2025-03-01', '2025-03-03', 3],
        ['campaignDays', '2025-03-01', '2025-03-03', 6],
      ],
    ]);
  });

  deepTest('of an order line the version updated last counts, in whatever order', async () => {
    const channel = await StoredChannel.open(world(), utc);
    const sales = async () =>
      (await channel.figures('2025-03-01', '2025-03-04')).map((row) => row[0]);
    const version = (updated: number, purchased: string, itemPrice: number, status = 'Shipped') => {
      const times = {
        purchasedAt: `${purchased}T10:00:00Z`,
        updatedAt: `2025-03-03T0${updated}:00:00Z`,
      };
      return { orderId: 'o', lineId: '1', quantity: 1, itemPrice, status, ...times };
    };
    const take = (...rows: object[]) => channel.post('orderLines', lines(rows));
    await take(version(2, '2025-03-01', 20));
    assert.deepEqual(await sales(), ['20.00', '0.00', '0.00']);
    const older = await take(version(1, '2025-03-01', 10));
    assert.deepEqual([older.body.rowsAccepted, older.body.rowsOlder], [1, 1]);
    assert.deepEqual(await sales(), ['20.00', '0.00', '0.00']);
    // A purchase that moves leaves its day, even as the only one on the channel's first day.
    await take(version(3, '2025-03-02', 30));
    assert.deepEqual(await sales(), ['0.00', '30.00', '0.00']);
    await take(version(4, '2025-03-02', 30, 'Cancelled'));
    assert.deepEqual(await sales(), ['0.00', '0.00', '0.00']);
    // At the same instant the later import counts; within a document, the latest update.
    await take(version(4, '2025-03-02', 40));
    assert.deepEqual(await sales(), ['0.00', '40.00', '0.00']);
    const twice = await take(
      version(6, '2025-03-03', 60),
      version(5, '2025-03-01', 50),
      version(6, '2025-03-03', 61),
    );
    assert.deepEqual(reasons(twice), []);
    assert.deepEqual(await sales(), ['0.00', '0.00', '61.00']);
    assert.equal((await channel.held('order_line', 'item_price')).length, 1);
    await channel.importRows('products', [
      { sku: 'A', title: 'first' },
      { sku: 'A', title: 'last' },
    ]);
    assert.deepEqual(await channel.held('product', 'title'), [['last']]);
  });

  test('of dated rows with one key the first stays, and the later ones are refused with its line', async () => {
    const channel = await StoredChannel.open(world(), utc);
    const rows = [ads[0], ads[1], { ...ads[0], cost: 99 }, ads[2], { ...ads[0], cost: 98 }];
    const answer = await channel.post('campaignDays', lines(rows as object[]));
    assertReasons(answer)`
      3 repeats the key of line 1
      5 repeats the key of line 1`;
    assert.deepEqual(counted(answer).slice(0, 3), [5, 3, 2]);
    assert.deepEqual((await channel.figures('2025-03-01', '2025-03-02'))[0]![2], '2.00');
    assertRefused(
      await channel.post('campaignDays', lines(rows as object[]), undefined, '&onError=abort'),
    )`
      …2 rows were rejected, so the whole document was refused: line 3 repeats`;
  });
});
