import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import {
  onEachPair,
  onOnePair,
  onRandomFacts,
  type Tenant,
  triesOn,
  type World,
} from '../../../../test/harness.ts';
import { importRows } from '../../../../test/imports.ts';

const path = '/reports/view/salesByPeriod';

/** Epoch seconds of a wall time. */
function at(zone: string, wall: string): number {
  return Math.floor(
    Temporal.PlainDateTime.from(wall).toZonedDateTime(zone).epochMilliseconds / 1000,
  );
}

async function view(
  world: World,
  tenant: Tenant,
  reportOptions: object,
  more: object = {},
  channelId = tenant.channelId,
) {
  const answer = await world.ask(tenant.key, 'POST', path, {
    channelId,
    merchantId: tenant.merchantId,
    reportOptions,
    ...more,
  });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body as {
    status: string;
    currency: string;
    formattedChartData: Record<string, string | number>[];
  };
}

const newYork = 'America/New_York';

// The small world: a store in New York around the night in which clocks went forward. Every figure
// below is a sum made by hand.
const lines = [
  {
    orderId: 'o1',
    lineId: '1',
    purchasedAt: '2025-03-08T23:30:00-05:00',
    sku: 'A',
    quantity: 2,
    itemPrice: '20.00',
    itemTax: '1.60',
  },
  {
    orderId: 'o1',
    lineId: '2',
    purchasedAt: '2025-03-08T23:30:00-05:00',
    sku: 'B',
    quantity: 1,
    itemPrice: '5.50',
    itemTax: '0.44',
  },
  {
    orderId: 'o2',
    lineId: '1',
    purchasedAt: '2025-03-09T01:59:59-05:00',
    sku: 'A',
    quantity: 1,
    itemPrice: '10.00',
    itemTax: '0.80',
  },
  {
    orderId: 'o3',
    lineId: '1',
    purchasedAt: '2025-03-09T03:00:00-04:00',
    sku: 'B',
    quantity: 3,
    itemPrice: '16.50',
    itemTax: '1.32',
    status: 'Pending',
  },
  {
    orderId: 'o4',
    lineId: '1',
    purchasedAt: '2025-03-09T12:00:00-04:00',
    sku: 'A',
    quantity: 5,
    itemPrice: '50.00',
    itemTax: '4.00',
    status: 'Canceled',
  },
  {
    orderId: 'o5',
    lineId: '1',
    purchasedAt: '2025-03-09T23:59:59-04:00',
    sku: 'C',
    quantity: 1,
    itemPrice: 0,
  },
  {
    orderId: 'o6',
    lineId: '1',
    purchasedAt: '2025-03-10T00:00:00-04:00',
    sku: 'A',
    quantity: 1,
    itemPrice: 10.01,
    itemTax: 0.8,
  },
];
const traffic = [
  {
    date: '2025-03-06',
    pageViews: 100,
    sessions: 80,
    buyBoxPercentage: 90,
    orderedRevenue: '44.44',
    orderedUnits: 4,
    orderItems: 3,
  },
  {
    date: '2025-03-07',
    pageViews: 50,
    sessions: 40,
    orderedRevenue: '5.05',
    orderedUnits: 1,
    orderItems: 1,
  },
  {
    date: '2025-03-08',
    sku: 'A',
    productId: 'PA',
    pageViews: 30,
    sessions: 25,
    buyBoxPercentage: 100,
    orderedRevenue: '999',
    orderedUnits: 99,
    orderItems: 99,
  },
  {
    date: '2025-03-08',
    sku: 'B',
    productId: 'PB',
    pageViews: 10,
    sessions: 8,
    buyBoxPercentage: 50,
    orderedRevenue: '999',
    orderedUnits: 99,
    orderItems: 99,
  },
  {
    date: '2025-03-09',
    sku: 'A',
    productId: 'PA',
    pageViews: 40,
    sessions: 20,
    buyBoxPercentage: 80,
  },
];
const campaigns = [
  {
    date: '2025-03-08',
    campaignId: '1',
    impressions: 1000,
    clicks: 26,
    cost: '6.50',
    sales: '26.00',
  },
  { date: '2025-03-08', campaignId: '2', impressions: 500, clicks: 4, cost: '1.25', sales: '0' },
  { date: '2025-03-10', campaignId: '1', impressions: 10, clicks: 0, cost: '0', sales: '0' },
];
const adProducts = [
  {
    date: '2025-03-08',
    productId: 'PA',
    sku: 'A',
    adType: 'SP',
    impressions: 600,
    clicks: 12,
    cost: '3.00',
    sales: '12.00',
  },
];

