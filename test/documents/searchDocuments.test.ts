/**
 * Search Query Performance, as a report or as the console's table, becomes facts by month, product
 * and query; reports that do not add up to months are refused.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { byDate } from '../byDate.ts';
import { MemoryChannel } from '../documents.ts';
import { fixture } from '../facts.ts';
import { onOnePair } from '../harness.ts';
import { assertReasons, assertRefused, refused, taken } from '../imports.ts';
import { spreadsheet } from '../spreadsheet.ts';
import { StoredChannel, vendorSettings } from '../storedChannel.ts';
import { listsOf } from '../table.ts';

const usd = (amount: number) => ({ amount, currencyCode: 'USD' });

/** A row of the report of March 2025; `counts` are the total and the own count of each step. */
function searched(
  asin: string,
  searchQuery: string,
  counts: string,
  medians: Record<string, object | undefined> = {},
): object {
  /** The counts of a step, whose total has another name in one of them. */
  const steps = ['Impression', 'Click', 'CartAdd', 'Purchase'].map((name, place) => {
    const [total, own] = listsOf(counts.replaceAll('; ', '\n'))[place]!;
    const ofAll = name === 'Impression' ? 'totalQueryImpressionCount' : `total${name}Count`;
    return { [ofAll]: total, [`asin${name}Count`]: own, [`asin${name}Share`]: 0.99 };
  });
  const [impressionData, clickData, cartAddData, purchaseData] = steps;
  const { all: totalMedianPurchasePrice, own: asinMedianPurchasePrice } = medians;
  return {
    startDate: '2025-03-01',
    endDate: '2025-03-31',
    asin,
    searchQueryData: { searchQuery, searchQueryScore: 1, searchQueryVolume: 1000 },
    impressionData,
    clickData: { ...clickData, asinMedianClickPrice: medians.click },
    cartAddData,
    purchaseData: { ...purchaseData, totalMedianPurchasePrice, asinMedianPurchasePrice },
  };
}

function searchReport(asin: string, dataByAsin: object[], reportPeriod = 'MONTH'): string {
  return JSON.stringify({
    reportSpecification: {
      reportType: 'GET_BRAND_ANALYTICS_SEARCH_QUERY_PERFORMANCE_REPORT',
      reportOptions: { reportPeriod, asin },
      dataStartTime: '2025-03-01',
      dataEndTime: '2025-03-31',
      marketplaceIds: ['ATVPDKIKX0DER'],
    },
    dataByAsin,
  });
}

const searchColumns =
  'day, asin, search_query, search_query_volume, total_impressions, impressions, total_clicks, clicks, total_cart_adds, cart_adds, total_purchases, purchases';
const medianColumns =
  'search_query, total_median_purchase_price, median_purchase_price, median_click_price, currency';
