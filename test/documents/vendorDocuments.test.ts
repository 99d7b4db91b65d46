/**
 * Reports of sales, traffic and margins of vendors become days by product and of the whole vendor,
 * each of its own programme and view.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { byDate } from '../byDate.ts';
import { MemoryChannel } from '../documents.ts';
import { assertHeld, fixture, holds } from '../facts.ts';
import { onOnePair } from '../harness.ts';
import { assertReasons, assertRefused, refused, taken } from '../imports.ts';
import { deepTest } from '../level.ts';
import { StoredChannel, vendorSettings } from '../storedChannel.ts';
import { listsOf, tablesBeside } from '../table.ts';

const tables = tablesBeside(import.meta.url, 'vendorDocuments.tables.txt');

const dayOf = (date: string) => Date.parse(date) / 86_400_000;

const dated = (date: string) => ({ startDate: date, endDate: date });

const usd = (amount: number) => ({ amount, currencyCode: 'USD' });

/** A row of a Vendor Sales report; `ordered` and `shipped` are revenue and units. */
function sold(
  date: string,
  asin: string | undefined,
  ordered: [number, number] | undefined,
  shipped: [number, number],
  cogs: number,
): object {
  return {
    ...dated(date),
    ...(asin !== undefined && { asin }),
    customerReturns: 0,
    ...(ordered && { orderedRevenue: usd(ordered[0]), orderedUnits: ordered[1] }),
    shippedRevenue: usd(shipped[0]),
    shippedUnits: shipped[1],
    shippedCogs: usd(cogs),
  };
}

function specified(reportType: string, reportOptions: object) {
  const range = { dataStartTime: '2025-03-01', dataEndTime: '2025-03-02' };
  const marketplaceIds = ['ATVPDKIKX0DER'];
  return { reportSpecification: { reportType, reportOptions, ...range, marketplaceIds } };
}

function salesReport(
  sellingProgram: string,
  distributorView: string,
  salesAggregate: object[],
  salesByAsin: object[],
): string {
  const options = { reportPeriod: 'DAY', distributorView, sellingProgram };
  const report = specified('GET_VENDOR_SALES_REPORT', options);
  return JSON.stringify({ ...report, salesAggregate, salesByAsin });
}

function trafficReport(trafficAggregate: object[], trafficByAsin: object[]): string {
  const report = specified('GET_VENDOR_TRAFFIC_REPORT', { reportPeriod: 'DAY' });
  return JSON.stringify({ ...report, trafficAggregate, trafficByAsin });
}

const viewed = (date: string, asin: string | undefined, glanceViews: number) => ({
  ...dated(date),
  ...(asin !== undefined && { asin }),
  glanceViews,
});

const first = '2025-03-01';
const second = '2025-03-02';
const retail = [
  sold(first, 'B1', [100.25, 10], [80, 8], 40),
  sold(first, 'B2', [50, 5], [20, 2], 10),
  sold(second, 'B2', [7, 1], [7, 1], 3),
];
const retailTotals = [
  sold(first, undefined, [160.25, 16], [110, 11], 55),
  sold(second, undefined, [7, 1], [7, 1], 3),
];
const retailReport = salesReport('RETAIL', 'MANUFACTURING', retailTotals, retail);
const saleColumns =
  'day, report, asin, view, ordered_revenue, ordered_units, shipped_revenue, shipped_units, shipped_cogs, glance_views';

