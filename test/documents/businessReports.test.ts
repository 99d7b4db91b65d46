/**
 * Business reports by product and by date are read in the words and numbers of their country; a
 * report of several days counts on the last one, and its titles name products without any.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { byDate } from '../byDate.ts';
import { MemoryChannel } from '../documents.ts';
import { assertHeld } from '../facts.ts';
import { onOnePair } from '../harness.ts';
import { assertReasons, assertRefused, refused, taken } from '../imports.ts';
import { StoredChannel } from '../storedChannel.ts';
import { barsOf } from '../table.ts';

const german = {
  countryCode: 'DE',
  currency: 'EUR',
  timezone: 'Europe/Berlin',
  merchantId: 'A1X @ A1PA6795UKMFR9',
};
const british = {
  countryCode: 'GB',
  currency: 'GBP',
  timezone: 'Europe/London',
  merchantId: 'A1X @ A1F83G8C2ARO7P',
};
const on = '&from=2025-03-10&to=2025-03-10';

/** The cells of a row, which bars separate. */
const cells = (text: string) => text.trim().split(/\s*\|\s*/);
const productTitles = cells(`
  (Parent) ASIN | (Child) ASIN | Title | SKU | Sessions – Mobile app |
  Sessions – Mobile APP – B2B | Sessions – Browser | Sessions – Total | Sessions – Total – B2B |
  Page views – Total | Page views – Total – B2B | Featured Offer (Buy Box) percentage |
  Featured Offer (Buy Box) percentage – B2B | Units ordered | Units ordered – B2B |
  Unit Session Percentage | Ordered Product Sales | Ordered Product Sales – B2B |
  Total order items | Total order items – B2B`);
const productCells = cells(`
  P1 | C1 | Pan, 28 cm | S1 | 600 | 6 | 700 | 1,300 | 9 | 2,468 | 8 | 97.35% | 1.00% | 1,021 |
  3 | 78.54% | £38,793.82 | £9.99 | 1,001 | 2`);
const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
const comma = (rows: readonly (readonly string[])[]) =>
  `\ufeff${rows.map((cells) => cells.map(quoted).join(',')).join('\r\n')}`;
const without = (title: string, rows: readonly (readonly string[])[]) =>
  rows.map((cells) => cells.filter((_, at) => productTitles[at] !== title));
const trafficColumns =
  'day, sku, product_id, parent_product_id, page_views, sessions, mobile_sessions, buy_box_weighted, buy_box_views, revenue, units, order_items, currency';
const totalColumns = 'day, page_views, sessions, buy_box_views, revenue, units, order_items';