describe('Documents about search queries', () => {
  test('reports of weeks and quarters are refused with a reason, rows without a month with their place', async () => {
    const channel = new MemoryChannel(vendorSettings);
    assertRefused(await channel.import(fixture('searchQuery.week.json'), '&coarse=lastDay'))`
      …is by week, but search queries are kept by month, and weeks and quarters do not add up to
      months`;
    const row = searched('B1', 'lamp', '1, 1; 1, 1; 1, 1; 1, 1', { own: usd(2) });
    assertRefused(await channel.import(searchReport('B1', [row], 'QUARTER')))`
      …is by quarter, … and weeks and quarters do not add up to months`;
    const answer = await channel.import(
      searchReport('B1', [
        { ...row, endDate: '2025-03-30' },
        { ...row, startDate: '2025-02-01' },
        { ...row, asin: undefined },
        {
          ...row,
          purchaseData: { asinMedianPurchasePrice: { amount: 1, currencyCode: 'EUR' } },
          clickData: { asinMedianClickPrice: usd(1) },
        },
        row,
      ]),
    );
    const noMonth =
      'startDate and endDate must be the first and the last date (YYYY-MM-DD) of one month';
    assertReasons(answer)`
      1 ${noMonth}
      2 ${noMonth}
      3 asin is required
      4 its prices are in several currencies`;
    assert.equal(answer.body.rowsAccepted, 1);
  });

  test("the console's table has its product and month above its header", async () => {
    const channel = new MemoryChannel(vendorSettings);
    const table = fixture('searchQuery.console.csv');
    const expected = listsOf(`
    2025-03-01, B0LAMP0001, desk lamp, 12500, 201840, 3020, 5210, 210, 900, 44, 310, 12
    2025-03-01, B0LAMP0001, "lamp, green ""banker""", 800, 9000, 77, 150, 6, 20, 1, 4, 0`);
    const [line, header, ...rows] = table.trimEnd().split('\n') as [string, string, ...string[]];
    const quoted = `"ASIN or Product=[""B0LAMP0001""]","Reporting Range=[""Monthly""]","Select month=[""March | 2025-03-01 - 2025-03-31 2025""]",,,`;
    const semicolons = [
      line,
      header.replaceAll('","', '";"'),
      ...rows.map((row) => row.replaceAll('","', '";"')),
    ];
    const sheet = spreadsheet([
      [
        line.split(','),
        ...[header, ...rows.slice(0, 1)].map((row) => row.slice(1, -1).split('","')),
      ],
    ]);
    const named = [
      line.replace('ASIN or Product', 'ASIN'),
      '',
      header,
      ...rows.map((row) => row.replace('"2025-03-31"', '""')),
    ];
    for (const document of [
      `\ufeff${table.replaceAll('\n', '\r\n')}`,
      [quoted, header, ...rows].join('\n'),
      semicolons.join('\n'),
      named.join('\n'),
    ]) {
      taken(await channel.import(document), 'searchQueryTable', 2);
      assert.deepEqual(byDate(channel.held('search_query', searchColumns)), expected);
    }
    assert.deepEqual(channel.held('search_query', medianColumns), [
      ['desk lamp', 23_500_000n, 28_500_000n, 29_900_000n, 'USD'],
      ['lamp, green "banker"', 30_000_000n, 0n, 29_900_000n, 'USD'],
    ]);
    const other = searched('B2', 'lamp', '5, 4; 3, 2; 2, 1; 1, 1');
    taken(await channel.import(searchReport('B2', [other])), 'searchQueryReport', 1);
    taken(await channel.import(sheet), 'searchQueryTable', 1);
    assert.deepEqual(channel.held('search_query', 'asin, search_query'), [
      ['B0LAMP0001', 'desk lamp'],
      ['B2', 'lamp'],
    ]);
    // Programs that store such tables put the ASIN into a column instead.
    const withColumn = [
      'Reporting Range=["Monthly"],Select year=["2025"],Select month=["March"]',
      `"ASIN",${header}`,
      `"B0LAMP0003",${rows[0]}`,
      `"B2",${rows[0]}`,
    ];
    taken(await channel.import(withColumn.join('\n')), 'searchQueryTable', 2);
    assert.deepEqual(channel.held('search_query', 'asin, search_query'), [
      ['B0LAMP0001', 'desk lamp'],
      ['B0LAMP0003', 'desk lamp'],
      ['B2', 'desk lamp'],
    ]);
  });

  test("the console's tables of weeks, of brands, of several products and without their first line are refused in words", async () => {
    const channel = new MemoryChannel(vendorSettings);
    const ask = (document: string) => channel.import(document);
    const table = fixture('searchQuery.console.csv');
    const [line, header, row] = table.split('\n') as [string, string, string];
    const week =
      'ASIN or Product=["B0LAMP0001"],Reporting Range=["Weekly"],Select week=["Week 5 | 2026-01-25 - 2026-01-31 2026"]';
    assertRefused(await ask(table.replace(line, week)))`
      …is by week, but search queries are kept by month`;
    refused(await ask(table.replace('"Monthly"', '"Quarterly"')), /is by quarter/);
    assertRefused(await ask(table.slice(line.length + 1)))`
      …the line above the header, … is missing: import the table as it was downloaded`;
    assertRefused(
      await ask(
        table
          .replace('ASIN or Product=["B0LAMP0001"]', 'Brand=["Acme"]')
          .replaceAll('ASIN Count', 'Brand Count'),
      ),
    )`
      …is the brand view: download the ASIN view`;
    assertRefused(await ask(table.replace('["B0LAMP0001"]', '["B0LAMP0001","B0LAMP0002"]')))`
      …adds up 2 ASINs: download each by itself`;
    const bad = [
      row.replace('2025-03-31', '2025-03-30'),
      row.replace('2025-03-31', '2025-04-30'),
      row.replace('"12,500"', '"many"'),
      row.replace('"28.50"', '"28.50 or so"'),
      row.replace('"desk lamp"', '""'),
      row,
      row,
    ];
    assertReasons(await ask([line, header, ...bad].join('\n')))`
      3 Reporting Date must be the last date of a month (it is "2025-03-30")
      4 belongs to 2025-04, but the line above the header to 2025-03
      5 Search Query Volume must be a whole number (it is "many")
      6 Purchases: ASIN Price (Median) must be an amount (it is "28.50 or so")
      7 searchQuery is required
      9 repeats the key of line 8`;
  });
});