onEachPair('The small world', (world) => {
  let tenant: Tenant;
  const range = {
    fromDate: at(newYork, '2025-03-06T00:00'),
    toDate: at(newYork, '2025-03-11T00:00') - 1,
    timezone: newYork,
  };

  before(async () => {
    tenant = await world().tenant({ channel: { timezone: newYork } });
    await importRows(world(), 'orderLines', tenant.channelId, lines);
    await importRows(world(), 'traffic', tenant.channelId, traffic);
    await importRows(world(), 'campaignDays', tenant.channelId, campaigns);
    await importRows(world(), 'adProductDays', tenant.channelId, adProducts);
  });

  test('200: days before the first order line take sales from traffic, later days from order lines, and none adds both', async () => {
    const { status, currency, formattedChartData: rows } = await view(world(), tenant, range);
    assert.equal(status, 'success');
    assert.equal(currency, 'USD');
    assert.deepEqual(
      rows.map((row) => [
        row.startTime,
        row.sales,
        row.unitsSold,
        row.lineItemCount,
        row.pageViews,
        row.totalSessions,
      ]),
      [
        ['2025-03-06T00:00:00.000-05:00', '44.44', 4, 3, 100, 80],
        ['2025-03-07T00:00:00.000-05:00', '5.05', 1, 1, 50, 40],
        ['2025-03-08T00:00:00.000-05:00', '27.54', 3, 2, 40, 33],
        ['2025-03-09T00:00:00.000-05:00', '28.62', 5, 3, 40, 20],
        ['2025-03-10T00:00:00.000-04:00', '10.81', 1, 1, 0, 0],
      ],
    );
    assert.equal(rows[3]!.endTime, '2025-03-09T23:59:59.000-04:00');
  });

  test('200: every metric of a full day', async () => {
    const { formattedChartData: rows } = await view(world(), tenant, range);
    const { startTime: _, endTime: __, ...row } = rows[2]!;
    assert.deepEqual(row, {
      currency: 'USD',
      unitsSold: 3,
      lineItemCount: 2,
      pageViews: 40,
      totalSessions: 33,
      impressions: 1500,
      clicks: 30,
      sales: '27.54',
      avgLineItemValue: '13.77',
      pageViewsConversions: '7.5',
      sessionConversions: '9.1',
      buyboxWinPercentage: '87.5',
      adSpend: '7.75',
      adSales: '26.00',
      clickThroughRate: '2.00',
      acos: '29.8',
      tacos: '28.1',
      priorUnitsSold: 0,
      priorLineItemCount: 0,
      priorPageViews: 0,
      priorTotalSessions: 0,
      priorImpressions: 0,
      priorClicks: 0,
      priorSales: '-',
      priorAvgLineItemValue: '-',
      priorPageViewsConversions: '-',
      priorSessionConversions: '-',
      priorBuyboxWinPercentage: '-',
      priorAdSpend: '-',
      priorAdSales: '-',
      priorClickThroughRate: '-',
      priorAcos: '-',
      priorTacos: '-',
    });
  });

  test('200: without tax sales and what is divided by them change, and nothing else', async () => {
    const { formattedChartData: rows } = await view(world(), tenant, range, { includeTax: false });
    const { sales, avgLineItemValue, tacos, acos, adSpend } = rows[2]!;
    assert.deepEqual(
      { sales, avgLineItemValue, tacos, acos, adSpend },
      { sales: '25.50', avgLineItemValue: '12.75', tacos: '30.4', acos: '29.8', adSpend: '7.75' },
    );
    assert.equal(rows[0]!.sales, '44.44');
  });

  test('200: an empty ratio is "-", an additive one "0.00"', async () => {
    const { formattedChartData: rows } = await view(world(), tenant, range);
    const {
      adSpend,
      adSales,
      acos,
      tacos,
      clickThroughRate,
      buyboxWinPercentage,
      sessionConversions,
    } = rows[4]!;
    assert.deepEqual(
      [adSpend, adSales, acos, tacos, clickThroughRate],
      ['0.00', '0.00', '-', '0.0', '0.00'],
    );
    assert.deepEqual([buyboxWinPercentage, sessionConversions], ['-', '-']);
  });

  test('200: the comparison is paired by position; a bucket without facts is "-", one of cancelled lines "0.00"', async () => {
    const from = at(newYork, '2025-03-09T12:00');
    const { formattedChartData: rows } = await view(world(), tenant, {
      fromDate: at(newYork, '2025-03-08T00:00'),
      toDate: at(newYork, '2025-03-10T23:59:59'),
      priorFromDate: from,
      priorToDate: from,
      timezone: newYork,
    });
    assert.deepEqual(
      rows.map((row) => [row.sales, row.priorSales, row.priorUnitsSold, row.priorAcos]),
      [
        ['27.54', '0.00', 0, '-'],
        ['28.62', '-', 0, '-'],
        ['10.81', '-', 0, '-'],
      ],
    );
  });

  test('200: SKUs restrict order lines, traffic and advertising; unknown ones are ignored, an empty list restricts nothing', async () => {
    const { formattedChartData: rows } = await view(world(), tenant, range, {
      sellerSkus: ['A', 'no such', 'A'],
    });
    assert.deepEqual(
      rows.map((row) => [
        row.sales,
        row.unitsSold,
        row.lineItemCount,
        row.pageViews,
        row.adSpend,
        row.acos,
      ]),
      [
        ['0.00', 0, 0, 0, '0.00', '-'],
        ['0.00', 0, 0, 0, '0.00', '-'],
        ['21.60', 2, 1, 30, '3.00', '25.0'],
        ['10.80', 1, 1, 40, '0.00', '-'],
        ['10.81', 1, 1, 0, '0.00', '-'],
      ],
    );
    const all = await view(world(), tenant, range);
    assert.deepEqual(await view(world(), tenant, range, { sellerSkus: [] }), all);
  });

  test('200: another zone moves order lines, never dates', async () => {
    const { formattedChartData: rows } = await view(world(), tenant, {
      fromDate: at('UTC', '2025-03-08T00:00'),
      toDate: at('UTC', '2025-03-10T23:59:59'),
      timezone: 'UTC',
    });
    assert.deepEqual(
      rows.map((row) => [row.startTime, row.sales, row.unitsSold, row.pageViews, row.adSpend]),
      [
        ['2025-03-08T00:00:00.000+00:00', '1998.00', 198, 40, '7.75'],
        ['2025-03-09T00:00:00.000+00:00', '56.16', 7, 40, '0.00'],
        ['2025-03-10T00:00:00.000+00:00', '10.81', 2, 0, '0.00'],
      ],
    );
  });

  test('200: a range may begin and end at any second', async () => {
    const second = at(newYork, '2025-03-09T03:00:00');
    const one = await view(world(), tenant, {
      fromDate: second,
      toDate: second,
      timezone: newYork,
    });
    assert.deepEqual(
      one.formattedChartData.map((row) => [row.startTime, row.endTime, row.sales, row.unitsSold]),
      [['2025-03-09T03:00:00.000-04:00', '2025-03-09T03:00:00.000-04:00', '17.82', 3]],
    );
    const before = await view(world(), tenant, {
      fromDate: second - 1,
      toDate: second - 1,
      timezone: newYork,
    });
    assert.equal(before.formattedChartData[0]!.sales, '10.80');
  });

  test('200: hours have order figures alone', async () => {
    const { formattedChartData: rows } = await view(world(), tenant, {
      fromDate: at(newYork, '2025-03-09T00:00'),
      toDate: at(newYork, '2025-03-09T23:59:59'),
      timezone: newYork,
      interval: 'hour',
    });
    assert.equal(rows.length, 23);
    assert.deepEqual(
      rows.filter((row) => row.lineItemCount !== 0).map((row) => [row.startTime, row.sales]),
      [
        ['2025-03-09T01:00:00.000-05:00', '10.80'],
        ['2025-03-09T03:00:00.000-04:00', '17.82'],
        ['2025-03-09T23:00:00.000-04:00', '0.00'],
      ],
    );
    const { pageViews, impressions, adSpend, adSales, tacos, acos, buyboxWinPercentage } = rows[1]!;
    assert.deepEqual(
      [pageViews, impressions, adSpend, adSales, tacos, acos, buyboxWinPercentage],
      [0, 0, '-', '-', '-', '-', '-'],
    );
  });

  test('200: a month and a week add up to their days', async () => {
    const month = await view(world(), tenant, { ...range, interval: 'month' });
    assert.deepEqual(
      month.formattedChartData.map((row) => [
        row.startTime,
        row.endTime,
        row.sales,
        row.buyboxWinPercentage,
      ]),
      // 44.44 + 5.05 + 27.54 + 28.62 + 10.81; (90 x 100 + 100 x 30 + 50 x 10 + 80 x 40) / 180 page
      // views of a known percentage
      [['2025-03-06T00:00:00.000-05:00', '2025-03-10T23:59:59.000-04:00', '116.46', '87.2']],
    );
    const week = await view(world(), tenant, { ...range, interval: 'w' });
    assert.deepEqual(
      week.formattedChartData.map((row) => [row.startTime, row.sales]),
      [
        ['2025-03-06T00:00:00.000-05:00', '105.65'],
        ['2025-03-10T00:00:00.000-04:00', '10.81'],
      ],
    );
  });

  test("200: a change of the channel's timezone keeps every answer right", async () => {
    await world().channel(tenant.organisationId, tenant.channelId, { timezone: 'UTC' });
    const utc = {
      fromDate: at('UTC', '2025-03-08T00:00'),
      toDate: at('UTC', '2025-03-10T23:59:59'),
      timezone: 'UTC',
    };
    const { formattedChartData: rows } = await view(world(), tenant, utc);
    assert.deepEqual(
      rows.map((row) => row.sales),
      ['1998.00', '56.16', '10.81'],
    );
    await world().channel(tenant.organisationId, tenant.channelId, { timezone: newYork });
    const { formattedChartData: again } = await view(world(), tenant, range);
    assert.deepEqual(
      again.map((row) => row.sales),
      ['44.44', '5.05', '27.54', '28.62', '10.81'],
    );
  });
});