describe('Business reports', () => {
  test('older titles and other countries count; rows without a product or with other words for numbers are refused', async () => {
    const channel = new MemoryChannel(german);
    const titles = cells(
      '(Parent) ASIN | (Child) ASIN | Title | Sessions | Page Views | Buy Box Percentage | Units Ordered | Ordered Product Sales',
    );
    const rows = [
      titles,
      ['P1', 'C1', 'Pfanne', '1.300', '2.468', '97,35 %', '12', '38.793,82 €'],
      ['P1', 'C2', 'Pfanne', '1', '2', '', '0', '0,00 €'],
      ['', '', 'Pfanne', '1', '2', '', '0', '0,00 €'],
      ['P1', 'C3', 'Pfanne', 'many', '2', '', '0', '0,00 €'],
      ['P1', 'C4', 'Pfanne', '1', '2', '101 %', '0', '0,00 €'],
    ];
    const answer = await channel.import(comma(rows), on);
    assertReasons(answer)`
      4 names no product
      5 Sessions must be a whole number (it is "many")
      6 buyBoxPercentage must be a percentage from 0 to 100 (it is "101")`;
    await assertHeld(channel, 'traffic')`
      ${trafficColumns}
      2025-03-10, , C1, P1, 2468, 1300, 0, 240259.8, 2468, 38793.82, 12, 0, EUR
      2025-03-10, , C2, P1, 2,    1,    0, 0,        0,    0,        0,  0, EUR`;
  });

  test('by date: the store as a whole, in the order of the dates that makes them days in succession', async () => {
    const titles = cells(
      'Date | Ordered Product Sales | Ordered Product Sales – B2B | Units ordered | Total order items | Page views – Total | Sessions – Total',
    );
    const row = (date: string, sales: string) => [date, sales, '£1.00', '5', '4', '30', '20'];
    for (const [first = '', second = ''] of barsOf(`
      03/08/25, 04/08/25 | 2025-08-03, 2025-08-04
      8/3/2025, 8/4/2025 | 2025-08-03, 2025-08-04
      30/03/2025, 31/03/2025, 01/04/2025 | 2025-03-30, 2025-03-31, 2025-04-01
      5 Aug 2025 | 2025-08-05`)) {
      const [dates, days] = [first.split(', '), second.split(', ')];
      const channel = new MemoryChannel(british);
      const document = comma([titles, ...dates.map((date, at) => row(date, `£1,00${at}.50`))]);
      taken(await channel.import(document), 'businessReport', dates.length);
      assert.deepEqual(
        byDate(channel.held('traffic_total', totalColumns)),
        days.map((day, at) => [day, 30, 20, 0, BigInt(1_000_500_000 + at * 1_000_000), 5, 4]),
      );
      assert.deepEqual(channel.held('traffic', 'day'), []);
    }
  });

  test('by date: dates of two readings follow the country unless from and to decide; dates of weeks are refused', async () => {
    const channel = new MemoryChannel(british);
    const of = (...dates: string[]) =>
      comma([
        ['Date', 'Ordered Product Sales', 'Units ordered', 'Sessions – Total', 'Page views'],
        ...dates.map((date) => [date, '£1', '1', '2', '3']),
      ]);
    const unknown = new MemoryChannel({ merchantId: 'A1X', currency: 'GBP' });
    assertRefused(await unknown.import(of('05/08/2025')))`
      the document leaves two readings: its dates, such as 2025-05-08 or 2025-08-05, are the first
        with dates=monthFirst and the second with dates=dayFirst`;
    const range = '&from=2025-05-01&to=2025-05-31';
    for (const [one, query, date] of [
      [channel, '', '2025-08-05'],
      [channel, range, '2025-05-08'],
      [new MemoryChannel({ currency: 'GBP' }), '', '2025-05-08'],
      [unknown, '&dates=dayFirst', '2025-08-05'],
    ] as const) {
      taken(await one.import(of('05/08/2025'), query), 'businessReport', 1);
      assert.ok(
        byDate(one.held('traffic_total', 'day')).some(([day]) => day === date),
        date,
      );
    }
    assertRefused(await new MemoryChannel({ currency: 'USD' }).import(of('05/08/2025')))`
      the document belongs to a store in GBP, the channel to one in USD: import it`;
    assertRefused(await channel.import(of('01/01/2026')))`
      the report has one row, on the first date of a month: download it by day; if it is of the
        month, pass coarse=lastDay to count it on the last date; if it is of that date, pass
        from=2026-01-01&to=2026-01-01`;
    for (const [query, since, day] of [
      ['&coarse=lastDay', '2026-01-01', '2026-01-31'],
      ['&from=2026-01-01&to=2026-01-01', '2026-01-01', '2026-01-01'],
    ]) {
      const one = new MemoryChannel(british);
      taken(await one.import(of('01/01/2026'), query), 'businessReport', 1);
      for (const [column, date] of [
        ['since', since],
        ['day', day],
      ])
        assert.deepEqual(byDate(one.held('traffic_total', column!)), [[date]]);
    }
    const narrowed = of('05/08/2025').replace('Units ordered"', 'Customer type","Units ordered"');
    assertRefused(await channel.import(narrowed.replace('"1",', '"Business","1",')))`
      the column Customer type narrows the document to a part of the store, which must not`;
    assertRefused(await new MemoryChannel({ ...british, kind: 'vendor' }).import(of('05/08/2025')))`
      a businessReport document belongs to a seller, the channel to a vendor: import it into a`;
    assertReasons(await channel.import(of('soon')))`
      2 Date must be a date (it is "soon")`;
    assertRefused(await channel.import(of('2025-03-02', '2025-03-09', '2025-03-16')))`
      …by week or month: download it by day`;
    assertRefused(
      await channel.import(
        comma([
          ['Date', 'Units ordered', 'Sessions – Total'],
          ['2025-03-02', '1', '2'],
        ]),
      ),
    )`
      …the header lacks page views - total, ordered product sales: download the document with all of
      its columns`;
  });
});