onOnePair('Documents about search queries in the stores', (world) => {
  test('a monthly report becomes facts by query and product, without shares or missing prices', async () => {
    const channel = await StoredChannel.open(world(), vendorSettings);
    const lamp = searched('B1', 'lamp', '5000, 400; 300, 30; 60, 9; 40, 6', {
      all: usd(20),
      own: usd(25.5),
      click: usd(26),
    });
    const shade = searched('B1', 'shade', '900, 10; 50, 2; 9, 1; 8, 1', { all: usd(12.25) });
    const other = searched('B2', 'lamp', '5000, 7; 300, 1; 60, 0; 40, 0', { all: usd(20) });
    taken(await channel.import(searchReport('B1', [lamp, shade])), 'searchQueryReport', 2);
    taken(await channel.import(searchReport('B2 B3', [other])), 'searchQueryReport', 1);
    assert.deepEqual(byDate(await channel.held('search_query', searchColumns)), [
      ['2025-03-01', 'B1', 'lamp', 1000, 5000, 400, 300, 30, 60, 9, 40, 6],
      ['2025-03-01', 'B1', 'shade', 1000, 900, 10, 50, 2, 9, 1, 8, 1],
      ['2025-03-01', 'B2', 'lamp', 1000, 5000, 7, 300, 1, 60, 0, 40, 0],
    ]);
    assert.deepEqual(await channel.held('search_query', medianColumns), [
      ['lamp', 20_000_000n, 0n, 0n, 'USD'],
      ['lamp', 20_000_000n, 25_500_000n, 26_000_000n, 'USD'],
      ['shade', 12_250_000n, 0n, 0n, 'USD'],
    ]);
    // 6 x 25.5 + 1 x 12.25, of the market 40 x 20 + 8 x 12.25
    const months = await channel.held(
      'search_month',
      'asin, search_query_volume, clicks, purchases, revenue, total_revenue',
    );
    assert.deepEqual(months, [
      ['B1', 2000, 32, 7, 165_250_000n, 898_000_000n],
      ['B2', 1000, 1, 0, 0n, 800_000_000n],
    ]);
    // A restated report removes its missing rows for the requested products, also for a product
    // without any row.
    taken(await channel.import(searchReport('B1 B2', [lamp])), 'searchQueryReport', 1);
    assert.deepEqual(await channel.held('search_query', 'asin, search_query'), [['B1', 'lamp']]);
    taken(await channel.import(searchReport('B2', [other])), 'searchQueryReport', 1);
    taken(await channel.import(searchReport('B2', [other])), 'searchQueryReport', 1);
    assert.deepEqual(await channel.held('search_query', 'asin, search_query'), [
      ['B1', 'lamp'],
      ['B2', 'lamp'],
    ]);
    const table = fixture('searchQuery.console.csv');
    taken(await channel.import(table), 'searchQueryTable', 2);
    assert.equal((await channel.held('search_query', 'asin')).length, 4);
  });
});
