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

const path = '/reports/view/vendorSalesByPeriod';
const vendor = { kind: 'vendor', timezone: 'UTC' } as const;

/** Epoch seconds of a wall time. */
function at(zone: string, wall: string): number {
  return Math.floor(
    Temporal.PlainDateTime.from(wall).toZonedDateTime(zone).epochMilliseconds / 1000,
  );
}

/** The options of a period from the start of a date through the end of another one. */
function days(first: string, last: string, timezone = 'UTC') {
  return {
    fromDate: at(timezone, `${first}T00:00`),
    toDate: at(timezone, `${last}T23:59:59`),
    timezone,
  };
}

type Row = Record<string, string | number>;

async function view(world: World, tenant: Tenant, reportOptions: object, more: object = {}) {
  const { channelId, merchantId, key } = tenant;
  const answer = await world.ask(key, 'POST', path, {
    channelId,
    merchantId,
    reportOptions,
    ...more,
  });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body as { status: string; currency: string; formattedChartData: Row[] };
}

/** A row of traffic alone: views of product pages and nothing else. */
function trafficRow({ date, asin, views }: { date: string; asin: string; views: number }) {
  return { date, asin, view: 'TRAFFIC', glanceViews: views };
}

// The small world: three days of two products. Every figure below is a sum made by hand.
const sales = [
  {
    date: '2025-03-10',
    asin: 'B0A',
    view: 'MANUFACTURING',
    glanceViews: 300,
    orderedRevenue: '200.00',
    orderedUnits: 8,
    shippedRevenue: '150.00',
    shippedUnits: 6,
    shippedCogs: '90.00',
  },
  {
    date: '2025-03-10',
    asin: 'B0A',
    view: 'SOURCING',
    glanceViews: 999,
    orderedRevenue: '999.00',
    orderedUnits: 99,
    shippedRevenue: '100.00',
    shippedUnits: 4,
    shippedCogs: '60.50',
  },
  {
    date: '2025-03-10',
    asin: 'B0B',
    view: 'MANUFACTURING',
    glanceViews: 100,
    orderedRevenue: '50.05',
    orderedUnits: 2,
    shippedRevenue: '25.00',
    shippedUnits: 1,
    shippedCogs: '15.00',
  },
  {
    date: '2025-03-12',
    asin: 'B0A',
    view: 'SOURCING',
    shippedRevenue: '30.00',
    shippedUnits: 1,
    shippedCogs: '18.00',
  },
];
const campaigns = [
  {
    date: '2025-03-10',
    campaignId: '1',
    impressions: 10_000,
    clicks: 50,
    cost: '25.00',
    sales: '80.00',
  },
  {
    date: '2025-03-10',
    campaignId: '2',
    adType: 'SB',
    impressions: 2_000,
    clicks: 10,
    cost: '5.00',
    sales: '20.00',
  },
  { date: '2025-03-11', campaignId: '1', impressions: 0, clicks: 0, cost: '0', sales: '0' },
];
const adProducts = [
  {
    date: '2025-03-10',
    productId: 'B0A',
    sku: 'A-1',
    impressions: 6_000,
    clicks: 30,
    cost: '15.00',
    sales: '60.00',
  },
  {
    date: '2025-03-10',
    productId: 'B0A',
    sku: 'A-2',
    impressions: 1_000,
    clicks: 5,
    cost: '3.00',
    sales: '0',
  },
  {
    date: '2025-03-10',
    productId: 'B0C',
    impressions: 3_000,
    clicks: 15,
    cost: '7.00',
    sales: '20.00',
  },
];