onOnePair('Refusals of salesByPeriod', (world) => {
  const day = 86_400;
  const options = { fromDate: 1_740_000_000, toDate: 1_740_000_000 + 7 * day, timezone: 'UTC' };

  async function refusal(more: object, reportOptions: unknown = options): Promise<string> {
    const tenant = await world().tenant();
    const { channelId, merchantId } = tenant;
    const answer = await world().ask(tenant.key, 'POST', path, {
      channelId,
      merchantId,
      reportOptions,
      ...more,
    });
    assert.equal(answer.status, 400, JSON.stringify(answer.body));
    assert.equal(answer.body.status, 'error');
    assert.deepEqual(Object.keys(answer.body).sort(), ['error', 'status']);
    return answer.body.error;
  }

  test('400: every failing rule is listed, in the order of the request', async () => {
    assert.equal(
      await refusal(
        { channelId: 7, includeTax: 'yes' },
        { fromDate: '1', toDate: 1.5, timezone: 'Mars/Base' },
      ),
      'channelId must be a string, reportOptions.fromDate must be an integer, reportOptions.toDate must be an integer, ' +
        'reportOptions.timezone must be an IANA time zone, includeTax must be true or false',
    );
    assert.match(
      await refusal({}, {}),
      /reportOptions.fromDate is required, reportOptions.toDate is required, reportOptions.timezone is required/,
    );
  });

  test('400: milliseconds, ends before beginnings, half a comparison', async () => {
    assert.equal(
      await refusal({}, { ...options, fromDate: 1_740_000_000_000 }),
      'reportOptions.fromDate must be in seconds and not in milliseconds',
    );
    assert.match(
      await refusal({}, { ...options, toDate: options.fromDate - 1 }),
      /reportOptions.toDate must not be before reportOptions.fromDate/,
    );
    assert.match(await refusal({}, { ...options, priorFromDate: 1 }), /must be given together/);
    assert.match(await refusal({}, { ...options, priorToDate: 1 }), /must be given together/);
    assert.match(
      await refusal({}, { ...options, priorFromDate: 2, priorToDate: 1 }),
      /reportOptions.priorToDate must not be before/,
    );
  });

  test('400: more than 4,000 buckets, and hours over more than 31 days', async () => {
    assert.match(
      await refusal({}, { ...options, fromDate: 0, toDate: 4001 * day - 1 }),
      /more than 4000 buckets/,
    );
    assert.match(
      await refusal({}, { ...options, priorFromDate: 0, priorToDate: 4001 * day - 1 }),
      /priorFromDate to reportOptions.priorToDate has more than 4000/,
    );
    assert.match(
      await refusal({}, { ...options, toDate: options.fromDate + 31 * day, interval: 'h' }),
      /at most 31 days/,
    );
    assert.match(
      await refusal({}, { ...options, interval: 'fortnight' }),
      /reportOptions.interval must be h or d or/,
    );
  });

  test('200: exactly 4,000 buckets, exactly 31 days of hours, and equal ends', async () => {
    const tenant = await world().tenant();
    const days = await view(world(), tenant, { ...options, fromDate: 0, toDate: 4000 * day - 1 });
    assert.equal(days.formattedChartData.length, 4000);
    const from = 1_740_009_600;
    const hours = await view(world(), tenant, {
      ...options,
      fromDate: from,
      toDate: from + 31 * day - 1,
      interval: 'h',
    });
    assert.equal(hours.formattedChartData.length, 31 * 24);
    const one = await view(world(), tenant, { ...options, toDate: options.fromDate });
    assert.equal(one.formattedChartData.length, 1);
  });

  test('400: a vendor channel is referred to the vendor view; foreign, unknown and mismatched channels get one refusal', async () => {
    const tenant = await world().tenant({ channel: { kind: 'vendor' } });
    const { channelId, merchantId } = tenant;
    const vendor = await world().ask(tenant.key, 'POST', path, {
      channelId,
      merchantId,
      reportOptions: options,
    });
    assert.deepEqual(
      [vendor.status, vendor.body.error],
      [
        400,
        'channelId must be a seller channel: ask /reports/view/vendorSalesByPeriod about this one',
      ],
    );
    const other = await world().tenant();
    const bodies = [
      { channelId: other.channelId, merchantId: other.merchantId },
      { channelId: 'no such channel', merchantId },
      { channelId, merchantId: 'no such merchant' },
    ];
    for (const body of bodies) {
      const answer = await world().ask(tenant.key, 'POST', path, {
        ...body,
        reportOptions: options,
      });
      assert.deepEqual(
        [answer.status, answer.body],
        [
          400,
          { status: 'error', error: 'channelId and merchantId do not match a connected store' },
        ],
      );
    }
  });
});