describe('Documents of vendors', () => {
  test('reports of margins have a row per product and day; a restated one replaces all of its days', async () => {
    const channel = new MemoryChannel(vendorSettings);
    const earned = (date: string, asin: string, netPureProductMargin: unknown) => ({
      ...dated(date),
      asin,
      netPureProductMargin,
    });
    const report = (byAsin: object[], more: object = {}) =>
      JSON.stringify({
        ...specified('GET_VENDOR_NET_PURE_PRODUCT_MARGIN_REPORT', { reportPeriod: 'DAY' }),
        // The margin of the whole vendor is not stored.
        netPureProductMarginAggregate: [earned(first, 'all', 0.9)],
        netPureProductMarginByAsin: byAsin,
        ...more,
      });
    const margins = () =>
      channel.held('vendor_margin', 'day, since, asin, net_pure_product_margin');
    const answer = await channel.import(
      report([
        earned(first, 'B1', 0.3125),
        earned(first, 'B2', -0.05),
        earned(second, 'B2', 0),
        earned(second, 'B3', null),
        earned(second, '', 0.2),
      ]),
    );
    assert.equal(answer.body.rowsAccepted, 3);
    assertReasons(answer)`
      4 netPureProductMargin is required
      5 netPureProductMarginByAsin: asin is required`;
    assert.deepEqual(margins(), [
      [dayOf(first), dayOf(first), 'B1', 312_500n],
      [dayOf(first), dayOf(first), 'B2', -50_000n],
      [dayOf(second), dayOf(second), 'B2', 0n],
    ]);
    taken(await channel.import(report([earned(first, 'B1', 0.4)])), 'vendorMarginReport', 1);
    assert.deepEqual(margins(), [[dayOf(first), dayOf(first), 'B1', 400_000n]]);
    assertRefused(await channel.import(report([], { netPureProductMarginByAsin: undefined })))`
      …the report has no netPureProductMarginByAsin`;
    const elsewhere = JSON.parse(report([earned(first, 'B1', 0.4)]));
    elsewhere.reportSpecification.marketplaceIds = ['A1F83G8C2ARO7P'];
    refused(await channel.import(JSON.stringify(elsewhere)), /A1F83G8C2ARO7P/);
  });

  test('bad rows are rejected with place and reason, documents of another view or marketplace refused', async () => {
    const channel = new MemoryChannel(vendorSettings);
    const good = sold(first, 'B1', [1, 1], [1, 1], 1);
    const rows = [
      sold('2025-02-30', undefined, [1, 1], [1, 1], 1),
      sold(first, '', [1, 1], [1, 1], 1),
      { ...good, shippedRevenue: { amount: 1, currencyCode: 'EUR' } },
      { ...good, orderedUnits: 1.5 },
      good,
      good,
    ];
    const answer = await channel.import(
      salesReport('RETAIL', 'MANUFACTURING', rows.slice(0, 1), rows.slice(1)),
    );
    assertReasons(answer)`
      1 salesAggregate: startDate and endDate must be dates (YYYY-MM-DD) in order
      2 salesByAsin: asin is required
      3 salesByAsin: its amounts are in several currencies
      4 orderedUnits must be a whole number (it is 1.5)
      6 repeats the key of line 5`;
    assertRefused(await channel.import(salesReport('PANTRY', 'SOURCING', [good], [])))`
      …sellingProgram is "PANTRY"; it must be one of RETAIL, BUSINESS, FRESH`;
    assertRefused(await channel.import(salesReport('RETAIL', 'BOTH', [good], [])))`
      …distributorView is "BOTH"; it must be one of MANUFACTURING, SOURCING`;
    const british = salesReport('RETAIL', 'SOURCING', [good], []).replace(
      'ATVPDKIKX0DER',
      'A1F83G8C2ARO7P',
    );
    const dollars = salesReport('RETAIL', 'SOURCING', [good], []);
    assertRefused(await new MemoryChannel().import(dollars))`
      a vendorSalesReport document belongs to a vendor, the channel to a seller`;
    assertRefused(await new MemoryChannel({ ...vendorSettings, currency: 'CAD' }).import(dollars))`
      the document belongs to a store in USD, the channel to one in CAD`;
    assertRefused(await channel.import(british))`
      …belongs to marketplace Amazon.co.uk (A1F83G8C2ARO7P), the channel to marketplace Amazon.com`;
    refused(await channel.import(salesReport('RETAIL', 'SOURCING', [], [])), /has no rows/);
    assertRefused(await channel.import(JSON.stringify(specified('GET_VENDOR_TRAFFIC_REPORT', {}))))`
      …neither trafficAggregate nor trafficByAsin`;
    assertRefused(await channel.import(trafficReport([], []), '&type=vendorSalesReport'))`
      …is not a GET_VENDOR_SALES_REPORT`;
  });

  test('rows of the dataset name view and programme too', async () => {
    const channel = new MemoryChannel(vendorSettings);
    await channel.importRows('vendorSales', [
      { date: first, asin: 'B1', view: 'MANUFACTURING', orderedUnits: 2 },
      { date: first, view: 'SOURCING', sellingProgram: 'FRESH', shippedUnits: 3 },
      { date: first, asin: 'B1', view: 'TRAFFIC', glanceViews: 4 },
    ]);
    assert.deepEqual(channel.held('vendor_sale', 'report, ordered_units, glance_views'), [
      ['/MANUFACTURING', 2, 0],
      ['/TRAFFIC', 0, 4],
    ]);
    assert.deepEqual(channel.held('vendor_total', 'report, shipped_units'), [
      ['FRESH/SOURCING', 3],
    ]);
  });
});