const unknown = {
  glanceViews: 0,
  orderedUnits: 0,
  shippedUnits: 0,
  shippedUnitsManufacturing: 0,
  impressions: 0,
  clicks: 0,
  orderedRevenue: '-',
  conversionRate: '-',
  retailPrice: '-',
  shippedRevenue: '-',
  shippedRevenueManufacturing: '-',
  shippedCogs: '-',
  shippedCogsManufacturing: '-',
  adSales: '-',
  adSpend: '-',
  acos: '-',
  tacosOrderedRevenue: '-',
  tacosShippedRevenue: '-',
  tacosManufacturing: '-',
  clickThroughRate: '-',
};
const zeros = {
  ...unknown,
  orderedRevenue: '0.00',
  shippedRevenue: '0.00',
  shippedRevenueManufacturing: '0.00',
  shippedCogs: '0.00',
  shippedCogsManufacturing: '0.00',
  adSales: '0.00',
  adSpend: '0.00',
};
const firstDay = {
  glanceViews: 400,
  orderedUnits: 10,
  shippedUnits: 4,
  shippedUnitsManufacturing: 7,
  impressions: 12_000,
  clicks: 60,
  orderedRevenue: '250.05',
  conversionRate: '2.5',
  retailPrice: '25.01', // 25.005
  shippedRevenue: '100.00',
  shippedRevenueManufacturing: '175.00',
  shippedCogs: '60.50',
  shippedCogsManufacturing: '105.00',
  adSales: '100.00',
  adSpend: '30.00',
  acos: '30.0',
  tacosOrderedRevenue: '12.0', // 11.9976
  tacosShippedRevenue: '30.0',
  tacosManufacturing: '17.1', // 17.1428
  clickThroughRate: '0.50',
};

const prior = (metrics: Row): Row =>
  Object.fromEntries(
    Object.entries(metrics).map(([name, value]) => [
      `prior${name[0]!.toUpperCase()}${name.slice(1)}`,
      value,
    ]),
  );

