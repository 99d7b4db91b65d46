import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { onEachPair, onOnePair, type Tenant, testOnOnePair, type World } from './harness.ts';
import {
  held,
  importDocument,
  importRows,
  postImport,
  reasons,
  refused,
  taken,
} from './imports.ts';
import { type SerialDate, spreadsheet } from './spreadsheet.ts';

const fixture = (name: string) =>
  readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8');
const dayOf = (date: string) => Date.parse(date) / 86_400_000;

const newVendor = (world: World): Promise<Tenant> =>
  world.tenant({
    channel: {
      kind: 'vendor',
      timezone: 'UTC',
      currency: 'USD',
      merchantId: 'V7ABC @ ATVPDKIKX0DER',
    },
  });

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
    startDate: date,
    endDate: date,
    ...(asin !== undefined && { asin }),
    customerReturns: 0,
    ...(ordered && { orderedRevenue: usd(ordered[0]), orderedUnits: ordered[1] }),
    shippedRevenue: usd(shipped[0]),
    shippedUnits: shipped[1],
    shippedCogs: usd(cogs),
  };
}

const specified = (
  reportType: string,
  reportOptions: object,
  dataStartTime = '2025-03-01',
  dataEndTime = '2025-03-02',
) => ({
  reportSpecification: {
    reportType,
    reportOptions,
    dataStartTime,
    dataEndTime,
    marketplaceIds: ['ATVPDKIKX0DER'],
  },
});

function salesReport(
  sellingProgram: string,
  distributorView: string,
  salesAggregate: object[],
  salesByAsin: object[],
): string {
  const options = { reportPeriod: 'DAY', distributorView, sellingProgram };
  return JSON.stringify({
    ...specified('GET_VENDOR_SALES_REPORT', options),
    salesAggregate,
    salesByAsin,
  });
}

function trafficReport(trafficAggregate: object[], trafficByAsin: object[]): string {
  return JSON.stringify({
    ...specified('GET_VENDOR_TRAFFIC_REPORT', { reportPeriod: 'DAY' }),
    trafficAggregate,
    trafficByAsin,
  });
}