onOnePair('Currencies of salesByPeriod', (world) => {
  test('200: yen have no decimals, dinars three, and unit prices at least two', async () => {
    for (const [currency, price, sales, average] of [
      ['JPY', '1234.5', '1235', '411.50'],
      ['KWD', '1.23456', '1.235', '0.412'],
      ['USD', '0.005', '0.01', '0.00'],
    ] as const) {
      const tenant = await world().tenant({ channel: { currency, timezone: 'UTC' } });
      const rows = [1, 2, 3].map((line) => ({
        orderId: 'o',
        lineId: String(line),
        purchasedAt: 1_740_000_000,
        quantity: 1,
        itemPrice: line === 1 ? price : 0,
      }));
      await importRows(world(), 'orderLines', tenant.channelId, rows);
      const { formattedChartData } = await view(world(), tenant, {
        fromDate: 1_739_923_200,
        toDate: 1_740_009_599,
        timezone: 'UTC',
      });
      assert.deepEqual(
        [formattedChartData[0]!.sales, formattedChartData[0]!.avgLineItemValue],
        [sales, average],
        currency,
      );
    }
  });

  test('200: facts of another currency are converted at the rate of their date, carried over days without one', async () => {
    const tenant = await world().tenant({ channel: { currency: 'USD', timezone: 'UTC' } });
    await importRows(world(), 'exchangeRates', undefined, [
      { date: '2025-02-20', currency: 'USD', perEuro: 1.05 },
      { date: '2025-02-20', currency: 'GBP', perEuro: 0.84 },
      { date: '2025-02-24', currency: 'USD', perEuro: 1.1 },
      { date: '2025-02-24', currency: 'GBP', perEuro: 0.8 },
    ]);
    await importRows(world(), 'orderLines', tenant.channelId, [
      {
        orderId: 'a',
        lineId: '1',
        purchasedAt: '2025-02-22T10:00:00Z',
        quantity: 1,
        itemPrice: '84.00',
        currency: 'GBP',
      },
      {
        orderId: 'b',
        lineId: '1',
        purchasedAt: '2025-02-24T10:00:00Z',
        quantity: 1,
        itemPrice: '80.00',
        currency: 'GBP',
      },
      {
        orderId: 'c',
        lineId: '1',
        purchasedAt: '2025-02-19T10:00:00Z',
        quantity: 1,
        itemPrice: '1.00',
        currency: 'EUR',
      },
      {
        orderId: 'd',
        lineId: '1',
        purchasedAt: '2025-02-24T11:00:00Z',
        quantity: 1,
        itemPrice: '0.10',
      },
    ]);
    const { formattedChartData: rows } = await view(world(), tenant, {
      fromDate: at('UTC', '2025-02-19T00:00'),
      toDate: at('UTC', '2025-02-24T23:59:59'),
      timezone: 'UTC',
    });
    // 1 EUR at the first rate there is; 84 GBP = 100 EUR = 105 USD by Thursday's rates on Saturday;
    // 80 GBP = 100 EUR = 110 USD, and ten cents.
    assert.deepEqual(
      rows.map((row) => row.sales),
      ['1.05', '0.00', '0.00', '105.00', '0.00', '110.10'],
    );
  });
});