onEachPair('The small world of a vendor', (world) => {
  let tenant: Tenant;
  before(async () => {
    tenant = await world().tenant({ channel: vendor });
    await importRows(world(), 'vendorSales', tenant.channelId, sales);
    await importRows(world(), 'campaignDays', tenant.channelId, campaigns);
    await importRows(world(), 'adProductDays', tenant.channelId, adProducts);
  });

  test('200: every metric of a day, and nothing to compare it with', async () => {
    const answer = await view(world(), tenant, days('2025-03-10', '2025-03-10'));
    assert.deepEqual(answer, {
      status: 'success',
      currency: 'USD',
      formattedChartData: [
        {
          startTime: '2025-03-10T00:00:00.000+00:00',
          endTime: '2025-03-10T23:59:59.000+00:00',
          currency: 'USD',
          ...firstDay,
          ...prior(unknown),
        },
      ],
    });
  });

  test('200: the comparison is paired by position: facts, facts that sum to zero, and none at all', async () => {
    const { formattedChartData: rows } = await view(world(), tenant, {
      ...days('2025-03-11', '2025-03-14'),
      priorFromDate: at('UTC', '2025-03-10T12:00'),
      priorToDate: at('UTC', '2025-03-12T12:00'),
    });
    const shipped = {
      ...zeros,
      shippedUnits: 1,
      shippedRevenue: '30.00',
      shippedCogs: '18.00',
      tacosShippedRevenue: '0.0',
    };
    const expected: [Row, Row][] = [
      [zeros, firstDay],
      [shipped, zeros],
      [zeros, shipped],
      [zeros, unknown],
    ];
    assert.equal(rows.length, 4);
    rows.forEach(({ startTime: _, endTime: __, currency: ___, ...metrics }, index) => {
      assert.deepEqual(
        metrics,
        { ...expected[index]![0], ...prior(expected[index]![1]) },
        `day ${index}`,
      );
    });
  });

  test('200: a prior day without any row of sales or advertising is "-", near and far', async () => {
    for (const [first, last] of [
      ['2025-03-13', '2025-03-14'],
      ['2023-03-13', '2023-03-14'],
    ]) {
      const { fromDate: priorFromDate, toDate: priorToDate } = days(first!, last!);
      const { formattedChartData: rows } = await view(world(), tenant, {
        ...days('2025-03-10', '2025-03-11'),
        priorFromDate,
        priorToDate,
      });
      assert.deepEqual(
        rows.map((row) => [
          row.orderedRevenue,
          row.priorOrderedRevenue,
          row.priorAdSpend,
          row.priorImpressions,
        ]),
        [
          ['250.05', '-', '-', 0],
          ['0.00', '-', '-', 0],
        ],
      );
    }
  });

  test('200: windows far from each other have their own figures', async () => {
    const { fromDate: priorFromDate, toDate: priorToDate } = days('2025-03-10', '2025-03-10');
    const { formattedChartData: rows } = await view(world(), tenant, {
      ...days('2026-01-01', '2026-01-01'),
      priorFromDate,
      priorToDate,
    });
    assert.deepEqual(
      rows.map((row) => [row.adSpend, row.priorAdSpend, row.orderedUnits, row.priorOrderedUnits]),
      [['0.00', '30.00', 0, 10]],
    );
  });

  test('200: a week, a month, a quarter and a year add up to their dates, and are clipped to the range', async () => {
    for (const interval of ['w', 'month', 'Q', 'year']) {
      const { formattedChartData: rows } = await view(world(), tenant, {
        ...days('2025-03-10', '2025-03-12'),
        interval,
      });
      assert.deepEqual(
        rows.map((row) => [
          row.startTime,
          row.endTime,
          row.orderedRevenue,
          row.shippedRevenue,
          row.tacosShippedRevenue,
        ]),
        [
          [
            '2025-03-10T00:00:00.000+00:00',
            '2025-03-12T23:59:59.000+00:00',
            '250.05',
            '130.00',
            '23.1',
          ],
        ],
        interval,
      );
    }
  });

  test('200: dates are never moved by the zone, and a part of a day has the whole of its date', async () => {
    const zone = 'Pacific/Auckland';
    const noon = at(zone, '2025-03-10T12:00');
    const { formattedChartData: rows } = await view(world(), tenant, {
      fromDate: noon,
      toDate: noon + 1,
      timezone: zone,
    });
    assert.deepEqual(
      rows.map((row) => [row.startTime, row.endTime, row.orderedRevenue, row.adSpend]),
      [['2025-03-10T12:00:00.000+13:00', '2025-03-10T12:00:01.000+13:00', '250.05', '30.00']],
    );
  });

  test('200: ASINs restrict sales and advertised products; unknown ones are ignored, an empty list restricts nothing', async () => {
    const range = {
      ...days('2025-03-10', '2025-03-11'),
      ...{ priorFromDate: at('UTC', '2025-03-12T00:00') },
    };
    const options = { ...range, priorToDate: at('UTC', '2025-03-13T23:59:59') };
    const { formattedChartData: rows } = await view(world(), tenant, options, {
      asins: ['B0A', 'no such', 'B0A'],
    });
    const { startTime: _, endTime: __, currency: ___, ...metrics } = rows[0]!;
    const own = {
      glanceViews: 300,
      orderedUnits: 8,
      shippedUnits: 4,
      shippedUnitsManufacturing: 6,
      impressions: 7_000,
      clicks: 35,
      orderedRevenue: '200.00',
      conversionRate: '2.7', // 2.666
      retailPrice: '25.00',
      shippedRevenue: '100.00',
      shippedRevenueManufacturing: '150.00',
      shippedCogs: '60.50',
      shippedCogsManufacturing: '90.00',
      adSales: '60.00',
      adSpend: '18.00',
      acos: '30.0',
      tacosOrderedRevenue: '9.0',
      tacosShippedRevenue: '18.0',
      tacosManufacturing: '12.0',
      clickThroughRate: '0.50',
    };
    const shipped = {
      ...zeros,
      shippedUnits: 1,
      shippedRevenue: '30.00',
      shippedCogs: '18.00',
      tacosShippedRevenue: '0.0',
    };
    assert.deepEqual(metrics, { ...own, ...prior(shipped) });
    // The second day has a campaign's row, but none of the product's own.
    assert.deepEqual([rows[1]!.orderedRevenue, rows[1]!.priorOrderedRevenue], ['0.00', '-']);
    const ofProduct = async (asin: string) => {
      const { formattedChartData } = await view(world(), tenant, days('2025-03-10', '2025-03-10'), {
        asins: [asin],
      });
      return [
        formattedChartData[0]!.orderedRevenue,
        formattedChartData[0]!.adSpend,
        formattedChartData[0]!.tacosOrderedRevenue,
      ];
    };
    assert.deepEqual(await ofProduct('B0B'), ['50.05', '0.00', '0.0']);
    assert.deepEqual(await ofProduct('B0C'), ['0.00', '7.00', '-']);
    assert.deepEqual(await ofProduct('A-1'), ['0.00', '0.00', '-']);
    assert.deepEqual(
      await view(world(), tenant, days('2025-03-10', '2025-03-12'), { asins: [] }),
      await view(world(), tenant, days('2025-03-10', '2025-03-12')),
    );
  });

  test('200: advertisingByChannels has the same sales of the vendor', async () => {
    for (const [vendorRevenueType, tacos] of [
      ['orderedRevenue', '12.00'],
      ['shippedRevenue', '30.00'],
    ]) {
      const answer = await world().ask(tenant.key, 'POST', '/reports/view/advertisingByChannels', {
        reportOptions: days('2025-03-10', '2025-03-10'),
        currentCurrency: 'USD',
        vendorRevenueType,
      });
      assert.deepEqual(
        answer.body.data.items.map((item: Row) => [item.spend, item.tacos]),
        [['30.00', tacos]],
      );
    }
  });
});