onOnePair('Documents of vendors in the stores', (world) => {
  test('a document replaces its own programme and view only, on all days that it names, and the same again changes nothing', async () => {
    const channel = await StoredChannel.open(world(), vendorSettings);
    const rows = [5, 6].map((shipped, at) =>
      sold([first, second][at]!, 'B1', undefined, [shipped, 1], 2),
    );
    const business = salesReport('BUSINESS', 'SOURCING', [], rows);
    taken(await channel.import(business), 'vendorSalesReport', 2);
    const traffic = trafficReport([], [viewed(second, 'B2', 12)]);
    taken(await channel.import(traffic), 'vendorTrafficReport', 1);
    for (let time = 0; time < 2; time++) {
      taken(await channel.import(retailReport), 'vendorSalesReport', 5);
      const all = byDate(await channel.held('vendor_sale', 'day, report, asin'));
      const expected = listsOf(tables.reports!);
      assert.deepEqual(all, expected);
      assert.equal((await channel.held('vendor_total', 'day')).length, 2);
    }
    // B2 is gone from both days, from the second with the last row of its list.
    const restated = salesReport('RETAIL', 'MANUFACTURING', retailTotals, [
      sold(first, 'B1', [90, 9], [80, 8], 40),
    ]);
    taken(await channel.import(restated), 'vendorSalesReport', 3);
    await holds(channel, 'vendor_sale', tables.restated!);
  });
});