// The zones that are hardest to get right, and the plain ones.
const zones = [
  'America/New_York',
  'UTC',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'America/Santiago',
  'Europe/Berlin',
  'Africa/Cairo',
  'Pacific/Auckland',
];
const firstDay = Temporal.PlainDate.from('2025-03-01');
const days = 50;

const amounts = fc.integer({ min: 0, max: 99_999 }).map((cents) => (cents / 100).toFixed(2));
const instants = fc.integer({
  min: at('UTC', '2025-03-01T00:00'),
  max: at('UTC', '2025-04-19T23:59:59'),
});
const dates = fc
  .integer({ min: 0, max: days - 1 })
  .map((day) => firstDay.add({ days: day }).toString());
const skus = fc.constantFrom('A', 'B', 'C');
const facts = fc.record({
  zone: fc.constantFrom(...zones),
  lines: fc.array(
    fc.record({
      purchasedAt: instants,
      sku: skus,
      quantity: fc.integer({ min: 0, max: 9 }),
      itemPrice: amounts,
      itemTax: amounts,
      status: fc.constantFrom('Shipped', 'Pending', 'Canceled'),
    }),
    { maxLength: 60 },
  ),
  totals: fc.uniqueArray(
    fc.record({
      date: dates,
      pageViews: fc.nat(500),
      orderedRevenue: amounts,
      orderedUnits: fc.nat(20),
      orderItems: fc.nat(20),
    }),
    { selector: (row) => row.date, maxLength: 20 },
  ),
  products: fc.uniqueArray(
    fc.record({
      date: dates,
      sku: skus,
      pageViews: fc.nat(500),
      buyBoxPercentage: fc.nat(100),
      orderedRevenue: amounts,
      orderedUnits: fc.nat(20),
      orderItems: fc.nat(20),
    }),
    {
      selector: (row) => row.date + row.sku,
      maxLength: 40,
    },
  ),
  ads: fc.uniqueArray(
    fc.record({
      date: dates,
      campaignId: fc.constantFrom('1', '2'),
      impressions: fc.nat(9999),
      clicks: fc.nat(99),
      cost: amounts,
      sales: amounts,
    }),
    {
      selector: (row) => row.date + row.campaignId,
      maxLength: 30,
    },
  ),
  productAds: fc.uniqueArray(
    fc.record({
      date: dates,
      sku: skus,
      impressions: fc.nat(9999),
      clicks: fc.nat(99),
      cost: amounts,
      sales: amounts,
    }),
    {
      selector: (row) => row.date + row.sku,
      maxLength: 30,
    },
  ),
});
type Facts = typeof facts extends fc.Arbitrary<infer F> ? F : never;
const questions = fc.record({
  zone: fc.constantFrom(...zones),
  interval: fc.constantFrom('d', 'w', 'M', 'Q', 'y', 'h'),
  from: instants,
  length: fc.integer({ min: 0, max: 30 * 86_400 }),
  priorShift: fc.integer({ min: -20 * 86_400, max: 20 * 86_400 }),
  wholeDays: fc.boolean(),
  includeTax: fc.boolean(),
  skus: fc.constantFrom([], ['A'], ['B', 'C', 'none']),
});
type Asked = typeof questions extends fc.Arbitrary<infer Q> ? Q : never;