onOnePair('Other sources of vendor sales', (world) => {
  test('200: products are not added to reported totals of the vendor, and ASINs still have their own figures', async () => {
    const tenant = await world().tenant({ channel: vendor });
    await importRows(world(), 'vendorSales', tenant.channelId, [
      ...sales,
      {
        date: '2025-03-10',
        view: 'MANUFACTURING',
        glanceViews: 1000,
        orderedRevenue: '1000.00',
        orderedUnits: 40,
      },
    ]);
    await importRows(world(), 'campaignDays', tenant.channelId, campaigns);
    const range = days('2025-03-10', '2025-03-10');
    const all = await view(world(), tenant, range);
    assert.deepEqual(
      all.formattedChartData.map((row) => [
        row.glanceViews,
        row.orderedRevenue,
        row.shippedRevenueManufacturing,
        row.shippedRevenue,
      ]),
      [[1000, '1000.00', '0.00', '100.00']],
    );
    const own = await view(world(), tenant, range, { asins: ['B0A', 'B0B'] });
    assert.deepEqual(
      own.formattedChartData.map((row) => [
        row.glanceViews,
        row.orderedRevenue,
        row.shippedRevenueManufacturing,
      ]),
      [[400, '250.05', '175.00']],
    );
    const answer = await world().ask(tenant.key, 'POST', '/reports/view/advertisingByChannels', {
      reportOptions: range,
      currentCurrency: 'USD',
    });
    assert.equal(answer.body.data.items[0].tacos, '3.00');
  });

  test('200: views of product pages are those of rows of traffic on the dates that have any', async () => {
    const tenant = await world().tenant({ channel: vendor });
    await importRows(world(), 'vendorSales', tenant.channelId, [
      { date: '2025-03-10', asin: 'B0A', view: 'MANUFACTURING', glanceViews: 300, orderedUnits: 8 },
      { date: '2025-03-10', asin: 'B0B', view: 'MANUFACTURING', glanceViews: 100, orderedUnits: 2 },
      { date: '2025-03-11', asin: 'B0A', view: 'MANUFACTURING', glanceViews: 30, orderedUnits: 6 },
      trafficRow({ date: '2025-03-10', asin: 'B0A', views: 500 }),
      trafficRow({ date: '2025-03-12', asin: 'B0C', views: 7 }),
    ]);
    const range = days('2025-03-10', '2025-03-12');
    const views = async (more: object) =>
      (await view(world(), tenant, range, more)).formattedChartData.map((row) => [
        row.glanceViews,
        row.conversionRate,
      ]);
    assert.deepEqual(await views({}), [
      [500, '2.0'],
      [30, '20.0'],
      [7, '0.0'],
    ]);
    assert.deepEqual(await views({ asins: ['B0A'] }), [
      [500, '1.6'],
      [30, '20.0'],
      [0, '-'],
    ]);
    // The date has traffic rows, but none of this product.
    assert.deepEqual(await views({ asins: ['B0B'] }), [
      [0, '-'],
      [0, '-'],
      [0, '-'],
    ]);
  });

  test('200: what was corrected below zero is negative, and divides nothing', async () => {
    const tenant = await world().tenant({ channel: vendor });
    await importRows(world(), 'vendorSales', tenant.channelId, [
      {
        date: '2025-03-10',
        asin: 'B0A',
        view: 'MANUFACTURING',
        glanceViews: 3,
        orderedRevenue: '-10.005',
        orderedUnits: -1,
        shippedCogs: -2,
      },
    ]);
    await importRows(world(), 'campaignDays', tenant.channelId, [
      { date: '2025-03-10', campaignId: '1', cost: 1, clicks: 1 },
    ]);
    const { formattedChartData: rows } = await view(
      world(),
      tenant,
      days('2025-03-10', '2025-03-10'),
    );
    const {
      orderedRevenue,
      orderedUnits,
      conversionRate,
      retailPrice,
      shippedCogsManufacturing,
      tacosOrderedRevenue,
    } = rows[0]!;
    assert.deepEqual(
      [
        orderedRevenue,
        orderedUnits,
        conversionRate,
        retailPrice,
        shippedCogsManufacturing,
        tacosOrderedRevenue,
      ],
      ['-10.01', -1, '-33.3', '-', '-2.00', '-'],
    );
  });

  test('200: yen have no decimals, dinars three, and the retail price at least two', async () => {
    for (const [currency, revenue, price] of [
      ['JPY', '101', '33.67'],
      ['KWD', '101.000', '33.667'],
    ] as const) {
      const tenant = await world().tenant({ channel: { ...vendor, currency } });
      await importRows(world(), 'vendorSales', tenant.channelId, [
        {
          date: '2025-03-10',
          asin: 'B0A',
          view: 'MANUFACTURING',
          orderedRevenue: 101,
          orderedUnits: 3,
        },
      ]);
      const { formattedChartData: rows, currency: shown } = await view(
        world(),
        tenant,
        days('2025-03-10', '2025-03-10'),
      );
      assert.deepEqual(
        [shown, rows[0]!.currency, rows[0]!.orderedRevenue, rows[0]!.retailPrice],
        [currency, currency, revenue, price],
      );
    }
  });

  test('200: facts of another currency are converted at the rate of their date', async () => {
    const tenant = await world().tenant({ channel: { ...vendor, currency: 'EUR' } });
    await importRows(world(), 'exchangeRates', undefined, [
      { date: '2025-03-10', currency: 'USD', perEuro: 1.25 },
      { date: '2025-03-12', currency: 'USD', perEuro: 1.6 },
    ]);
    const rows = ['2025-03-10', '2025-03-11', '2025-03-12'].flatMap((date) => [
      {
        date,
        asin: 'B0A',
        view: 'MANUFACTURING',
        orderedRevenue: '10.00',
        orderedUnits: 1,
        currency: 'USD',
      },
      { date, asin: 'B0B', view: 'MANUFACTURING', orderedRevenue: '1.00', orderedUnits: 1 },
    ]);
    await importRows(world(), 'vendorSales', tenant.channelId, rows);
    await importRows(world(), 'adProductDays', tenant.channelId, [
      { date: '2025-03-12', productId: 'B0A', cost: '1.60', currency: 'USD' },
    ]);
    const revenue = async (more: object) =>
      (await view(world(), tenant, days('2025-03-10', '2025-03-12'), more)).formattedChartData.map(
        (row) => row.orderedRevenue,
      );
    // 10 USD are 8 EUR, the day after too, and then 6.25 EUR.
    assert.deepEqual(await revenue({}), ['9.00', '9.00', '7.25']);
    assert.deepEqual(await revenue({ asins: ['B0A'] }), ['8.00', '8.00', '6.25']);
    const { formattedChartData } = await view(world(), tenant, days('2025-03-12', '2025-03-12'), {
      asins: ['B0A'],
    });
    assert.deepEqual(
      [formattedChartData[0]!.adSpend, formattedChartData[0]!.tacosOrderedRevenue],
      ['1.00', '16.0'],
    );
  });
});

