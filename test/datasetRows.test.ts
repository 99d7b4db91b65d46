/**
 * Rows of datasets are read with every digit, from NDJSON and from CSV as programs write it; a row
 * that cannot be read costs itself alone, and its reason names no address.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { MemoryChannel } from './documents.ts';
import { assertHeld, fixture } from './facts.ts';
import { assertReasons, assertRefused, counted, lines, reasons, refused } from './imports.ts';
import { listsOf, rowsOf, textBeside } from './table.ts';

const megabyte = 1_000_000;
const utc = { timezone: 'UTC' };

/** Two rows of every flat dataset, with the table and columns to compare, and its dates. */
const [, ...samples] = fixture('datasets.txt').trimEnd().split('\n\n');

function asCsv(rows: readonly Record<string, unknown>[]): string {
  const quoted = (value: unknown) =>
    /[",\n\r]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value);
  return [
    Object.keys(rows[0]!).join(','),
    ...rows.map((row) => Object.values(row).map(quoted).join(',')),
  ].join('\r\n');
}

describe('Rows of datasets', () => {
  for (const sample of samples) {
    const [names = '', columns = '', ...csv] = sample.split('\n');
    const [dataset = '', table = '', ...words] = names.split(' ');
    const dates = words.map((word) => (word === 'undated' ? null : word));
    test(`${dataset}: NDJSON and CSV, plain and gzip, read as the same rows`, async () => {
      const rows = rowsOf(csv.join('\n'));
      const [packed, plain] = [new MemoryChannel(utc), new MemoryChannel(utc)];
      const first = await packed.post(dataset, gzipSync(lines(rows)));
      const second = await plain.post(dataset, asCsv(rows), 'csv');
      for (const answer of [first, second]) assert.deepEqual(counted(answer), [2, 2, 0, ...dates]);
      const facts = packed.held(table, columns);
      assert.equal(facts.length, 2);
      assert.deepEqual(plain.held(table, columns), facts);
      if (dataset === 'products')
        assert.deepEqual(plain.held(table, 'sku, title'), [
          ['A', 'Lampe, „rot“ \u{1f4a1}'],
          ['\\N', 'NULL'],
        ]);
      if (dataset === 'orderLines') {
        const [[one], [other]] = plain.held(table, 'customer') as [[string], [string]];
        assert.ok(one !== '' && one === other);
      }
    });
  }

  test('amounts and ids have every digit, as texts and as numbers', async () => {
    const channel = new MemoryChannel(utc);
    const prices = [
      ...['"123456789012.123456"', '123456789012.123456', '999999999999.999999', '0.1', '1e2'],
      ...['"1.5E-3"', '0.0000005', '"0.00000049"', '-0.0', '12.', '".5"'],
    ];
    const rows = prices.map(
      (price, place) =>
        `{"orderId":9007199254740993,"lineId":${place},"purchasedAt":"2025-0${(place % 9) + 1}-01T00:00:00Z","itemPrice":${price}}`,
    );
    const answer = await channel.post('orderLines', rows.join('\n'));
    // "12." is no number in JSON.
    assert.deepEqual(reasons(answer), [[10, 'is not JSON']]);
    const found = channel.held('order_line', 'line_id, item_price');
    const [large, larger] = [123_456_789_012_123_456n, 999_999_999_999_999_999n];
    const small = { 3: 100_000n, 4: 100_000_000n, 5: 1500n, 6: 1n, 7: 0n, 8: 0n, 10: 500_000n };
    assert.deepEqual(Object.fromEntries(found), { 0: large, 1: large, 2: larger, ...small });
    assert.ok(channel.held('order_line', 'order_id').every(([id]) => id === '9007199254740993'));
    const tooLarge = ['999999999999.9999999', '1e12'];
    const odd = ['1e400', '"1e400"', '"12,5"', '"Infinity"', 'true', '[1]'];
    const others = [...tooLarge, ...odd].map(
      (price) => `{"orderId":"x","lineId":"1","purchasedAt":1740823200,"itemPrice":${price}}`,
    );
    const refusedRows = reasons(await channel.post('orderLines', others.join('\n')));
    for (const [line, reason] of refusedRows)
      assert.match(
        reason,
        line <= 2 ? /^itemPrice must be below 1,00/ : /^itemPrice must be a dec/,
      );
    assert.equal(refusedRows.length, 8);
    const views = '{"date":"2025-03-01","sku":"A","pageViews":999999999999,"buyBoxPercentage":100}';
    assertReasons(await channel.post('traffic', views))`
      1 pageViews are too many`;
  });

  test('CSV as programs write it: comma, semicolon and tab, quotes, line ends within them, CRLF, a byte order mark, UTF-16', async () => {
    const titles = [
      ...['plain', 'with "quotes"', 'two\nlines', 'CRLF\r\nwithin', 'a,b;c\td', '  spaces '],
      '5" pipe',
    ];
    const table = (delimiter: string, end: string) => {
      const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
      const header = ['sku', '"title"', 'price'].join(delimiter);
      const rows = titles.map((title, place) => [`S${place}`, cell(title), place].join(delimiter));
      return [header, ...rows, ''].join(end);
    };
    const documents: [document: string | Buffer, charset?: string][] = [
      [table(',', '\n')],
      [`\ufeff${table(';', '\r\n')}`, 'windows-1252'],
      [Buffer.from(`\ufeff${table('\t', '\r\n')}`, 'utf16le')],
    ];
    for (const [document, charset] of documents) {
      const channel = new MemoryChannel(utc);
      const answer = await channel.post('products', document, 'csv', '', charset);
      assert.deepEqual(counted(answer), [7, 7, 0, null, null]);
      // Lines end with CRLF or LF; within a quoted cell either is a line end.
      const oneEnd = (text: unknown) => `${text}`.replaceAll('\r\n', '\n');
      const held = channel.held('product', 'sku, title').map(([, title]) => oneEnd(title));
      assert.deepEqual(held, titles.map(oneEnd));
    }
  });

  test('a row that is no row costs itself alone: quotes never closed, cells too many or too few', async () => {
    const channel = new MemoryChannel(utc);
    const document = [
      ...['sku,title,price', 'A,"never closed,1', 'B,"good",2', 'C,one,two,3', 'D', ''],
      ...['E,"5" pipe",5', 'F,"never closed either,6', 'G,plain,7', 'H,"and ""another""",8'],
      ...['I,"to the end,9', 'J,plain,10'],
    ].join('\n');
    const answer = await channel.post('products', document, 'csv');
    const unclosed = 'opens a quote that is not closed';
    assertReasons(answer)`
      2 ${unclosed}
      4 has 4 cells, but the header has 3: put quotes around cells with a separator in them
      5 has 1 cell, but the header has 3
      8 ${unclosed}
      11 ${unclosed}`;
    await assertHeld(channel, 'product')`
      sku, title
      B,   good
      E,   "5 pipe"""
      G,   plain
      H,   "and ""another"""
      J,   plain`;
    assert.deepEqual(counted(answer).slice(0, 3), [10, 5, 5]);
  });

  test('a header with unknown, doubled or missing columns refuses the document, and names no address', async () => {
    const channel = new MemoryChannel(utc);
    const said = async (document: string | Buffer) => {
      const answer = await channel.post('orderLines', document, 'csv');
      assert.equal(answer.status, 400);
      return answer.body.error as string;
    };
    const found = await said('orderId,lineId,purchasedAt,prize,\n');
    assert.match(found, /has unknown columns prize, \(empty\); the dataset has orderId, lineId/);
    const shown = await said('orderId,lineId,purchasedAt,lineId\n1,2,3,4\n');
    assert.match(shown, /names a column twice/);
    assert.match(await said('orderId,sku\n1,2\n'), /the header lacks lineId, purchasedAt: add/);
    assert.doesNotMatch(await said('700-1,1,2025-03-01T00:00:00Z,hidden@example.com\n'), /hidden/);
    const unclosed = await said('orderId,"lineId,purchasedAt\nhidden,b,c\n');
    assert.match(unclosed, /the header opens a quote that is not closed/);
    assert.doesNotMatch(unclosed, /hidden/);
  });

  test('a row that is refused is reported with line and every reason, and the good rows are taken', async () => {
    const channel = new MemoryChannel(utc);
    const [good] = rowsOf(`
      orderId, lineId, purchasedAt,          quantity, itemPrice
      o1,      "1",    2025-03-01T10:00:00Z, 1,        5`);
    const but = (change: object) => JSON.stringify({ ...good, ...change });
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    // The second line is empty.
    const rows = [
      ...[but({}), '', 'not JSON', '[1]', but({ orderId: undefined, quantity: 1.5 })],
      but({ purchasedAt: '2025-03-01T10:00:00' }),
      but({ purchasedAt: 1_740_823_200_000 }),
      but({ purchasedAt: '2025-02-29T10:00:00Z' }),
      but({ purchasedAt: '2025-02-28T10:00:00+99:00' }),
      but({ status: 'Lost', currency: 'EURO' }),
      but({ prize: 1, Quantity: 2 }),
      but({ buyerEmail: 'hidden@example.com'.repeat(30) }),
      but({ buyerEmail: ['hidden@example.com'] }),
      but({ 'hidden@example.com': 1 }),
      but({ sku: 'x'.repeat(201), productId: 'a\u0000b' }),
      `{"orderId":"o\\ud800","lineId":"1","purchasedAt":1740823200}`,
      `{"orderId":${deep},"lineId":"1","purchasedAt":1740823200}`,
      `{"deep":${deep},"orderId":9007199254740993,"lineId":"1","purchasedAt":1740823200}`,
      `{"a\\u0000b":1,"orderId":"o","lineId":"1","purchasedAt":1740823200}`,
      ...[but({ currency: 'xyz' }), but({ lineId: '2' })],
    ];
    const answer = await channel.post('orderLines', rows.join('\n'));
    assertReasons(answer)`${textBeside(import.meta.url, 'datasetRows.reasons.txt')}`;
    assert.deepEqual(counted(answer), [20, 2, 18, '2025-03-01', '2025-03-01']);
    assert.equal(channel.held('order_line', 'line_id').length, 2);
    assert.doesNotMatch(JSON.stringify(answer.body), /hidden/);
  });

  test('truncated, damaged and wrongly encoded documents are refused; bad bytes reject a line', async () => {
    const channel = new MemoryChannel(utc);
    const row = (date: string, more = '') => `{"date":"${date}","pageViews":1${more}}`;
    const good = `${row('2025-03-01')}\n${row('2025-03-02')}\n`;
    const packed = gzipSync(Buffer.from(good.repeat(2000)));
    const damaged = Buffer.from(packed);
    for (let place = 60; place < 80; place++) damaged[place]! ^= 0x5a;
    const take = (document: string | Buffer, charset?: string) =>
      channel.post('traffic', document, 'ndjson', '', charset);
    const tooEarly = /the gzip data ends too early: the document is cut off/;
    refused(await take(packed.subarray(0, packed.length - 20)), tooEarly);
    refused(await take(packed.subarray(0, 2)), /the gzip data ends too early/);
    refused(await take(damaged), /the gzip data is damaged/);
    const archive = Buffer.from(zipSync({ a: Buffer.from(good) }));
    refused(await take(archive.subarray(0, 60)), /the zip archive ends too early/);
    refused(await take(good, 'klingon'), /unknown encoding klingon/);
    const report = readFileSync(new URL('fixtures/salesAndTraffic.day.json', import.meta.url));
    assertRefused(await channel.import(report.subarray(0, 2000)))`
      …is not JSON: it is damaged or was cut off`;
    assert.deepEqual(channel.held('traffic_total', 'day'), []);

    const long = row('2025-03-03', `,"sku":"${'x'.repeat(3 * megabyte)}"`);
    const many = row('2025-03-04', `,"sku":"${'y'.repeat(megabyte)}"`);
    const answer = await take(
      `\ufeff${row('2025-03-01')}\n${long}\n${many}\n${row('2025-03-02')}\r\n\u0000\n${long}`,
    );
    const found = reasons(answer).map(([line, reason]) => [line, reason.slice(0, 42)]);
    assert.deepEqual(found, [
      [2, 'is longer than 1 MiB'],
      [3, 'sku must be text of at most 200 characters'],
      [5, 'is not JSON'],
      [6, 'is longer than 1 MiB'],
    ]);
    assert.equal(answer.body.rowsAccepted, 2);

    const latin = Buffer.from('sku,title\nA,caf\xe9\nB,tea\n', 'latin1');
    assertReasons(await channel.post('products', latin, 'csv', '', 'utf-8'))`
      2 is not UTF-8: name the encoding of the document by charset=windows-1252 in its content type
        or save it as UTF-8`;
    const named = await channel.post('products', latin, 'csv', '', 'windows-1252');
    assert.deepEqual(counted(named).slice(0, 3), [2, 2, 0]);
    assert.deepEqual(channel.held('product', 'sku, title'), listsOf('A, café\nB, tea'));
  });
});