/**
 * The same answer worked out the slow way: fact by fact, with another library for zones and another
 * one for decimals.
 */
function naive(
  world: Facts,
  asked: Asked,
  from: number,
  to: number,
): Record<string, string | number>[] {
  const wall = (instant: number) =>
    Temporal.Instant.fromEpochMilliseconds(instant * 1000).toZonedDateTimeISO(asked.zone);
  const dateOf = (instant: number) => wall(instant).toPlainDate();
  const bucketOf = (date: Temporal.PlainDate): string => {
    if (asked.interval === 'w') return date.subtract({ days: date.dayOfWeek - 1 }).toString();
    if (asked.interval === 'M') return date.with({ day: 1 }).toString();
    if (asked.interval === 'Q')
      return date.with({ month: Math.floor((date.month - 1) / 3) * 3 + 1, day: 1 }).toString();
    if (asked.interval === 'y') return date.with({ month: 1, day: 1 }).toString();
    return date.toString();
  };
  const hourOf = (instant: number) => {
    const { minute, second } = wall(instant);
    return String(instant - minute * 60 - second);
  };
  const keyOf = (instant: number) =>
    asked.interval === 'h' ? hourOf(instant) : bucketOf(dateOf(instant));
  type Sum = {
    sales: Decimal;
    spend: Decimal;
    adSales: Decimal;
    units: number;
    items: number;
    views: number;
    weighted: number;
    weightedViews: number;
    impressions: number;
    clicks: number;
  };
  const sums = new Map<string, Sum>();
  // No bucket is shorter than the step: the shortest hour has thirty minutes, the shortest day 23
  // hours.
  const step = asked.interval === 'h' ? 1800 : 6 * 3600;
  for (let instant = from; ; instant = Math.min(instant + step, to)) {
    const key = keyOf(instant);
    if (!sums.has(key)) {
      sums.set(key, {
        sales: new Decimal(0),
        spend: new Decimal(0),
        adSales: new Decimal(0),
        units: 0,
        items: 0,
        views: 0,
        weighted: 0,
        weightedViews: 0,
        impressions: 0,
        clicks: 0,
      });
    }
    if (instant === to) break;
  }
  const only = asked.skus.length > 0 ? new Set<string>(asked.skus) : undefined;
  for (const line of world.lines) {
    if (
      line.purchasedAt < from ||
      line.purchasedAt > to ||
      line.status === 'Canceled' ||
      (only && !only.has(line.sku))
    )
      continue;
    const sum = sums.get(keyOf(line.purchasedAt))!;
    sum.sales = sum.sales.plus(line.itemPrice).plus(asked.includeTax ? line.itemTax : 0);
    sum.units += line.quantity;
    sum.items += 1;
  }
  if (asked.interval !== 'h') {
    const first =
      world.lines.length > 0
        ? dateOf(Math.min(...world.lines.map((line) => line.purchasedAt))).toString()
        : '9999';
    const totalDates = new Set(world.totals.map((row) => row.date));
    const traffic = only
      ? world.products.filter((row) => only.has(row.sku))
      : [...world.totals, ...world.products.filter((row) => !totalDates.has(row.date))];
    const inRange = (date: string) =>
      date >= dateOf(from).toString() && date <= dateOf(to).toString();
    for (const row of traffic) {
      if (!inRange(row.date)) continue;
      const sum = sums.get(bucketOf(Temporal.PlainDate.from(row.date)))!;
      sum.views += row.pageViews;
      if ('buyBoxPercentage' in row) {
        sum.weighted += (row.buyBoxPercentage as number) * row.pageViews;
        sum.weightedViews += row.pageViews;
      }
      if (row.date >= first) continue;
      sum.sales = sum.sales.plus(row.orderedRevenue);
      sum.units += row.orderedUnits;
      sum.items += row.orderItems;
    }
    for (const row of only ? world.productAds.filter((ad) => only.has(ad.sku)) : world.ads) {
      if (!inRange(row.date)) continue;
      const sum = sums.get(bucketOf(Temporal.PlainDate.from(row.date)))!;
      sum.spend = sum.spend.plus(row.cost);
      sum.adSales = sum.adSales.plus(row.sales);
      sum.impressions += row.impressions;
      sum.clicks += row.clicks;
    }
  }
  const hourly = asked.interval === 'h';
  const ratio = (part: Decimal.Value, whole: Decimal.Value, places = 1, factor = 100) =>
    new Decimal(whole).gt(0)
      ? new Decimal(part).times(factor).div(whole).toFixed(places, Decimal.ROUND_HALF_UP)
      : '-';
  return [...sums.values()].map((sum) => ({
    unitsSold: sum.units,
    lineItemCount: sum.items,
    pageViews: sum.views,
    impressions: sum.impressions,
    clicks: sum.clicks,
    sales: sum.sales.toFixed(2),
    avgLineItemValue: ratio(sum.sales, sum.items, 2, 1),
    pageViewsConversions: ratio(sum.units, sum.views),
    buyboxWinPercentage: ratio(sum.weighted, sum.weightedViews, 1, 1),
    adSpend: hourly ? '-' : sum.spend.toFixed(2),
    adSales: hourly ? '-' : sum.adSales.toFixed(2),
    clickThroughRate: ratio(sum.clicks, sum.impressions, 2),
    acos: ratio(sum.spend, sum.adSales),
    tacos: hourly ? '-' : ratio(sum.spend, sum.sales),
  }));
}