onOnePair('Refusals of vendorSalesByPeriod', (world) => {
  const options = days('2025-03-01', '2025-03-07');

  async function refusal(
    more: object,
    reportOptions: unknown = options,
    kind: 'vendor' | 'seller' = 'vendor',
  ): Promise<string> {
    const { channelId, merchantId, key } = await world().tenant({ channel: { kind } });
    const { status, body } = await world().ask(key, 'POST', path, {
      channelId,
      merchantId,
      reportOptions,
      ...more,
    });
    assert.equal(status, 400, JSON.stringify(body));
    assert.deepEqual(Object.keys(body).sort(), ['error', 'status']);
    return body.error;
  }

  test('400: every failing rule is listed, in the order of the request', async () => {
    assert.equal(
      await refusal(
        { channelId: 7, asins: [''] },
        { fromDate: '1', toDate: 1.5, timezone: 'Mars/Base' },
      ),
      'channelId must be a string, reportOptions.fromDate must be an integer, reportOptions.toDate must be an integer, ' +
        'reportOptions.timezone must be an IANA time zone, asins[0] must not be empty',
    );
    assert.equal(
      await refusal({ merchantId: undefined, reportOptions: undefined }),
      'merchantId is required, reportOptions is required',
    );
    assert.match(await refusal({ asins: 'B0A' }), /asins must be/);
    assert.match(
      await refusal({ asins: Array.from({ length: 1001 }, (_, index) => `B${index}`) }),
      /asins must have at most 1000 entries/,
    );
  });

  test('400: hours, for figures that exist by day only', async () => {
    for (const interval of ['h', 'hour']) {
      assert.equal(
        await refusal({}, { ...options, interval }),
        'reportOptions.interval must be d or w or M or Q or y or day or week or month or quarter or year',
      );
    }
  });

  test('400: milliseconds, ends before beginnings, half a comparison, more than 4,000 buckets', async () => {
    assert.match(
      await refusal({}, { ...options, toDate: options.toDate * 1000 }),
      /toDate must be in seconds and not in milliseconds/,
    );
    assert.match(
      await refusal({}, { ...options, toDate: options.fromDate - 1 }),
      /toDate must not be before reportOptions.fromDate/,
    );
    assert.match(await refusal({}, { ...options, priorFromDate: 1 }), /must be given together/);
    assert.match(
      await refusal({}, { ...options, fromDate: 0, toDate: 4001 * 86_400 - 1, timezone: 'UTC' }),
      /more than 4000 buckets/,
    );
    assert.match(
      await refusal({}, { ...options, priorFromDate: 0, priorToDate: 4001 * 86_400 - 1 }),
      /priorFromDate to reportOptions.priorToDate has more than 4000/,
    );
  });

  test('200: exactly 4,000 buckets', async () => {
    const tenant = await world().tenant({ channel: vendor });
    const { formattedChartData } = await view(world(), tenant, {
      fromDate: 0,
      toDate: 4000 * 86_400 - 1,
      timezone: 'UTC',
    });
    assert.equal(formattedChartData.length, 4000);
  });

  test('400: a seller channel is sent to the view of sellers', async () => {
    assert.equal(
      await refusal({}, options, 'seller'),
      'channelId must be a vendor channel: ask /reports/view/salesByPeriod about this one',
    );
  });
});