onOnePair('Business reports in the stores', (world) => {
  test('by SKU, by child and by parent, on the day of from and to; the business columns are not added', async () => {
    const channel = await StoredChannel.open(world(), british);
    const rows = [productTitles, productCells];
    taken(await channel.import(comma(rows), on), 'businessReport', 1);
    // 97.35 x 2468 = 240,259.8
    const figures = [2468, 1300, 600, 240_259_800_000n, 2468, 38_793_820_000n, 1021, 1001, 'GBP'];
    assert.deepEqual(byDate(await channel.held('traffic', trafficColumns)), [
      ['2025-03-10', 'S1', 'C1', 'P1', ...figures],
    ]);
    // Its title is that of the product, unless the catalogue has one.
    const products = () => channel.held('product', 'sku, product_id, title, brand');
    const titleOf = (row: readonly string[]) => row[productTitles.indexOf('Title')]!;
    assert.deepEqual(await products(), [['S1', 'C1', titleOf(productCells), '']]);
    const catalogued = { sku: 'S1', productId: 'C1', brand: 'Own' };
    await channel.importRows('products', [catalogued]);
    await channel.import(comma(rows), on);
    assert.deepEqual(await products(), [['S1', 'C1', titleOf(productCells), 'Own']]);
    await channel.importRows('products', [{ ...catalogued, title: 'My own title' }]);
    await channel.import(comma(rows), on);
    assert.deepEqual(await products(), [['S1', 'C1', 'My own title', 'Own']]);
    const children = without('SKU', rows);
    assertRefused(await channel.import(comma(children), on))`
      the document has figures by child product, but the facts of 2025-03-10 are by SKU (import #),
        and it would replace them: import a report by SKU, or pass replace=true to remove those
        facts`;
    const replacing = `${on}&replace=true`;
    taken(await channel.import(comma(children), replacing), 'businessReport', 1);
    assert.deepEqual(byDate(await channel.held('traffic', trafficColumns)), [
      ['2025-03-10', '', 'C1', 'P1', ...figures],
    ]);
    // Without SKUs, the title is that of the child's products that have none.
    await channel.importRows('products', [
      { sku: 'S2', productId: 'C1' },
      { sku: 'S3', productId: 'C2' },
    ]);
    await channel.importRows('orderLines', [
      { orderId: '1', lineId: '1', purchasedAt: 1, sku: 'S4', productId: 'C1', quantity: 1 },
      { orderId: '1', lineId: '2', purchasedAt: 1, sku: 'S3', productId: 'C1', quantity: 1 },
    ]);
    await channel.import(comma(children), on);
    assert.deepEqual(await products(), [
      ['S1', 'C1', 'My own title', 'Own'],
      ['S2', 'C1', titleOf(productCells), ''],
      ['S3', 'C2', '', ''],
      ['S4', 'C1', titleOf(productCells), ''],
    ]);
    const parents = children.map((cells) => cells.toSpliced(1, 1));
    taken(await channel.import(comma(parents), replacing), 'businessReport', 1);
    assert.deepEqual(byDate(await channel.held('traffic', trafficColumns)), [
      ['2025-03-10', '', 'P1', 'P1', ...figures],
    ]);
  });

  test('a report by product needs dates; several days are rejected by row or posted on the last', async () => {
    const channel = await StoredChannel.open(world(), british);
    const document = comma([productTitles, productCells]);
    refused(await channel.import(document), /^the document needs from=YYYY-MM-DD&to=YYYY-MM-DD/);
    assertRefused(await channel.import(document, '&from=2025-03-01&to=2025-03-31'))`
      …coarse=lastDay (…, such as 2025-03-01 to 2025-03-31,`;
    await channel.importRows('traffic', [{ date: '2025-03-04', sku: 'S8', pageViews: 5 }]);
    const answer = await channel.import(
      document,
      '&from=2025-03-01&to=2025-03-31&coarse=lastDay&replace=true',
    );
    taken(answer, 'businessReport', 1);
    assert.equal(answer.body.rowsCoarse, 1);
    assert.deepEqual(byDate(await channel.held('traffic', 'day, sku, page_views')), [
      ['2025-03-31', 'S1', 2468],
    ]);
  });
});