const viewed = (date: string, asin: string | undefined, glanceViews: number) => ({
  startDate: date,
  endDate: date,
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
const saleColumns =
  'day, report, asin, view, ordered_revenue, ordered_units, shipped_revenue, shipped_units, shipped_cogs, glance_views';

/** A row of a Search Query Performance report of March 2025; `counts` are impressions, clicks, cart adds, purchases: of all, own. */
function searched(
  asin: string,
  searchQuery: string,
  counts: [number, number][],
  medians: Record<string, object | undefined> = {},
): object {
  const [impressions, clicks, cartAdds, purchases] = counts as [
    [number, number],
    [number, number],
    [number, number],
    [number, number],
  ];
  return {
    startDate: '2025-03-01',
    endDate: '2025-03-31',
    asin,
    searchQueryData: { searchQuery, searchQueryScore: 1, searchQueryVolume: 1000 },
    impressionData: {
      totalQueryImpressionCount: impressions[0],
      asinImpressionCount: impressions[1],
      asinImpressionShare: 0.99,
    },
    clickData: {
      totalClickCount: clicks[0],
      asinClickCount: clicks[1],
      asinClickShare: 0.99,
      asinMedianClickPrice: medians.click,
    },
    cartAddData: {
      totalCartAddCount: cartAdds[0],
      asinCartAddCount: cartAdds[1],
      asinCartAddShare: 0.99,
    },
    purchaseData: {
      totalPurchaseCount: purchases[0],
      asinPurchaseCount: purchases[1],
      totalMedianPurchasePrice: medians.all,
      asinMedianPurchasePrice: medians.own,
    },
  };
}

function searchReport(asin: string, dataByAsin: object[], reportPeriod = 'MONTH'): string {
  const type = 'GET_BRAND_ANALYTICS_SEARCH_QUERY_PERFORMANCE_REPORT';
  return JSON.stringify({
    ...specified(type, { reportPeriod, asin }, '2025-03-01', '2025-03-31'),
    dataByAsin,
  });
}

const searchColumns =
  'day, asin, search_query, search_query_volume, total_impressions, impressions, total_clicks, clicks, total_cart_adds, cart_adds, total_purchases, purchases';
const medianColumns =
  'search_query, total_median_purchase_price, median_purchase_price, median_click_price, currency';
const monthColumns =
  'day, sales_budget, sales_budget_set, sales_forecast, sales_forecast_set, ad_spend_budget, ad_spend_budget_set';

onEachPair('Documents of vendors', (world, pair) => {
  const testOnce = testOnOnePair(pair);
  const reads = testOnOnePair(pair);
  reads(
    'reports of sales and traffic add up to days of a vendor: ordered of the manufacturing view, shipped of both',
    async () => {
      const tenant = await newVendor(world());
      const { channelId } = tenant;
      taken(
        await importDocument(
          world(),
          channelId,
          gzipSync(salesReport('RETAIL', 'MANUFACTURING', retailTotals, retail)),
        ),
        'vendorSalesReport',
        5,
      );
      // Order figures in a document of the sourcing view do not belong to that view.
      const sourcing = [sold(first, undefined, [999, 99], [60, 6], 30)];
      taken(
        await importDocument(world(), channelId, salesReport('RETAIL', 'SOURCING', sourcing, [])),
        'vendorSalesReport',
        1,
      );
      assert.deepEqual(
        await held(
          world(),
          tenant,
          'vendor_total',
          'report, ordered_revenue, ordered_units, shipped_units',
        ),
        [
          ['RETAIL/MANUFACTURING', 7_000_000n, 1, 1],
          ['RETAIL/MANUFACTURING', 160_250_000n, 16, 11],
          ['RETAIL/SOURCING', 0n, 0, 6],
        ],
      );
      const fresh = [sold(first, 'B1', [4.5, 3], [1.5, 1], 0.75)];
      taken(
        await importDocument(world(), channelId, salesReport('FRESH', 'MANUFACTURING', [], fresh)),
        'vendorSalesReport',
        1,
      );
      const traffic = trafficReport(
        [viewed(first, undefined, 900), viewed(second, undefined, 40)],
        [viewed(first, 'B1', 300)],
      );
      const answer = await importDocument(world(), channelId, traffic);
      taken(answer, 'vendorTrafficReport', 3);
      assert.deepEqual([answer.body.from, answer.body.to], [first, second]);
      assert.deepEqual(await held(world(), tenant, 'vendor_sale', saleColumns), [
        [dayOf(first), '/TRAFFIC', 'B1', 'TRAFFIC', 0n, 0, 0n, 0, 0n, 300],
        [
          dayOf(first),
          'FRESH/MANUFACTURING',
          'B1',
          'MANUFACTURING',
          4_500_000n,
          3,
          1_500_000n,
          1,
          750_000n,
          0,
        ],
        [
          dayOf(first),
          'RETAIL/MANUFACTURING',
          'B1',
          'MANUFACTURING',
          100_250_000n,
          10,
          80_000_000n,
          8,
          40_000_000n,
          0,
        ],
        [
          dayOf(first),
          'RETAIL/MANUFACTURING',
          'B2',
          'MANUFACTURING',
          50_000_000n,
          5,
          20_000_000n,
          2,
          10_000_000n,
          0,
        ],
        [
          dayOf(second),
          'RETAIL/MANUFACTURING',
          'B2',
          'MANUFACTURING',
          7_000_000n,
          1,
          7_000_000n,
          1,
          3_000_000n,
          0,
        ],
      ]);
      const dayColumns =
        'day, currency, glance_views, ordered_revenue, ordered_units, shipped_revenue, shipped_units, shipped_cogs, shipped_revenue_manufacturing, shipped_units_manufacturing, shipped_cogs_manufacturing';
      assert.deepEqual(await held(world(), tenant, 'vendor_day', dayColumns), [
        // 160.25 of retail's whole + 4.5 of fresh's product; 110 + 1.5, 11 + 1, 55 + 0.75
        [
          dayOf(first),
          'USD',
          900,
          164_750_000n,
          19,
          60_000_000n,
          6,
          30_000_000n,
          111_500_000n,
          12,
          55_750_000n,
        ],
        [dayOf(second), 'USD', 40, 7_000_000n, 1, 0n, 0, 0n, 7_000_000n, 1, 3_000_000n],
      ]);
    },
  );

  test('a document replaces its own programme and view only, on all days that it names, and the same again changes nothing', async () => {
    const tenant = await newVendor(world());
    const { channelId } = tenant;
    const business = salesReport(
      'BUSINESS',
      'SOURCING',
      [],
      [sold(first, 'B1', undefined, [5, 1], 2), sold(second, 'B1', undefined, [6, 1], 2)],
    );
    taken(await importDocument(world(), channelId, business), 'vendorSalesReport', 2);
    taken(
      await importDocument(world(), channelId, trafficReport([], [viewed(second, 'B2', 12)])),
      'vendorTrafficReport',
      1,
    );
    for (let time = 0; time < 2; time++) {
      taken(
        await importDocument(
          world(),
          channelId,
          salesReport('RETAIL', 'MANUFACTURING', retailTotals, retail),
        ),
        'vendorSalesReport',
        5,
      );
      const all = await held(world(), tenant, 'vendor_sale', 'day, report, asin');
      assert.deepEqual(all, [
        [dayOf(first), 'BUSINESS/SOURCING', 'B1'],
        [dayOf(first), 'RETAIL/MANUFACTURING', 'B1'],
        [dayOf(first), 'RETAIL/MANUFACTURING', 'B2'],
        [dayOf(second), '/TRAFFIC', 'B2'],
        [dayOf(second), 'BUSINESS/SOURCING', 'B1'],
        [dayOf(second), 'RETAIL/MANUFACTURING', 'B2'],
      ]);
      assert.equal((await held(world(), tenant, 'vendor_total', 'day')).length, 2);
    }
    // B2 is gone from both days, from the second with the last row of its list.
    const restated = salesReport('RETAIL', 'MANUFACTURING', retailTotals, [
      sold(first, 'B1', [90, 9], [80, 8], 40),
    ]);
    taken(await importDocument(world(), channelId, restated), 'vendorSalesReport', 3);
    assert.deepEqual(
      await held(world(), tenant, 'vendor_sale', 'day, report, asin, ordered_units'),
      [
        [dayOf(first), 'BUSINESS/SOURCING', 'B1', 0],
        [dayOf(first), 'RETAIL/MANUFACTURING', 'B1', 9],
        [dayOf(second), '/TRAFFIC', 'B2', 0],
        [dayOf(second), 'BUSINESS/SOURCING', 'B1', 0],
      ],
    );
  });

  reads(
    'the official examples cover weeks: refused with the reason, or posted on the last day of each',
    async () => {
      const tenant = await newVendor(world());
      const { channelId } = tenant;
      const held0 = await importRows(world(), 'vendorSales', channelId, [
        { date: '2021-06-08', asin: 'B9', view: 'SOURCING', shippedUnits: 4 },
      ]);
      assert.equal(held0.body.rowsAccepted, 1);
      const weekly = await importDocument(
        world(),
        channelId,
        fixture('vendor.sales.manufacturing.json'),
      );
      refused(weekly, /coarse=lastDay \(.*, such as 2021-06-06 to 2021-06-12,/);
      assert.deepEqual(await held(world(), tenant, 'vendor_sale', 'asin, shipped_units'), [
        ['B9', 4],
      ]);
      for (const [name, kind, rows] of [
        ['sales.manufacturing', 'vendorSalesReport', 6],
        ['sales.sourcing', 'vendorSalesReport', 3],
        ['traffic', 'vendorTrafficReport', 4],
        ['margin', 'vendorMarginReport', 4],
      ] as const) {
        const answer = await importDocument(
          world(),
          channelId,
          fixture(`vendor.${name}.json`),
          '&coarse=lastDay',
        );
        taken(answer, kind, rows);
        assert.equal(answer.body.rowsCoarse, rows);
      }
      const columns =
        'day, report, ordered_revenue, ordered_units, shipped_revenue, shipped_units, shipped_cogs, glance_views';
      assert.deepEqual(await held(world(), tenant, 'vendor_total', columns), [
        [dayOf('2021-06-12'), '/TRAFFIC', 0n, 0, 0n, 0, 0n, 100],
        [
          dayOf('2021-06-12'),
          'RETAIL/MANUFACTURING',
          1_500_000_000n,
          75,
          200_000_000n,
          10,
          90_000_000n,
          0,
        ],
        [dayOf('2021-06-12'), 'RETAIL/SOURCING', 0n, 0, 200_000_000n, 10, 90_000_000n, 0],
        [dayOf('2021-06-19'), '/TRAFFIC', 0n, 0, 0n, 0, 0n, 250],
        [dayOf('2021-06-19'), 'RETAIL/MANUFACTURING', 0n, 0, 0n, 0, 0n, 0],
      ]);
    },
  );

  reads(
    'reports of margins have a row per product and day; a restated one replaces all of its days',
    async () => {
      const tenant = await newVendor(world());
      const { channelId } = tenant;
      const earned = (date: string, asin: string, netPureProductMargin: unknown) => ({
        ...{ startDate: date, endDate: date, asin, netPureProductMargin },
      });
      const report = (byAsin: object[], more: object = {}) =>
        JSON.stringify({
          ...specified('GET_VENDOR_NET_PURE_PRODUCT_MARGIN_REPORT', { reportPeriod: 'DAY' }),
          // The margin of the whole vendor is not kept.
          netPureProductMarginAggregate: [earned(first, 'all', 0.9)],
          netPureProductMarginByAsin: byAsin,
          ...more,
        });
      const margins = () =>
        held(world(), tenant, 'vendor_margin', 'day, since, asin, net_pure_product_margin');
      const answer = await importDocument(
        world(),
        channelId,
        report([
          earned(first, 'B1', 0.3125),
          earned(first, 'B2', -0.05),
          earned(second, 'B2', 0),
          earned(second, 'B3', null),
          earned(second, '', 0.2),
        ]),
      );
      assert.equal(answer.body.rowsAccepted, 3);
      assert.deepEqual(reasons(answer), [
        [4, 'netPureProductMargin is required'],
        [5, 'netPureProductMarginByAsin: asin is required'],
      ]);
      assert.deepEqual(await margins(), [
        [dayOf(first), dayOf(first), 'B1', 312_500n],
        [dayOf(first), dayOf(first), 'B2', -50_000n],
        [dayOf(second), dayOf(second), 'B2', 0n],
      ]);
      taken(
        await importDocument(world(), channelId, report([earned(first, 'B1', 0.4)])),
        'vendorMarginReport',
        1,
      );
      assert.deepEqual(await margins(), [[dayOf(first), dayOf(first), 'B1', 400_000n]]);
      refused(
        await importDocument(
          world(),
          channelId,
          report([], { netPureProductMarginByAsin: undefined }),
        ),
        /the report has no netPureProductMarginByAsin/,
      );
      const elsewhere = JSON.parse(report([earned(first, 'B1', 0.4)]));
      elsewhere.reportSpecification.marketplaceIds = ['A1F83G8C2ARO7P'];
      refused(
        await importDocument(world(), channelId, JSON.stringify(elsewhere)),
        /A1F83G8C2ARO7P/,
      );
    },
  );

  testOnce(
    'a week of the whole vendor and days of its products refuse one another, whichever comes first',
    async () => {
      const report = JSON.stringify({
        ...JSON.parse(fixture('vendor.traffic.json')),
        trafficAggregate: [{ startDate: '2021-06-06', endDate: '2021-06-12', glanceViews: 100 }],
        trafficByAsin: undefined,
      });
      const days = (view: string) =>
        JSON.stringify({ date: '2021-06-08', asin: 'B1', view, glanceViews: 3 });
      const put = ({ channelId }: Tenant, query = '') =>
        importDocument(world(), channelId, report, `&coarse=lastDay${query}`);
      const putDays = ({ channelId }: Tenant, view: string, query = '') => {
        const path = `/operator/imports/vendorSales?channelId=${channelId}${query}`;
        return postImport(world(), path, days(view), 'application/x-ndjson');
      };
      const views = (tenant: Tenant) => held(world(), tenant, 'vendor_day', 'day, glance_views');

      const totalFirst = await newVendor(world());
      taken(await put(totalFirst), 'vendorTrafficReport', 1);
      refused(
        await putDays(totalFirst, 'TRAFFIC'),
        /the facts of several days of vendorTrafficReport \(import \d+, 2021-06-06 to 2021-06-19\) on 2021-06-06 to 2021-06-12,/,
      );
      assert.deepEqual(await views(totalFirst), [[dayOf('2021-06-12'), 100]]);
      // Another view is another kind of figure.
      taken(await putDays(totalFirst, 'SOURCING'), 'vendorSales', 1);
      taken(await putDays(totalFirst, 'TRAFFIC', '&replace=true'), 'vendorSales', 1);
      assert.deepEqual(await views(totalFirst), [[dayOf('2021-06-08'), 3]]);

      const daysFirst = await newVendor(world());
      taken(await putDays(daysFirst, 'TRAFFIC'), 'vendorSales', 1);
      refused(
        await put(daysFirst),
        /the facts of single days of vendorSales \(import \d+, .*\) on 2021-06-08,/,
      );
      taken(await put(daysFirst, '&replace=true'), 'vendorTrafficReport', 1);
      assert.deepEqual(await views(daysFirst), [[dayOf('2021-06-12'), 100]]);
    },
  );

  reads(
    'bad rows are rejected with place and reason, documents of another view or marketplace refused',
    async () => {
      const tenant = await newVendor(world());
      const { channelId } = tenant;
      const good = sold(first, 'B1', [1, 1], [1, 1], 1);
      const rows = [
        sold('2025-02-30', undefined, [1, 1], [1, 1], 1),
        sold(first, '', [1, 1], [1, 1], 1),
        { ...good, shippedRevenue: { amount: 1, currencyCode: 'EUR' } },
        { ...good, orderedUnits: 1.5 },
        good,
        good,
      ];
      const answer = await importDocument(
        world(),
        channelId,
        salesReport('RETAIL', 'MANUFACTURING', rows.slice(0, 1), rows.slice(1)),
      );
      assert.deepEqual(reasons(answer), [
        [1, 'salesAggregate: startDate and endDate must be dates (YYYY-MM-DD) in order'],
        [2, 'salesByAsin: asin is required'],
        [3, 'salesByAsin: its amounts are in several currencies'],
        [4, 'orderedUnits must be a whole number (it is 1.5)'],
        [6, 'repeats the key of line 5'],
      ]);
      refused(
        await importDocument(world(), channelId, salesReport('PANTRY', 'SOURCING', [good], [])),
        /sellingProgram is "PANTRY"; it must be one of RETAIL, BUSINESS, FRESH/,
      );
      refused(
        await importDocument(world(), channelId, salesReport('RETAIL', 'BOTH', [good], [])),
        /distributorView is "BOTH"; it must be one of MANUFACTURING, SOURCING/,
      );
      const british = salesReport('RETAIL', 'SOURCING', [good], []).replace(
        'ATVPDKIKX0DER',
        'A1F83G8C2ARO7P',
      );
      refused(
        await importDocument(world(), channelId, british),
        /belongs to marketplace A1F83G8C2ARO7P, the channel to ATVPDKIKX0DER/,
      );
      refused(
        await importDocument(world(), channelId, salesReport('RETAIL', 'SOURCING', [], [])),
        /has no rows/,
      );
      refused(
        await importDocument(
          world(),
          channelId,
          JSON.stringify(specified('GET_VENDOR_TRAFFIC_REPORT', {})),
        ),
        /neither trafficAggregate nor trafficByAsin/,
      );
      refused(
        await importDocument(world(), channelId, trafficReport([], []), '&type=vendorSalesReport'),
        /is not a GET_VENDOR_SALES_REPORT/,
      );
    },
  );

  reads(
    'the Data Kiosk reports a vendor by day: rows of one ASIN are added up; the view is required',
    async () => {
      const tenant = await newVendor(world());
      const { channelId } = tenant;
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
        JSON.stringify({
          startDate,
          endDate: startDate,
          marketplaceId: 'ATVPDKIKX0DER',
          totals,
          metrics,
        });
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
      taken(await importDocument(world(), channelId, manufacturing), 'vendorKioskManufacturing', 5);
      const sourcing = of(first, shipped(8, 2, 4), []);
      refused(
        await importDocument(world(), channelId, sourcing),
        /matches several kinds: pass type=vendorKioskManufacturing or type=vendorKioskSourcing/,
      );
      taken(
        await importDocument(world(), channelId, sourcing, '&type=vendorKioskSourcing'),
        'vendorKioskSourcing',
        1,
      );
      refused(
        await importDocument(world(), channelId, manufacturing, '&type=vendorKioskSourcing'),
        /has figures of the manufacturing view/,
      );
      assert.deepEqual(await held(world(), tenant, 'vendor_sale', saleColumns), [
        [
          dayOf(first),
          '/MANUFACTURING',
          'B1',
          'MANUFACTURING',
          20_000_000n,
          2,
          20_000_000n,
          2,
          10_000_000n,
          30,
        ],
        [
          dayOf(first),
          '/MANUFACTURING',
          'B2',
          'MANUFACTURING',
          10_000_000n,
          1,
          10_000_000n,
          1,
          5_000_000n,
          40,
        ],
      ]);
      assert.deepEqual(
        await held(
          world(),
          tenant,
          'vendor_day',
          'day, glance_views, ordered_revenue, shipped_revenue, shipped_cogs',
        ),
        [
          [dayOf(first), 70, 30_000_000n, 8_000_000n, 4_000_000n],
          [dayOf(second), 5, 2_000_000n, 0n, 0n],
        ],
      );
      const bad = JSON.stringify({
        startDate: first,
        marketplaceId: 'A1F83G8C2ARO7P',
        totals: whole(1, 1, 1),
      });
      const brands = JSON.stringify({
        startDate: first,
        totals: whole(1, 1, 1),
        metrics: [{ groupByKey: { brand: 'Acme' }, metrics: whole(1, 1, 1) }],
      });
      assert.deepEqual(reasons(await importDocument(world(), channelId, `${bad}\n${brands}`)), [
        [
          1,
          'belongs to marketplace A1F83G8C2ARO7P, but the channel belongs to ATVPDKIKX0DER: a channel has one marketplace',
        ],
        [2, 'metrics must be grouped by asin'],
      ]);
    },
  );

  reads('rows of the dataset name view and programme too', async () => {
    const tenant = await newVendor(world());
    await importRows(world(), 'vendorSales', tenant.channelId, [
      { date: first, asin: 'B1', view: 'MANUFACTURING', orderedUnits: 2 },
      { date: first, view: 'SOURCING', sellingProgram: 'FRESH', shippedUnits: 3 },
      { date: first, asin: 'B1', view: 'TRAFFIC', glanceViews: 4 },
    ]);
    assert.deepEqual(
      await held(world(), tenant, 'vendor_sale', 'report, ordered_units, glance_views'),
      [
        ['/MANUFACTURING', 2, 0],
        ['/TRAFFIC', 0, 4],
      ],
    );
    assert.deepEqual(await held(world(), tenant, 'vendor_total', 'report, shipped_units'), [
      ['FRESH/SOURCING', 3],
    ]);
  });
});

onOnePair('Documents about search queries', (world) => {
  test('a monthly report becomes facts by query and product, without shares or missing prices', async () => {
    const tenant = await newVendor(world());
    const { channelId } = tenant;
    const lamp = searched(
      'B1',
      'lamp',
      [
        [5000, 400],
        [300, 30],
        [60, 9],
        [40, 6],
      ],
      { all: usd(20), own: usd(25.5), click: usd(26) },
    );
    const shade = searched(
      'B1',
      'shade',
      [
        [900, 10],
        [50, 2],
        [9, 1],
        [8, 1],
      ],
      { all: usd(12.25) },
    );
    const other = searched(
      'B2',
      'lamp',
      [
        [5000, 7],
        [300, 1],
        [60, 0],
        [40, 0],
      ],
      { all: usd(20) },
    );
    taken(
      await importDocument(world(), channelId, searchReport('B1', [lamp, shade])),
      'searchQueryReport',
      2,
    );
    taken(
      await importDocument(world(), channelId, searchReport('B2 B3', [other])),
      'searchQueryReport',
      1,
    );
    const march = dayOf('2025-03-01');
    assert.deepEqual(await held(world(), tenant, 'search_query', searchColumns), [
      [march, 'B1', 'lamp', 1000, 5000, 400, 300, 30, 60, 9, 40, 6],
      [march, 'B1', 'shade', 1000, 900, 10, 50, 2, 9, 1, 8, 1],
      [march, 'B2', 'lamp', 1000, 5000, 7, 300, 1, 60, 0, 40, 0],
    ]);
    assert.deepEqual(await held(world(), tenant, 'search_query', medianColumns), [
      ['lamp', 20_000_000n, 0n, 0n, 'USD'],
      ['lamp', 20_000_000n, 25_500_000n, 26_000_000n, 'USD'],
      ['shade', 12_250_000n, 0n, 0n, 'USD'],
    ]);
    // 6 x 25.5 + 1 x 12.25, of the market 40 x 20 + 8 x 12.25
    const months = await held(
      world(),
      tenant,
      'search_month',
      'asin, search_query_volume, clicks, purchases, revenue, total_revenue',
    );
    assert.deepEqual(months, [
      ['B1', 2000, 32, 7, 165_250_000n, 898_000_000n],
      ['B2', 1000, 1, 0, 0n, 800_000_000n],
    ]);
    // A restated report removes its missing rows for the requested products, also for a product
    // without any row.
    taken(
      await importDocument(world(), channelId, searchReport('B1 B2', [lamp])),
      'searchQueryReport',
      1,
    );
    assert.deepEqual(await held(world(), tenant, 'search_query', 'asin, search_query'), [
      ['B1', 'lamp'],
    ]);
    taken(
      await importDocument(world(), channelId, searchReport('B2', [other])),
      'searchQueryReport',
      1,
    );
    taken(
      await importDocument(world(), channelId, searchReport('B2', [other])),
      'searchQueryReport',
      1,
    );
    assert.deepEqual(await held(world(), tenant, 'search_query', 'asin, search_query'), [
      ['B1', 'lamp'],
      ['B2', 'lamp'],
    ]);
  });

  test('reports of weeks and quarters are refused with a reason, rows without a month with their place', async () => {
    const tenant = await newVendor(world());
    const { channelId } = tenant;
    refused(
      await importDocument(world(), channelId, fixture('searchQuery.week.json'), '&coarse=lastDay'),
      /is by week, but search queries are kept by month, and weeks and quarters do not add up to months/,
    );
    const row = searched(
      'B1',
      'lamp',
      [
        [1, 1],
        [1, 1],
        [1, 1],
        [1, 1],
      ],
      { own: usd(2) },
    );
    refused(
      await importDocument(world(), channelId, searchReport('B1', [row], 'QUARTER')),
      /is by quarter, .* and weeks and quarters do not add up to months/,
    );
    const answer = await importDocument(
      world(),
      channelId,
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
    assert.deepEqual(reasons(answer), [
      [1, noMonth],
      [2, noMonth],
      [3, 'asin is required'],
      [4, 'its prices are in several currencies'],
    ]);
    assert.equal(answer.body.rowsAccepted, 1);
  });

  test("the console's table has its product and month above its header", async () => {
    const tenant = await newVendor(world());
    const { channelId } = tenant;
    const table = fixture('searchQuery.console.csv');
    const expected = [
      [
        dayOf('2025-03-01'),
        'B0LAMP0001',
        'desk lamp',
        12_500,
        201_840,
        3020,
        5210,
        210,
        900,
        44,
        310,
        12,
      ],
      [
        dayOf('2025-03-01'),
        'B0LAMP0001',
        'lamp, green "banker"',
        800,
        9000,
        77,
        150,
        6,
        20,
        1,
        4,
        0,
      ],
    ];
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
    for (const [document, count] of [
      [`\ufeff${table.replaceAll('\n', '\r\n')}`, 2],
      [[quoted, header, ...rows].join('\n'), 2],
      [semicolons.join('\n'), 2],
      [
        [
          line.replace('ASIN or Product', 'ASIN'),
          '',
          header,
          ...rows.map((row) => row.replace('"2025-03-31"', '""')),
        ].join('\n'),
        2,
      ],
    ] as const) {
      taken(await importDocument(world(), channelId, document), 'searchQueryTable', count);
      assert.deepEqual(await held(world(), tenant, 'search_query', searchColumns), expected);
    }
    assert.deepEqual(await held(world(), tenant, 'search_query', medianColumns), [
      ['desk lamp', 23_500_000n, 28_500_000n, 29_900_000n, 'USD'],
      ['lamp, green "banker"', 30_000_000n, 0n, 29_900_000n, 'USD'],
    ]);
    const other = searched('B2', 'lamp', [
      [5, 4],
      [3, 2],
      [2, 1],
      [1, 1],
    ]);
    taken(
      await importDocument(world(), channelId, searchReport('B2', [other])),
      'searchQueryReport',
      1,
    );
    taken(await importDocument(world(), channelId, sheet), 'searchQueryTable', 1);
    assert.deepEqual(await held(world(), tenant, 'search_query', 'asin, search_query'), [
      ['B0LAMP0001', 'desk lamp'],
      ['B2', 'lamp'],
    ]);
    // Programs that keep such tables put the ASIN into a column instead.
    const withColumn = [
      'Reporting Range=["Monthly"],Select year=["2025"],Select month=["March"]',
      `"ASIN",${header}`,
      `"B0LAMP0003",${rows[0]}`,
      `"B2",${rows[0]}`,
    ];
    taken(await importDocument(world(), channelId, withColumn.join('\n')), 'searchQueryTable', 2);
    assert.deepEqual(await held(world(), tenant, 'search_query', 'asin, search_query'), [
      ['B0LAMP0001', 'desk lamp'],
      ['B0LAMP0003', 'desk lamp'],
      ['B2', 'desk lamp'],
    ]);
  });

  test("the console's tables of weeks, of brands, of several products and without their first line are refused in words", async () => {
    const tenant = await newVendor(world());
    const ask = (document: string) => importDocument(world(), tenant.channelId, document);
    const table = fixture('searchQuery.console.csv');
    const [line, header, row] = table.split('\n') as [string, string, string];
    const week =
      'ASIN or Product=["B0LAMP0001"],Reporting Range=["Weekly"],Select week=["Week 5 | 2026-01-25 - 2026-01-31 2026"]';
    refused(
      await ask(table.replace(line, week)),
      /is by week, but search queries are kept by month/,
    );
    refused(await ask(table.replace('"Monthly"', '"Quarterly"')), /is by quarter/);
    refused(
      await ask(table.slice(line.length + 1)),
      /the line above the header, .* is missing: import the table as it was downloaded/,
    );
    refused(
      await ask(
        table
          .replace('ASIN or Product=["B0LAMP0001"]', 'Brand=["Acme"]')
          .replaceAll('ASIN Count', 'Brand Count'),
      ),
      /is the brand view: download the ASIN view/,
    );
    refused(
      await ask(table.replace('["B0LAMP0001"]', '["B0LAMP0001","B0LAMP0002"]')),
      /adds up 2 ASINs: download each by itself/,
    );
    const bad = [
      row.replace('2025-03-31', '2025-03-30'),
      row.replace('2025-03-31', '2025-04-30'),
      row.replace('"12,500"', '"many"'),
      row.replace('"28.50"', '"28.50 or so"'),
      row.replace('"desk lamp"', '""'),
      row,
      row,
    ];
    assert.deepEqual(reasons(await ask([line, header, ...bad].join('\n'))), [
      [3, 'Reporting Date must be the last date of a month (it is "2025-03-30")'],
      [4, 'belongs to 2025-04, but the line above the header to 2025-03'],
      [5, 'Search Query Volume must be a whole number (it is "many")'],
      [6, 'Purchases: ASIN Price (Median) must be an amount (it is "28.50 or so")'],
      [7, 'searchQuery is required'],
      [9, 'repeats the key of line 8'],
    ]);
  });
});

onOnePair('Tables of targets', (world) => {
  const january = dayOf('2026-01-01');
  const february = dayOf('2026-02-01');
  const march = dayOf('2026-03-01');

  test('months in rows are read as planners write them, and blank cells set nothing', async () => {
    const tenant = await newVendor(world());
    const ask = (document: string | Buffer) => importDocument(world(), tenant.channelId, document);
    const table = [
      'Month,Sales budget,SALES_FORECAST,Advertising budget (USD),Note',
      '2026-01,"$12,000.50",,900,x',
      'Feb 2026,"1.500,25",7,-,',
      ',,,,',
      'Mar-26,0,,,',
    ];
    const answer = await ask(table.join('\n'));
    // The row without anything in it is passed over.
    assert.deepEqual([answer.body.rowsAccepted, reasons(answer)], [3, []]);
    assert.deepEqual(await held(world(), tenant, 'target_month', monthColumns), [
      [january, 12_000_500_000n, 1, 0n, 0, 900_000_000n, 1],
      [february, 1_500_250_000n, 1, 7_000_000n, 1, 0n, 0],
      [march, 0n, 1, 0n, 0, 0n, 0],
    ]);
    for (const [text, month] of [
      ['January 2026', january],
      ['01/2026', january],
      ['2026-02-01', february],
      ['2/1/2026', february],
      ['01.02.2026', february],
      ['28/02/2026', february],
      ['46082', march],
    ] as const) {
      const one = await newVendor(world());
      taken(
        await importDocument(world(), one.channelId, `date;salesForecast\n${text};5\n`),
        'targetsTable',
        1,
      );
      assert.deepEqual(
        await held(world(), one, 'target_month', 'day, sales_forecast'),
        [[month, 5_000_000n]],
        text,
      );
    }
  });

  test('months in columns are read too, from text and from a spreadsheet, and take the place of the months between', async () => {
    const tenant = await newVendor(world());
    const { channelId } = tenant;
    await importRows(world(), 'targets', channelId, [
      { month: '2026-02', salesBudget: 1 },
      { month: '2026-05', salesBudget: 2 },
      { date: '2026-02-14', salesBudget: 3 },
    ]);
    const turned = [
      ',Jan 2026,Feb 2026,Total,',
      'Sales budget,"12,000.50",800,"12,800.50",',
      'Ad spend budget,900,,,',
    ].join('\n');
    taken(await importDocument(world(), channelId, turned), 'targetsTable', 2);
    const expected = [
      [january, 12_000_500_000n, 1, 0n, 0, 900_000_000n, 1],
      [february, 800_000_000n, 1, 0n, 0, 0n, 0],
      [dayOf('2026-05-01'), 2_000_000n, 1, 0n, 0, 0n, 0],
    ];
    assert.deepEqual(await held(world(), tenant, 'target_month', monthColumns), expected);
    assert.deepEqual(await held(world(), tenant, 'target_day', 'day, sales_budget'), [
      [dayOf('2026-02-14'), 3_000_000n],
    ]);
    const serial = (date: string): SerialDate => ({ serial: dayOf(date) + 25_569 });
    const columns = spreadsheet([
      [['About this plan']],
      [
        ['Target', serial('2026-01-01'), serial('2026-02-01')],
        ['Sales budget', 12_000.5, 800],
        ['Ad spend budget', 900, ''],
      ],
    ]);
    const rows = spreadsheet([
      [
        ['Month', 'Sales budget', 'Ad spend budget'],
        [serial('2026-01-31'), 12_000.5, 900],
        [serial('2026-02-28'), 800, ''],
      ],
    ]);
    for (const sheet of [columns, rows]) {
      taken(await importDocument(world(), channelId, sheet), 'targetsTable', 2);
      assert.deepEqual(await held(world(), tenant, 'target_month', monthColumns), expected);
    }
  });

  test('unreadable rows are rejected with line and reason, as is a currency other than the channel’s', async () => {
    const tenant = await newVendor(world());
    const ask = (document: string) => importDocument(world(), tenant.channelId, document);
    const rows = [
      'Q1,1',
      '2026-01-15,1',
      ',1',
      '2026-01,lots',
      '2026-02,12.000',
      '2026-03,5 €',
      '2026-04,CAD 7',
      '2026-05,1',
      '2026-05,2',
    ];
    assert.deepEqual(reasons(await ask(['Month,Sales budget', ...rows].join('\n'))), [
      [2, 'must have a month such as 2026-01 or Jan 2026, or its first date (it is "Q1")'],
      [3, 'must have a month such as 2026-01 or Jan 2026, or its first date (it is "2026-01-15")'],
      [4, 'has no month'],
      [5, 'Sales budget must be an amount (it is "lots")'],
      [
        6,
        'Sales budget has two readings: write it without its point, or with .00 at the end (it is "12.000")',
      ],
      [7, "Sales budget is in EUR, but targets are in the channel's currency, USD"],
      [8, "Sales budget is in CAD, but targets are in the channel's currency, USD"],
      [10, 'repeats the key of line 9'],
    ]);
    const turned = [
      'Target,Jan 2026,Feb 2026',
      'Sales budget,1,x',
      'Growth,1,2',
      'sales_budget,3,4',
      'Sales forecast,5,6',
    ].join('\n');
    assert.deepEqual(reasons(await ask(turned)), [
      [2, 'Feb 2026 must be an amount (it is "x")'],
      [
        3,
        'must name one of the targets Sales budget, Sales forecast, Ad spend budget (it is "Growth")',
      ],
      [4, 'repeats the target of line 2'],
    ]);
    assert.deepEqual(
      await held(world(), tenant, 'target_month', 'day, sales_budget, sales_forecast'),
      [
        [january, 1_000_000n, 5_000_000n],
        [dayOf('2026-05-01'), 1_000_000n, 0n],
      ],
    );
    refused(
      await ask('Month,Sales budget (EUR)\n2026-01,1'),
      /Sales budget \(EUR\) is in EUR, but targets are in the channel's currency, USD/,
    );
    refused(
      await ask('Month,Ad budget,Advertising budget\n2026-01,1,2'),
      /has two columns of adSpendBudget: Ad budget and Advertising budget/,
    );
    refused(
      await importDocument(world(), tenant.channelId, 'a,b\n1,2', '&type=targetsTable'),
      /neither a column Month with columns of targets/,
    );
  });
});
