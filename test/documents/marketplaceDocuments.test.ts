/**
 * Reports of sales and traffic, orders and reference rates are read as the marketplace and the bank
 * write them; unknown kinds are refused by name, and weeks and days never count twice.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { byDate } from '../byDate.ts';
import { MemoryChannel } from '../documents.ts';
import { assertHeld } from '../facts.ts';
import { onOnePair } from '../harness.ts';
import {
  assertReasons,
  assertRefused,
  counted,
  lines,
  postImport,
  reasons,
  refused,
} from '../imports.ts';
import { StoredChannel } from '../storedChannel.ts';
import { barredRowsOf, barsOf, textBeside } from '../table.ts';
import { assertShown } from '../world.ts';

const utc = { timezone: 'UTC', merchantId: 'A1MERCHANT' };

const fixture = (name: string) => readFileSync(new URL(`../fixtures/${name}`, import.meta.url));

describe('Documents of the marketplace', () => {
  test('Data Kiosk lines: rows of one marketplace, the others skipped', async () => {
    const channel = new MemoryChannel(utc);
    const kiosk = fixture('salesAndTraffic.kiosk.jsonl');
    const answer = await channel.import(kiosk);
    assert.equal(answer.body.dataset, 'salesAndTrafficKiosk');
    assert.deepEqual(counted(answer), [3, 3, 0, '2025-06-01', '2025-06-03']);
    const cut = await channel.import(kiosk.subarray(0, kiosk.length - 30));
    assert.deepEqual(reasons(cut), [[3, 'is not JSON']]);
    assert.deepEqual(byDate(channel.held('traffic_total', 'day, revenue, page_views')), [
      ['2025-06-01', 0n, 0],
      ['2025-06-02', 19_990_000n, 40],
      ['2025-06-03', 39_980_000n, 41],
    ]);
    const both = fixture('salesAndTraffic.marketplaces.jsonl');
    assertReasons(await channel.import(both))`
      2 belongs to marketplace ATVPDKIKX0DER, but earlier rows belong to A1805IZSGTT6HS: a channel
        has one marketplace`;
    const known = new MemoryChannel({ merchantId: 'A1MERCHANT @ ATVPDKIKX0DER' });
    const { rowsAccepted, rowsSkipped, otherStores, rejected } = (await known.import(both)).body;
    assert.deepEqual([rowsAccepted, rowsSkipped, otherStores, rejected], [1, 1, 1, []]);
    assertRefused(await new MemoryChannel({ merchantId: 'A1 @ A1PA6795UKMFR9' }).import(both))`
      the document belongs to marketplace Amazon.nl (A1805IZSGTT6HS), the channel to marketplace
        Amazon.de (A1PA6795UKMFR9): import it into the channel of its store`;
  });

  test('a report of another marketplace, or of a part of the store, is refused', async () => {
    const report = JSON.parse(fixture('salesAndTraffic.day.json').toString());
    const { reportSpecification } = report;
    const channel = new MemoryChannel({ merchantId: 'A1 @ A2EUQ1WTGCTBG2', currency: 'CAD' });
    const take = (more: object) =>
      channel.import(
        JSON.stringify({ ...report, reportSpecification: { ...reportSpecification, ...more } }),
      );
    assertRefused(await take({ marketplaceIds: ['ATVPDKIKX0DER'] }))`
      the report belongs to marketplace Amazon.com (ATVPDKIKX0DER), the channel to marketplace
        Amazon.ca (A2EUQ1WTGCTBG2)`;
    const own = { marketplaceIds: ['A2EUQ1WTGCTBG2'] };
    assertRefused(await take({ ...own, reportOptions: { customerType: 'B2B' } }))`
      the report was requested with customerType, so it may be of a part of the store`;
    assertRefused(
      await take(own),
    )`the document belongs to a store in USD, the channel to one in CAD`;
  });

  test('the same within one document, one body a line', async () => {
    const channel = new MemoryChannel(utc);
    const names = ['orders.page', 'orderItems.second', 'orderItems.first', 'orders.canceled'];
    const bodies = names.map((name) =>
      JSON.stringify(JSON.parse(fixture(`${name}.json`).toString())),
    );
    await channel.import(bodies.join('\n'));
    assert.deepEqual(channel.held('order_line', 'line_id, status, quantity, item_price'), [
      ['05000000000001', 'Unshipped', 2, 22_000_000n],
      ['05000000000002', 'Canceled', 1, 11_000_000n],
      ['05000000000003', 'Canceled', 3, 30_000_000n],
    ]);
  });

  test('reference rates: gaps, the comma at the end, the zip archive, and a line that was cut off', async () => {
    const table = fixture('referenceRates.csv');
    const nobody = new MemoryChannel({ currency: '' });
    const plain = await nobody.import(table);
    assert.equal(plain.body.dataset, 'referenceRates');
    assertShown([plain.body])`
      rowsAccepted, rowsRejected, from,       to
      9,            0,            2025-05-13, 2025-05-14`;
    const columns = 'day, currency, per_euro';
    const rates = nobody.held('exchange_rate', columns);
    const another = new MemoryChannel({ currency: '' });
    const packed = await another.import(Buffer.from(zipSync({ 'rates.csv': table })));
    assert.equal(packed.body.rowsAccepted, 9);
    assert.deepEqual(another.held('exchange_rate', columns), rates);
    const cut = await nobody.import(table.subarray(0, 100));
    assert.deepEqual(reasons(cut), [[3, 'has 3 cells, but the header has 9']]);
    assertRefused(await new MemoryChannel(utc).import(table))`
      …a referenceRates document belongs to no channel: omit channelId`;
    assertRefused(await nobody.import(fixture('orders.page.json')))`
      …a ordersApi document belongs to a channel: name it with channelId=ID`;
    const two = Buffer.from(zipSync({ a: table, b: table }));
    refused(await nobody.import(two), /contains several files/);
  });

  test('rates are read as spreadsheets save them again, and what cannot be a rate is refused', async () => {
    const tables = barredRowsOf(textBeside(import.meta.url, 'rates.txt'));
    for (const { row = '', answer = '' } of tables) {
      const nobody = new MemoryChannel({ currency: '' });
      const header = ['\ufeffDate', 'USD', 'JPY', 'BGN', 'CYP', 'GBP'].join(/[,;]/.exec(row)![0]);
      const { status, body } = await nobody.import([header, ...row.split('+')].join('\n'));
      const held = nobody.held('exchange_rate', 'currency, per_euro, day');
      const [[, , day] = [], [, yen] = [], [, dollar] = []] = [held[0], held.at(-2), held.at(-1)];
      const date = new Date(Number(day) * 86_400_000).toJSON()?.slice(0, 10);
      const given = status === 200 ? `${date} ${dollar} ${yen}` : body.error;
      assert.ok(given.includes(answer), `${row}: ${given}`);
    }
    const ownRates = barredRowsOf(textBeside(import.meta.url, 'ownRates.txt'));
    for (const { reason, ...row } of ownRates) {
      const answer = await new MemoryChannel(utc).post('exchangeRates', JSON.stringify(row));
      assert.deepEqual(reasons(answer), reason === undefined ? [] : [[1, reason]]);
    }
  });

  test('unknown kinds are refused by name, and a kind that is forced on another document changes nothing', async () => {
    const channel = new MemoryChannel(utc);
    const take = (document: string | Buffer, query = '') => channel.import(document, query);
    assertRefused(await take('{"reportSpecification":{"reportType":"GET_OTHER_REPORT"}}'))`
      reports of the type GET_OTHER_REPORT cannot be imported; GET /operator/documents lists the
      kinds`;
    // Each document as a text in JSON, with the reason as a pattern.
    for (const [document = '', reason = ''] of barsOf(fixture('unrecognised.txt').toString())) {
      const answer = await take(JSON.parse(document));
      refused(answer, new RegExp(reason));
      assert.ok(answer.body.error.length <= 400, answer.body.error);
    }
    assertRefused(await take('Date,USD\n2025-01-01,1', '&type=salesAndTrafficReport'))`
      …the document is not salesAndTrafficReport`;
    const range = '&type=salesAndTrafficReport&from=2025-01-01&to=2025-12-31';
    await channel.importRows('traffic', [{ date: '2025-05-12', pageViews: 1 }]);
    assertRefused(await take('{"payload":{}}', range))`
      …has neither salesAndTrafficByDate nor salesAndTrafficByAsin`;
    refused(await take('', '&from=2025-01-01&to=2025-12-31'), /the document is empty/);
    assert.deepEqual(channel.held('traffic_total', 'page_views'), [[1]]);
    const forced = fixture('salesAndTraffic.day.json')
      .toString()
      .replace('GET_SALES_AND_TRAFFIC_REPORT', 'RENAMED');
    refused(await take(forced), /^reports of the type RENAMED cannot be imported/);
    const renamed = await take(forced, '&type=salesAndTrafficReport');
    assert.deepEqual(counted(renamed).slice(0, 3), [3, 3, 0]);
  });
});

onOnePair('Documents of the marketplace in the stores', (world) => {
  test('a report of one day: the whole store and its products, dated to that day', async () => {
    const channel = await StoredChannel.open(world(), utc);
    const answer = await channel.import(gzipSync(fixture('salesAndTraffic.day.json')));
    assert.equal(answer.body.dataset, 'salesAndTrafficReport');
    assert.deepEqual(counted(answer), [3, 3, 0, '2025-05-12', '2025-05-12']);
    assert.equal(answer.body.rowsCoarse, 0);
    const store = await channel.view('2025-05-12T00:00', '2025-05-13T00:00');
    assertShown(store.slice(0, 1))`
      sales,    unitsSold, pageViews, buyboxWinPercentage
      "321.09", 12,        205,       "91.3"`;
    const sku = { sellerSkus: ['LAMP-BLUE'] };
    const blue = await channel.view('2025-05-12T00:00', '2025-05-13T00:00', 'UTC', sku);
    // The source lacks a buy box share, which differs from a share of zero.
    assertShown(blue.slice(0, 1))`
      sales,    pageViews, buyboxWinPercentage
      "121.05", 55,        -`;
  });

  test('weeks and months need coarse=lastDay, and then replace the days that they cover', async () => {
    const channel = await StoredChannel.open(world(), utc);
    const viewed = { pageViews: 1, orderedRevenue: 1 };
    const daily = [10, 11, 16, 17, 24, 25].map((date) => ({ date: `2025-05-${date}`, ...viewed }));
    await channel.importRows('traffic', daily);
    const week = fixture('salesAndTraffic.week.json');
    const plain = await channel.import(week);
    assertRefused(plain)`
      the document needs coarse=lastDay (its rows cover several days, such as 2025-05-11 to
      2025-05-17, and then count on the last of them; or request single days from the marketplace)`;
    assert.deepEqual((await channel.freshness())[0], ['traffic', '2025-05-10', '2025-05-25', 6]);
    refused(
      await channel.import(week, '&coarse=lastDay'),
      /^the dates overlap the facts of single days of traffic \(import \d+, 2025-05-10 to 2025-05-25\) on 2025-05-11, so they would count twice: pass replace=true to remove those facts, or import other dates \(import/,
    );
    const replaced = '&coarse=lastDay&replace=true';
    const booked = await channel.import(week, replaced);
    assert.deepEqual(counted(booked), [3, 3, 0, '2025-05-11', '2025-05-24']);
    assert.equal(booked.body.rowsCoarse, 3);
    const sold = (await channel.figures('2025-05-10', '2025-05-26')).flatMap(([sales], place) =>
      sales === '0.00' ? [] : [[10 + place, sales]],
    );
    assert.deepEqual(sold, [
      [10, '1.00'],
      [17, '1400.70'],
      [24, '700.35'],
      [25, '1.00'],
    ]);
    const path = `/operator/freshness?channelId=${channel.tenant.channelId}`;
    const { datasets } = await world().operate('GET', path);
    assert.deepEqual(
      [datasets[0].rowsCoarse, datasets[0].lastImport.rowsCoarse, datasets[0].lastImport.dataset],
      [3, 3, 'salesAndTrafficReport'],
    );
    // February has 29 days, and the row without a SKU of its own speaks of both months.
    const month = await channel.import(fixture('salesAndTraffic.month.json'), '&coarse=lastDay');
    assert.deepEqual(counted(month), [3, 3, 0, '2024-02-01', '2024-03-31']);
    assert.equal(month.body.rowsCoarse, 3);
    await assertHeld(channel, 'traffic_total')`
      day,        revenue
      2024-02-29, 2900.29
      2024-03-31, 3100.31
      2025-05-10, 1
      2025-05-17, 1400.7
      2025-05-24, 700.35
      2025-05-25, 1`;
    // A report that ends within a week has figures to its end, for the store and its products.
    const ended = ['"dataEndTime": "2025-05-24"', '"dataEndTime": "2025-05-20"'] as const;
    const short = await channel.import(String(week).replace(...ended), replaced);
    assert.deepEqual(counted(short), [3, 3, 0, '2025-05-11', '2025-05-20']);
    assert.deepEqual(await channel.held('traffic', 'since, day'), [
      [19_754, 19_813],
      [20_219, 20_228],
    ]);
    // A week that begins before the dates given for the import does not lie within them.
    const half = await channel.import(week, `${replaced}&from=2025-05-12&to=2025-05-24`);
    const outside = reasons(half).map(([line]) => line);
    assert.deepEqual(outside, [1, 3]);
  });

  test('totals and products in different grains refuse one another, whichever comes first', async () => {
    const kiosk = (first: number, last: number, pageViews: number, more = {}) => ({
      marketplaceId: 'A1MERCHANT',
      startDate: `2025-05-${first}`,
      endDate: `2025-05-${last}`,
      sales: { unitsOrdered: 0, totalOrderItems: 0, orderedProductSales: { amount: 0 } },
      traffic: { pageViews, sessions: 0 },
      ...more,
    });
    const week = lines([kiosk(11, 17, 70)]);
    const productWeek = lines([kiosk(11, 17, 70, { childAsin: 'B1' })]);
    const totals = (...days: number[]) => lines(days.map((day) => kiosk(day, day, 10)));
    const daily = lines(
      [11, 13].map((day) => ({ date: `2025-05-${day}`, sku: 'A', pageViews: 9 })),
    );
    const put = (channel: StoredChannel, document: string, query = '') =>
      channel.import(document, `&coarse=lastDay${query}`);
    const putDaily = (channel: StoredChannel, query = '') =>
      channel.post('traffic', daily, undefined, query);
    const views = async (channel: StoredChannel) => {
      const rows = await channel.figures('2025-05-10', '2025-05-19');
      return rows.flatMap(([, pageViews], at) => (pageViews ? [[10 + at, pageViews]] : []));
    };
    const ofDays = (kind: string) =>
      new RegExp(`^the dates overlap the facts of single days of ${kind} .* on 2025-05-11,`);
    const ofWeek =
      /^the dates overlap the facts of several days of salesAndTrafficKiosk \(import \d+, 2025-05-11 to 2025-05-17\) on 2025-05-11 to 2025-05-17, so they would count twice: pass replace=true/;

    const totalFirst = await StoredChannel.open(world(), utc);
    assert.equal((await put(totalFirst, week)).status, 200);
    refused(await putDaily(totalFirst), ofWeek);
    assert.deepEqual(await views(totalFirst), [[17, 70]]);
    assert.equal((await putDaily(totalFirst, '&replace=true')).status, 200);
    assert.deepEqual(await views(totalFirst), [
      [11, 9],
      [13, 9],
    ]);
    // Now the days are first.
    refused(await put(totalFirst, week), ofDays('traffic'));
    assert.equal((await put(totalFirst, week, '&replace=true')).status, 200);
    assert.deepEqual(await views(totalFirst), [[17, 70]]);
    assert.deepEqual(await totalFirst.held('traffic', 'sku'), []);
    // The products of the same week are hidden by its total.
    assert.equal((await put(totalFirst, productWeek)).status, 200);
    assert.deepEqual(await views(totalFirst), [[17, 70]]);

    const productsFirst = await StoredChannel.open(world(), utc);
    assert.equal((await put(productsFirst, productWeek)).status, 200);
    refused(await put(productsFirst, totals(11, 12)), ofWeek);
    // Totals of all days of the week count instead.
    assert.equal((await put(productsFirst, totals(11, 12, 13, 14, 15, 16, 17))).status, 200);
    assert.equal((await views(productsFirst)).length, 7);
    const halfFirst = await StoredChannel.open(world(), utc);
    assert.equal((await put(halfFirst, totals(11, 12))).status, 200);
    refused(await put(halfFirst, productWeek), ofDays('salesAndTrafficKiosk'));
    assertRefused(
      await put(halfFirst, lines([kiosk(11, 17, 70, { childAsin: 'B1' }), kiosk(12, 12, 10)])),
    )`
      rows of the document overlap, so they would count twice: 2025-05-11 to 2025-05-17 and
      2025-05-12`;
    assert.equal((await put(halfFirst, productWeek, '&replace=true')).status, 200);
    assert.deepEqual(await views(halfFirst), [[17, 70]]);
  });

  test('orders, then their items, then the order again as canceled: sales follow', async () => {
    const channel = await StoredChannel.open(world(), utc);
    const sales = async () => (await channel.figures('2025-05-12', '2025-05-13'))[0]![0];
    const items = fixture('orderItems.second.json');
    assertReasons(await channel.import(items))`
      1 the order 700-0000002-0000002 of these items is unknown: import the order first`;
    const page = await channel.import(fixture('orders.page.json'));
    assert.equal(page.body.dataset, 'ordersApi');
    assert.deepEqual(counted(page), [2, 2, 0, '1970-01-19', '2025-05-12']);
    assert.deepEqual(counted(await channel.import(items)).slice(0, 3), [1, 1, 0]);
    assert.equal(await sales(), '42.01');
    // The page once more, by a newer version of nothing, changes nothing.
    await channel.import(fixture('orders.page.json'));
    assert.equal(await sales(), '42.01');
    await channel.import(fixture('orders.canceled.json'));
    assert.equal(await sales(), '0.00');
    // Late items belong to a canceled order, and the older order does not restore it.
    await channel.import(items);
    await channel.import(fixture('orders.page.json'));
    assert.equal(await sales(), '0.00');
    const columns = 'order_id, status, record, sealed_email';
    const records = await channel.held('order_record', columns);
    const [first, second] = records.map(([, , record]) => JSON.parse(record as string));
    assert.deepEqual(
      [second.PaymentMethodDetails, records[1]![1], second.OrderTotal],
      ['CreditCard,GiftCertificate', 'Canceled', undefined],
    );
    assert.deepEqual(
      [first.OrderTotal, first.AutomatedShippingSettings],
      [{ Amount: 24.02, CurrencyCode: 'USD' }, { HasAutomatedShippingSettings: 'false' }],
    );
    assert.doesNotMatch(JSON.stringify(records), /buyer-one|Nowhere|Invented|555/);
  });

  test('a kind that is unknown, a form and a table with the wrong content type are refused in words', async () => {
    const channel = await StoredChannel.open(world(), utc);
    refused(await channel.import('{}', '&type=other'), /type must be salesAndTrafficReport or /);
    // As curl sends a file with -F, and with -d, which joins its lines.
    const path = `/operator/documents?channelId=${channel.tenant.channelId}`;
    const asForm = await postImport(world(), path, '--x', 'multipart/form-data; boundary=x');
    assert.equal(asForm.status, 415);
    assert.match(asForm.body.error, /send a file by --data-binary @FILE/);
    const form = 'application/x-www-form-urlencoded';
    assertRefused(await postImport(world(), path, 'a,b1,2', form))`
      …; with curl, send a file by --data-b`;
    const rates = `Date,USD,JPY,GBP,AUD,SEK,\n2026-01-02,1.1,160,0.85,1.7,11,\n`;
    const sent = await postImport(world(), '/operator/documents', rates, form);
    assert.equal(sent.body.rowsAccepted, 5);
    const ofRows = `/operator/imports/traffic?channelId=${channel.tenant.channelId}`;
    const rows = await postImport(world(), ofRows, 'date,pageViews', form);
    assert.match(rows.body.error, /-H 'content-type: text\/csv' .* --data-binary @FILE/);
  });
});