onOnePair('Reports of vendors in the stores', (world) => {
  test('reports of sales and traffic add up to days of a vendor: ordered of the manufacturing view, shipped of both', async () => {
    const channel = await StoredChannel.open(world(), vendorSettings);
    taken(await channel.import(gzipSync(retailReport)), 'vendorSalesReport', 5);
    // Order figures in a document of the sourcing view do not belong to that view.
    const sourcing = [sold(first, undefined, [999, 99], [60, 6], 30)];
    const ofSourcing = salesReport('RETAIL', 'SOURCING', sourcing, []);
    taken(await channel.import(ofSourcing), 'vendorSalesReport', 1);
    await holds(channel, 'vendor_total', tables.totals!);
    const fresh = [sold(first, 'B1', [4.5, 3], [1.5, 1], 0.75)];
    const ofFresh = salesReport('FRESH', 'MANUFACTURING', [], fresh);
    taken(await channel.import(ofFresh), 'vendorSalesReport', 1);
    const traffic = trafficReport(
      [viewed(first, undefined, 900), viewed(second, undefined, 40)],
      [viewed(first, 'B1', 300)],
    );
    const answer = await channel.import(traffic);
    taken(answer, 'vendorTrafficReport', 3);
    assert.deepEqual([answer.body.from, answer.body.to], [first, second]);
    await assertHeld(channel, 'vendor_sale')`
      ${saleColumns}
      2025-03-01, /TRAFFIC,             B1, TRAFFIC,       0,      0,  0,   0, 0,    300
      2025-03-01, FRESH/MANUFACTURING,  B1, MANUFACTURING, 4.5,    3,  1.5, 1, 0.75, 0
      2025-03-01, RETAIL/MANUFACTURING, B1, MANUFACTURING, 100.25, 10, 80,  8, 40,   0
      2025-03-01, RETAIL/MANUFACTURING, B2, MANUFACTURING, 50,     5,  20,  2, 10,   0
      2025-03-02, RETAIL/MANUFACTURING, B2, MANUFACTURING, 7,      1,  7,   1, 3,    0`;
    const dayColumns =
      'day, currency, glance_views, ordered_revenue, ordered_units, shipped_revenue, shipped_units, shipped_cogs, shipped_revenue_manufacturing, shipped_units_manufacturing, shipped_cogs_manufacturing';
    // 160.25 of retail's whole + 4.5 of fresh's product; 110 + 1.5, 11 + 1, 55 + 0.75
    assert.deepEqual(
      byDate(await channel.held('vendor_day', dayColumns)),
      listsOf(`
          2025-03-01, USD, 900, 164750000n, 19, 60000000n, 6, 30000000n, 111500000n, 12, 55750000n
          2025-03-02, USD, 40,  7000000n,   1,  0n,        0, 0n,        7000000n,   1,  3000000n`),
    );
  });

  test('the official examples cover weeks: refused with the reason, or posted on the last day of each', async () => {
    const channel = await StoredChannel.open(world(), vendorSettings);
    const held0 = await channel.importRows('vendorSales', [
      { date: '2021-06-08', asin: 'B9', view: 'SOURCING', shippedUnits: 4 },
    ]);
    assert.equal(held0.body.rowsAccepted, 1);
    const weekly = await channel.import(fixture('vendor.sales.manufacturing.json'));
    refused(weekly, /coarse=lastDay \(.*, such as 2021-06-06 to 2021-06-12,/);
    assert.deepEqual(await channel.held('vendor_sale', 'asin, shipped_units'), [['B9', 4]]);
    for (const [name, kind, rows] of [
      ['sales.manufacturing', 'vendorSalesReport', 6],
      ['sales.sourcing', 'vendorSalesReport', 3],
      ['traffic', 'vendorTrafficReport', 4],
      ['margin', 'vendorMarginReport', 4],
    ] as const) {
      const answer = await channel.import(fixture(`vendor.${name}.json`), '&coarse=lastDay');
      taken(answer, kind, rows);
      assert.equal(answer.body.rowsCoarse, rows);
    }
    await holds(channel, 'vendor_total', tables.weeks!);
  });

  deepTest(
    'a week of the whole vendor and days of its products refuse one another, whichever comes first',
    async () => {
      const report = JSON.stringify({
        ...JSON.parse(fixture('vendor.traffic.json')),
        trafficAggregate: [{ startDate: '2021-06-06', endDate: '2021-06-12', glanceViews: 100 }],
        trafficByAsin: undefined,
      });
      const days = (view: string) =>
        JSON.stringify({ date: '2021-06-08', asin: 'B1', view, glanceViews: 3 });
      const put = (channel: StoredChannel, query = '') =>
        channel.import(report, `&coarse=lastDay${query}`);
      const putDays = (channel: StoredChannel, view: string, query = '') =>
        channel.post('vendorSales', days(view), undefined, query);
      const views = (channel: StoredChannel) => channel.held('vendor_day', 'day, glance_views');

      const totalFirst = await StoredChannel.open(world(), vendorSettings);
      taken(await put(totalFirst), 'vendorTrafficReport', 1);
      assertRefused(await putDays(totalFirst, 'TRAFFIC'))`
        …the facts of several days of vendorTrafficReport (import #, 2021-06-06 to 2021-06-19) on
        2021-06-06 to 2021-06-12,`;
      assert.deepEqual(await views(totalFirst), [[dayOf('2021-06-12'), 100]]);
      // Another view is another kind of figure.
      taken(await putDays(totalFirst, 'SOURCING'), 'vendorSales', 1);
      taken(await putDays(totalFirst, 'TRAFFIC', '&replace=true'), 'vendorSales', 1);
      assert.deepEqual(await views(totalFirst), [[dayOf('2021-06-08'), 3]]);

      const daysFirst = await StoredChannel.open(world(), vendorSettings);
      taken(await putDays(daysFirst, 'TRAFFIC'), 'vendorSales', 1);
      assertRefused(await put(daysFirst))`
        …the facts of single days of vendorSales (import #, …) on 2021-06-08,`;
      taken(await put(daysFirst, '&replace=true'), 'vendorTrafficReport', 1);
      assert.deepEqual(await views(daysFirst), [[dayOf('2021-06-12'), 100]]);
    },
  );

  test('the Data Kiosk reports a vendor by day: rows of one ASIN are added up; the view is required', async () => {
    const channel = await StoredChannel.open(world(), vendorSettings);
    const shipped = (amount: number, units: number, cogs: number) => ({
      shippedOrders: { shippedUnitsWithRevenue: { units, value: usd(amount) } },
      costs: { shippedCogs: usd(cogs), netPPM: null },
    });
    const whole = (ordered: number, units: number, glanceViews: number) => ({
      orders: { orderedUnitsWithRevenue: { units, value: usd(ordered) } },
      traffic: { glanceViews },
      ...shipped(10, 1, 5),
    });
    const of = (startDate: string, totals: object, metrics: object[] | null) =>
      JSON.stringify({ ...dated(startDate), marketplaceId: 'ATVPDKIKX0DER', totals, metrics });
    const product = (asin: string, vendorCode: string, metrics: object) => ({
      groupByKey: { asin, vendorCode },
      metrics,
    });
    const manufacturing = [
      of(first, whole(30, 3, 70), [
        product('B1', 'X', whole(10.5, 1, 20)),
        product('B1', 'Y', whole(9.5, 1, 10)),
        product('B2', 'X', whole(10, 1, 40)),
      ]),
      of(second, whole(2, 1, 5), null),
    ].join('\n');
    taken(await channel.import(manufacturing), 'vendorKioskManufacturing', 5);
    const sourcing = of(first, shipped(8, 2, 4), []);
    assertRefused(await channel.import(sourcing))`
      …matches several kinds: pass type=vendorKioskManufacturing or type=vendorKioskSourcing`;
    taken(await channel.import(sourcing, '&type=vendorKioskSourcing'), 'vendorKioskSourcing', 1);
    assertRefused(await channel.import(manufacturing, '&type=vendorKioskSourcing'))`
      …has figures of the manufacturing view`;
    await assertHeld(channel, 'vendor_sale')`
      ${saleColumns}
      2025-03-01, /MANUFACTURING, B1, MANUFACTURING, 20, 2, 20, 2, 10, 30
      2025-03-01, /MANUFACTURING, B2, MANUFACTURING, 10, 1, 10, 1, 5,  40`;
    assert.deepEqual(
      await channel.held(
        'vendor_day',
        'day, glance_views, ordered_revenue, shipped_revenue, shipped_cogs',
      ),
      [
        [dayOf(first), 70, 30_000_000n, 8_000_000n, 4_000_000n],
        [dayOf(second), 5, 2_000_000n, 0n, 0n],
      ],
    );
    const bad = JSON.stringify({
      ...dated(first),
      marketplaceId: 'A1F83G8C2ARO7P',
      totals: whole(1, 1, 1),
    });
    const brands = JSON.stringify({
      ...dated(first),
      totals: whole(1, 1, 1),
      metrics: [{ groupByKey: { brand: 'Acme' }, metrics: whole(1, 1, 1) }],
    });
    assertReasons(await channel.import(`${bad}\n${brands}`))`
      2 metrics must be grouped by asin`;
  });
});