const zones = [
  'UTC',
  'America/New_York',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'America/Santiago',
  'Pacific/Auckland',
];
const firstDate = Temporal.PlainDate.from('2025-03-01');
const spanDays = 50;
const cents = fc.integer({ min: -9_999, max: 99_999 }).map((amount) => (amount / 100).toFixed(2));
const dates = fc
  .integer({ min: 0, max: spanDays - 1 })
  .map((day) => firstDate.add({ days: day }).toString());
const asins = fc.constantFrom('A', 'B', 'C');
const views = fc.constantFrom('MANUFACTURING', 'SOURCING');
const figures = {
  glanceViews: fc.nat(500),
  orderedRevenue: cents,
  orderedUnits: fc.integer({ min: -3, max: 20 }),
  shippedRevenue: cents,
  shippedUnits: fc.integer({ min: -3, max: 20 }),
  shippedCogs: cents,
};
const adFigures = { impressions: fc.nat(9_999), clicks: fc.nat(99), cost: cents, sales: cents };
const facts = fc.record({
  sales: fc.uniqueArray(fc.record({ date: dates, asin: asins, view: views, ...figures }), {
    selector: (row) => row.date + row.asin + row.view,
    maxLength: 60,
  }),
  totals: fc.uniqueArray(fc.record({ date: dates, view: views, ...figures }), {
    selector: (row) => row.date + row.view,
    maxLength: 10,
  }),
  traffic: fc.uniqueArray(fc.record({ date: dates, asin: asins, views: fc.nat(500) }), {
    selector: (row) => row.date + row.asin,
    maxLength: 10,
  }),
  ads: fc.uniqueArray(
    fc.record({ date: dates, campaignId: fc.constantFrom('1', '2'), ...adFigures }),
    {
      selector: (row) => row.date + row.campaignId,
      maxLength: 30,
    },
  ),
  productAds: fc.uniqueArray(
    fc.record({ date: dates, productId: asins, sku: fc.constantFrom('', 'S'), ...adFigures }),
    {
      selector: (row) => row.date + row.productId + row.sku,
      maxLength: 30,
    },
  ),
});
type Facts = typeof facts extends fc.Arbitrary<infer F> ? F : never;
const instants = fc.integer({
  min: at('UTC', '2025-03-01T00:00'),
  max: at('UTC', '2025-04-19T23:59:59'),
});
const questions = fc.record({
  zone: fc.constantFrom(...zones),
  interval: fc.constantFrom('d', 'w', 'M', 'Q', 'y'),
  from: instants,
  length: fc.integer({ min: 0, max: 30 * 86_400 }),
  priorShift: fc.integer({ min: -200 * 86_400, max: 20 * 86_400 }),
  asins: fc.constantFrom([], ['A'], ['B', 'C', 'none']),
});
type Question = typeof questions extends fc.Arbitrary<infer Q> ? Q : never;