onRandomFacts('salesByPeriod on random facts', (world) => {
  test('equals a plain recomputation, whatever the zone, the range, the interval, the tax and the SKUs', async () => {
    await fc.assert(
      fc.asyncProperty(
        facts,
        fc.array(questions, { minLength: 6, maxLength: 6 }),
        async (given, askedList) => {
          const tenant = await world().tenant({ channel: { timezone: given.zone } });
          const rows = given.lines.map((line, index) => ({
            orderId: `o${index}`,
            lineId: '1',
            ...line,
          }));
          if (rows.length > 0) await importRows(world(), 'orderLines', tenant.channelId, rows);
          const traffic = [...given.totals, ...given.products];
          if (traffic.length > 0) await importRows(world(), 'traffic', tenant.channelId, traffic);
          if (given.ads.length > 0)
            await importRows(world(), 'campaignDays', tenant.channelId, given.ads);
          if (given.productAds.length > 0)
            await importRows(world(), 'adProductDays', tenant.channelId, given.productAds);
          for (const asked of askedList) {
            const zone = asked.wholeDays ? given.zone : asked.zone;
            const day = (instant: number) =>
              Temporal.Instant.fromEpochMilliseconds(instant * 1000)
                .toZonedDateTimeISO(zone)
                .startOfDay();
            const seconds = (moment: Temporal.ZonedDateTime) =>
              Math.floor(moment.epochMilliseconds / 1000);
            const from = asked.wholeDays ? seconds(day(asked.from)) : asked.from;
            const to = asked.wholeDays
              ? seconds(day(asked.from + asked.length).add({ days: 1 })) - 1
              : asked.from + asked.length;
            const priorFrom = asked.wholeDays
              ? seconds(day(from + asked.priorShift))
              : from + asked.priorShift;
            const priorTo = asked.wholeDays
              ? seconds(day(priorFrom + asked.length).add({ days: 1 })) - 1
              : priorFrom + asked.length;
            const options = {
              fromDate: from,
              toDate: to,
              priorFromDate: priorFrom,
              priorToDate: priorTo,
              timezone: zone,
              interval: asked.interval,
            };
            const answer = await view(world(), tenant, options, {
              includeTax: asked.includeTax,
              sellerSkus: asked.skus,
            });
            const expected = naive(given, { ...asked, zone }, from, to);
            const prior = naive(given, { ...asked, zone }, priorFrom, priorTo);
            assert.equal(answer.formattedChartData.length, expected.length);
            answer.formattedChartData.forEach((row, index) => {
              const shownRow: Record<string, unknown> = {};
              const wanted = expected[index]!;
              for (const name of Object.keys(wanted)) shownRow[name] = row[name];
              assert.deepEqual(shownRow, wanted, JSON.stringify({ options, index }));
              // A comparison without any fact is "-", which the plain recomputation does not
              // distinguish from a sum of zero.
              for (const [name, value] of Object.entries(prior[index] ?? {})) {
                const shown = row[`prior${name[0]!.toUpperCase()}${name.slice(1)}`];
                if (shown !== value)
                  assert.deepEqual(
                    [shown, Number(value)],
                    ['-', 0],
                    JSON.stringify({ options, index, name }),
                  );
              }
            });
          }
        },
      ),
      { numRuns: triesOn(world(), { embedded: 12, served: 4 }) },
    );
  });
});