/**
 * The same answer worked out the slow way: date by date and fact by fact, with another library for
 * zones and another one for decimals.
 */
function naive(
  given: Facts,
  { zone, interval, asins: only }: Question,
  from: number,
  to: number,
): { known: boolean; metrics: Row }[] {
  const dateOf = (instant: number) =>
    Temporal.Instant.fromEpochMilliseconds(instant * 1000)
      .toZonedDateTimeISO(zone)
      .toPlainDate();
  const bucketOf = (date: Temporal.PlainDate): string => {
    if (interval === 'w') return date.subtract({ days: date.dayOfWeek - 1 }).toString();
    if (interval === 'M') return date.with({ day: 1 }).toString();
    if (interval === 'Q')
      return date.with({ month: Math.floor((date.month - 1) / 3) * 3 + 1, day: 1 }).toString();
    return interval === 'y' ? date.with({ month: 1, day: 1 }).toString() : date.toString();
  };
  const chosen = (asin: string) => only.length === 0 || (only as readonly string[]).includes(asin);
  const trafficDates = new Set(given.traffic.map(({ date }) => date));
  const buckets = new Map<string, Record<string, Decimal>>();
  const known = new Set<string>();
  const last = dateOf(to);
  for (
    let date = dateOf(from);
    Temporal.PlainDate.compare(date, last) <= 0;
    date = date.add({ days: 1 })
  ) {
    const key = bucketOf(date);
    const sums = buckets.get(key) ?? {};
    buckets.set(key, sums);
    const plus = (name: string, value: Decimal.Value) => {
      sums[name] = (sums[name] ?? new Decimal(0)).plus(value);
    };
    const own = <Fact extends { date: string }>(rows: readonly Fact[]) =>
      rows.filter((row) => row.date === date.toString());
    const totals = only.length === 0 ? own(given.totals) : [];
    const salesRows = [
      ...totals,
      ...own(given.sales).filter(
        (row) => chosen(row.asin) && !totals.some((total) => total.view === row.view),
      ),
    ];
    const traffic = own(given.traffic).filter((row) => chosen(row.asin));
    const ads =
      only.length === 0
        ? own(given.ads)
        : own(given.productAds).filter((row) => chosen(row.productId));
    if (salesRows.length + traffic.length + ads.length > 0) known.add(key);
    for (const row of salesRows) {
      const isAll = row.view === 'MANUFACTURING';
      if (isAll && !trafficDates.has(row.date)) plus('glanceViews', row.glanceViews);
      if (isAll) plus('orderedRevenue', row.orderedRevenue);
      if (isAll) plus('orderedUnits', row.orderedUnits);
      plus(isAll ? 'shippedRevenueManufacturing' : 'shippedRevenue', row.shippedRevenue);
      plus(isAll ? 'shippedUnitsManufacturing' : 'shippedUnits', row.shippedUnits);
      plus(isAll ? 'shippedCogsManufacturing' : 'shippedCogs', row.shippedCogs);
    }
    for (const row of traffic) plus('glanceViews', row.views);
    for (const row of ads) {
      plus('impressions', row.impressions);
      plus('clicks', row.clicks);
      plus('adSpend', row.cost);
      plus('adSales', row.sales);
    }
  }
  return [...buckets].map(([key, sums]) => {
    const sum = (name: string) => sums[name] ?? new Decimal(0);
    const money = (name: string) =>
      sum(name)
        .toFixed(2, Decimal.ROUND_HALF_UP)
        .replace(/^-(0\.00)$/, '$1');
    const ratio = (part: string, whole: string, places = 1, factor = 100) =>
      sum(whole).gt(0)
        ? sum(part)
            .times(factor)
            .div(sum(whole))
            .toFixed(places, Decimal.ROUND_HALF_UP)
            .replace(/^-(0\.0+)$/, '$1')
        : '-';
    return {
      known: known.has(key),
      metrics: {
        glanceViews: sum('glanceViews').toNumber(),
        orderedUnits: sum('orderedUnits').toNumber(),
        shippedUnits: sum('shippedUnits').toNumber(),
        shippedUnitsManufacturing: sum('shippedUnitsManufacturing').toNumber(),
        impressions: sum('impressions').toNumber(),
        clicks: sum('clicks').toNumber(),
        orderedRevenue: money('orderedRevenue'),
        conversionRate: ratio('orderedUnits', 'glanceViews'),
        retailPrice: ratio('orderedRevenue', 'orderedUnits', 2, 1),
        shippedRevenue: money('shippedRevenue'),
        shippedRevenueManufacturing: money('shippedRevenueManufacturing'),
        shippedCogs: money('shippedCogs'),
        shippedCogsManufacturing: money('shippedCogsManufacturing'),
        adSales: money('adSales'),
        adSpend: money('adSpend'),
        acos: ratio('adSpend', 'adSales'),
        tacosOrderedRevenue: ratio('adSpend', 'orderedRevenue'),
        tacosShippedRevenue: ratio('adSpend', 'shippedRevenue'),
        tacosManufacturing: ratio('adSpend', 'shippedRevenueManufacturing'),
        clickThroughRate: ratio('clicks', 'impressions', 2),
      },
    };
  });
}

onRandomFacts('vendorSalesByPeriod on random facts', (world) => {
  test('equals a plain recomputation, whatever the zone, the range, the interval and the ASINs', async () => {
    await fc.assert(
      fc.asyncProperty(
        facts,
        fc.array(questions, { minLength: 8, maxLength: 8 }),
        async (given, askedList) => {
          const tenant = await world().tenant({ channel: vendor });
          const { channelId } = tenant;
          const salesRows = [...given.sales, ...given.totals, ...given.traffic.map(trafficRow)];
          if (salesRows.length > 0) await importRows(world(), 'vendorSales', channelId, salesRows);
          if (given.ads.length > 0) await importRows(world(), 'campaignDays', channelId, given.ads);
          if (given.productAds.length > 0)
            await importRows(world(), 'adProductDays', channelId, given.productAds);
          for (const asked of askedList) {
            const [from, to] = [asked.from, asked.from + asked.length];
            const [priorFrom, priorTo] = [from + asked.priorShift, to + asked.priorShift];
            const { zone: timezone, interval } = asked;
            const options = {
              fromDate: from,
              toDate: to,
              priorFromDate: priorFrom,
              priorToDate: priorTo,
              timezone,
              interval,
            };
            const { formattedChartData: rows } = await view(world(), tenant, options, {
              asins: asked.asins,
            });
            const current = naive(given, asked, from, to);
            const before = naive(given, asked, priorFrom, priorTo);
            assert.equal(rows.length, current.length);
            rows.forEach(({ startTime: _, endTime: __, currency: ___, ...metrics }, index) => {
              const compared = before[index]?.known ? before[index].metrics : unknown;
              assert.deepEqual(
                metrics,
                { ...current[index]!.metrics, ...prior(compared) },
                JSON.stringify({ asked, index }),
              );
            });
          }
        },
      ),
      { numRuns: triesOn(world(), { embedded: 10, served: 3 }) },
    );
  });
});
