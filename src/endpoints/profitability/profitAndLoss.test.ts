import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { casesOn, onEachPair, onOnePair, type Tenant, type World } from '../../../test/harness.ts';
import { importRows } from '../../../test/imports.ts';
import { slowTest } from '../../../test/level.ts';

/** Epoch seconds of an ISO instant. */
function at(instant: string): number {
  return Date.parse(instant) / 1000;
}

/** Asks for a profit and loss; products are asked for both from memory and without it. */
async function ask(
  world: World,
  { key, channelId, merchantId }: Tenant,
  level: 'store' | 'product',
  reportOptions: unknown,
) {
  const path = `/profitability/${level}ProfitAndLoss`;
  const body = { channelId, merchantId, reportOptions };
  const { status, body: answer } = await world.ask(key, 'POST', path, body);
  if (level === 'product') {
    const unkept = await world.askUnkept(key, 'POST', path, body);
    assert.deepEqual([status, answer], [unkept.status, unkept.body]);
  }
  return { status, body: answer };
}

type Lines = Record<string, number>;
type Row = Lines & {
  readonly sellerSku: string;
  readonly productSku: string;
  readonly title: string;
};

async function store(world: World, tenant: Tenant, reportOptions: object): Promise<Lines> {
  const answer = await ask(world, tenant, 'store', reportOptions);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

async function products(
  world: World,
  tenant: Tenant,
  reportOptions: object,
): Promise<{ productEvents: Row[]; count: number }> {
  const answer = await ask(world, tenant, 'product', reportOptions);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

let events = 0;

async function post(world: World, { channelId }: Tenant, rows: readonly object[]): Promise<void> {
  await importRows(
    world,
    'financeEvents',
    channelId,
    rows.map((row) => ({ eventId: String(++events), ...row })),
  );
}

async function inUtc(world: World, channel: object = {}): Promise<Tenant> {
  return world.tenant({ channel: { timezone: 'UTC', ...channel } });
}

const day = { fromDate: at('2025-03-10T00:00:00Z'), toDate: at('2025-03-10T23:59:59Z') };
const noon = '2025-03-10T12:00:00Z';
const nothing: Lines = {
  totalRevenue: 0,
  totalExpenses: 0,
  sales: 0,
  advertisingSpend: 0,
  sellingFees: 0,
  shippingFees: 0,
  refunds: 0,
  reimbursements: 0,
  otherIncome: 0,
  promotions: 0,
  refundsAndReturnsOverheads: 0,
  cogs: 0,
  otherExpenses: 0,
};

onEachPair('The small world of profit and loss', (world) => {
  let tenant: Tenant;

  before(async () => {
    tenant = await inUtc(world());
    await importRows(world(), 'unitCosts', tenant.channelId, [
      { sku: 'A', effectiveFrom: '2025-01-01', cogs: '3.20' },
      { sku: 'B', effectiveFrom: '2025-01-01', cogs: '1.10', shippingCost: '2.00' },
    ]);
    await importRows(world(), 'products', tenant.channelId, [
      { sku: 'A', productId: 'PA', title: 'Apples' },
    ]);
    await post(
      world(),
      tenant,
      [
        { sku: 'A', line: 'sales', amount: '20.00', tax: '1.60', quantity: 2, fulfillment: 'AFN' },
        { sku: 'B', line: 'sales', amount: '5.50', tax: '0.44', quantity: 1, fulfillment: 'MFN' },
        { sku: 'A', line: 'promotions', amount: '-1.25' },
        { sku: 'A', line: 'refunds', amount: '-10.00', tax: '-0.80', quantity: 1 },
        { sku: 'B', line: 'reimbursements', amount: '3.33' },
        { line: 'otherIncome', amount: '4.99' },
        { line: 'advertisingSpend', amount: '-7.77' },
        { sku: 'A', line: 'sellingFees', amount: '-3.83' },
        { sku: 'A', line: 'shippingFees', amount: '-6.10' },
        { sku: 'A', line: 'refundsAndReturnsOverheads', amount: '-0.50' },
        { line: 'otherExpenses', amount: '-2.40' },
        { sku: 'Z', line: 'balance', amount: '-100.00' },
        { sku: 'B', code: 'NeverSeen', amount: '0.07' },
        { sku: 'B', code: 'NeverSeen', amount: '-0.03' },
      ].map((row) => ({ postedAt: noon, ...row })),
    );
  });

  const whole: Lines = {
    totalRevenue: 22.64, // 25.50 - 10.00 - 1.25 + 3.33 + 5.06
    totalExpenses: 30.13, // 7.77 + 3.83 + 8.10 + 0.50 + 7.50 + 2.43
    sales: 25.5,
    advertisingSpend: 7.77,
    sellingFees: 3.83,
    shippingFees: 8.1, // 6.10 and the one B that the seller shipped
    refunds: -10,
    reimbursements: 3.33,
    otherIncome: 5.06,
    promotions: -1.25,
    refundsAndReturnsOverheads: 0.5,
    cogs: 7.5, // 2 x 3.20 + 1.10
    otherExpenses: 2.43,
  };

  test('200: every line of the store, expenses positive as costs, and nothing else', async () => {
    assert.deepEqual(await store(world(), tenant, day), whole);
  });

  test('200: with tax sales and refunds change, and what is totalled of them', async () => {
    const statement = await store(world(), tenant, { ...day, includeTax: true });
    assert.deepEqual(statement, { ...whole, sales: 27.54, refunds: -10.8, totalRevenue: 23.88 });
  });

  test('200: the cost of returned units is taken off by includeCogsRefunds alone', async () => {
    const statement = await store(world(), tenant, { ...day, includeCogsRefunds: true });
    assert.deepEqual(statement, { ...whole, cogs: 4.3, totalExpenses: 26.93 });
  });

  test('200: a range without events is all zeros, and none of them is negative', async () => {
    const statement = await store(world(), tenant, {
      fromDate: day.toDate + 1,
      toDate: day.toDate + 1,
    });
    assert.deepEqual(statement, nothing);
    for (const value of Object.values(statement)) assert.ok(Object.is(value, 0));
  });

  test('200: every range that holds the events says the same, to the first and the last second that may be asked', async () => {
    const zones = ['UTC', 'Australia/Lord_Howe', 'America/Los_Angeles', 'Africa/Monrovia'];
    for (const range of [
      { fromDate: at(noon), toDate: at(noon) },
      { fromDate: at(noon) - 1, toDate: at(noon) + 1 },
      { fromDate: at('2025-03-09T23:59:59Z'), toDate: at('2025-03-11T00:00:00Z') },
      { fromDate: 0, toDate: 100_000_000_000 },
    ]) {
      for (const timezone of casesOn(world(), zones, 4)) {
        assert.deepEqual(
          await store(world(), tenant, { ...range, timezone }),
          whole,
          JSON.stringify({ range, timezone }),
        );
      }
      const { productEvents, count } = await products(world(), tenant, range);
      assert.deepEqual([count, productEvents.map((row) => row.sales)], [3, [20, 5.5, 0]]);
    }
  });

  test('200: every figure of the products, the largest sales first; events without a SKU are of none', async () => {
    const { productEvents, count } = await products(world(), tenant, day);
    assert.equal(count, 3);
    assert.deepEqual(productEvents, [
      {
        ...nothing,
        sellerSku: 'A',
        productSku: 'PA',
        title: 'Apples',
        sales: 20,
        refunds: -10,
        promotions: -1.25,
        totalRevenue: 8.75,
        sellingFees: 3.83,
        shippingFees: 6.1,
        refundsAndReturnsOverheads: 0.5,
        cogs: 6.4,
        totalExpenses: 16.83,
        totalProfit: -8.08,
      },
      {
        ...nothing,
        sellerSku: 'B',
        productSku: '',
        title: '',
        sales: 5.5,
        reimbursements: 3.33,
        otherIncome: 0.07,
        totalRevenue: 8.9,
        shippingFees: 2,
        cogs: 1.1,
        otherExpenses: 0.03,
        totalExpenses: 3.13,
        totalProfit: 5.77,
      },
      { ...nothing, sellerSku: 'Z', productSku: '', title: '', totalProfit: 0 },
    ]);
    const [first] = (
      await products(world(), tenant, { ...day, includeTax: true, includeCogsRefunds: true })
    ).productEvents;
    // 21.60 - 10.80 - 1.25 = 9.55; 16.83 - 3.20 = 13.63
    assert.deepEqual(
      [
        first!.sales,
        first!.refunds,
        first!.cogs,
        first!.totalRevenue,
        first!.totalExpenses,
        first!.totalProfit,
      ],
      [21.6, -10.8, 3.2, 9.55, 13.63, -4.08],
    );
  });
});

onOnePair('Lines of profit and loss', (world) => {
  test('200: each line is rounded half away from zero, and totals are sums of what is shown', async () => {
    const tenant = await inUtc(world());
    await post(
      world(),
      tenant,
      [
        { line: 'sales', amount: '0.1' },
        { line: 'otherIncome', amount: '0.2' },
        { line: 'reimbursements', amount: '0.004' },
        { line: 'refunds', amount: '-0.005' },
        { line: 'promotions', amount: '-0.004' },
        { line: 'sellingFees', amount: '-0.005' },
        { line: 'otherExpenses', amount: '0.005' },
        { line: 'refundsAndReturnsOverheads', amount: '-0.0049' },
      ].map((row) => ({ postedAt: noon, sku: 'A', ...row })),
    );
    const lines: Lines = {
      ...nothing,
      sales: 0.1,
      otherIncome: 0.2,
      refunds: -0.01,
      sellingFees: 0.01,
      otherExpenses: -0.01,
      totalRevenue: 0.29,
      totalExpenses: 0,
    };
    const statement = await store(world(), tenant, day);
    assert.deepEqual(statement, lines);
    assert.ok(Object.is(statement.promotions, 0));
    const { productEvents } = await products(world(), tenant, day);
    assert.deepEqual(productEvents, [
      { ...lines, sellerSku: 'A', productSku: '', title: '', totalProfit: 0.29 },
    ]);
  });

  test("200: amounts are in the currency's own minor unit", async () => {
    for (const [currency, sales, fees] of [
      ['JPY', 1235, 2],
      ['KWD', 1234.568, 1.5],
    ] as const) {
      const tenant = await inUtc(world(), { currency });
      await post(world(), tenant, [
        {
          postedAt: noon,
          sku: 'A',
          line: 'sales',
          amount: currency === 'JPY' ? '1234.5' : '1234.5675',
        },
        { postedAt: noon, sku: 'A', line: 'sellingFees', amount: '-1.5' },
      ]);
      const statement = await store(world(), tenant, day);
      assert.deepEqual(
        [statement.sales, statement.sellingFees, statement.totalRevenue],
        [sales, fees, sales],
        currency,
      );
    }
  });

  test('200: shipping a unit costs where the event says that the seller did, or nobody says that the marketplace does', async () => {
    const tenant = await inUtc(world());
    const skus = ['none', 'theirs', 'ours'];
    await importRows(
      world(),
      'unitCosts',
      tenant.channelId,
      skus.map((sku) => ({ sku, effectiveFrom: '2025-01-01', shippingCost: '1' })),
    );
    await importRows(world(), 'products', tenant.channelId, [
      { sku: 'theirs', fulfilledByMarketplace: true },
      { sku: 'ours', fulfilledByMarketplace: false },
    ]);
    await post(
      world(),
      tenant,
      skus.flatMap((sku) => [
        { postedAt: noon, sku, line: 'sales', quantity: 1 },
        { postedAt: noon, sku, line: 'sales', quantity: 20, fulfillment: 'MFN' },
        { postedAt: noon, sku, line: 'sales', quantity: 300, fulfillment: 'AFN' },
        { postedAt: noon, sku, line: 'refunds', quantity: 4000, fulfillment: 'MFN' },
      ]),
    );
    for (const range of [day, { fromDate: at(noon), toDate: at(noon) }]) {
      assert.equal(
        (await store(world(), tenant, { ...range, includeCogsRefunds: true })).shippingFees,
        62,
      );
      const { productEvents } = await products(world(), tenant, range);
      assert.deepEqual(
        productEvents.map((row) => [row.sellerSku, row.shippingFees]),
        [
          ['none', 21],
          ['ours', 21],
          ['theirs', 20],
        ],
      );
    }
  });

  test('200: units that come to none on a day cost what was shipped of them', async () => {
    const tenant = await inUtc(world());
    await importRows(world(), 'unitCosts', tenant.channelId, [
      { sku: 'A', effectiveFrom: '2025-01-01', cogs: '7', shippingCost: '2' },
    ]);
    await post(world(), tenant, [
      { postedAt: noon, sku: 'A', line: 'sales', quantity: 5, fulfillment: 'MFN' },
      { postedAt: noon, sku: 'A', line: 'sales', quantity: -5, fulfillment: 'AFN' },
    ]);
    for (const range of [day, { fromDate: at(noon), toDate: at(noon) }]) {
      const { cogs, shippingFees } = await store(world(), tenant, range);
      const { productEvents } = await products(world(), tenant, range);
      assert.deepEqual(
        [cogs, shippingFees, productEvents.map((row) => [row.cogs, row.shippingFees])],
        [0, 10, [[0, 10]]],
      );
    }
  });

  test('200: a cost of goods reported by the source counts if no unit cost applies, and its SKU has a row either way', async () => {
    const tenant = await inUtc(world());
    await importRows(world(), 'unitCosts', tenant.channelId, [
      { sku: 'A', effectiveFrom: '2025-03-10', cogs: '2' },
    ]);
    await post(world(), tenant, [
      { postedAt: '2025-03-09T23:59:59Z', sku: 'A', line: 'cogs', amount: '-1.00' },
      { postedAt: '2025-03-10T00:00:00Z', sku: 'A', line: 'cogs', amount: '-10.00' },
      { postedAt: '2025-03-10T12:00:00Z', sku: 'B', line: 'cogs', amount: '-0.10' },
      { postedAt: '2025-03-10T12:00:00Z', line: 'cogs', amount: '-0.01' },
    ]);
    const both = { fromDate: day.fromDate - 86_400, toDate: day.toDate };
    assert.deepEqual(
      [(await store(world(), tenant, both)).cogs, (await store(world(), tenant, day)).cogs],
      [1.11, 0.11],
    );
    for (const range of [day, { fromDate: day.fromDate, toDate: at(noon) }]) {
      const { productEvents } = await products(world(), tenant, range);
      assert.deepEqual(
        productEvents.map((row) => [row.sellerSku, row.cogs]),
        [
          ['A', 0],
          ['B', 0.1],
        ],
      );
    }
  });

  slowTest(
    '200: every second is in the ranges that hold it and in no other, on both sides of a quarter of an hour',
    async () => {
      const tenant = await inUtc(world());
      const seconds = [
        '00:00:00',
        '09:59:59',
        '10:00:00',
        '10:00:01',
        '10:14:59',
        '10:15:00',
        '23:59:59',
      ].map((time) => at(`2025-03-10T${time}Z`));
      await post(
        world(),
        tenant,
        seconds.map((postedAt, place) => ({
          postedAt,
          sku: 'A',
          line: 'otherIncome',
          amount: String(10 ** place),
        })),
      );
      for (const [first, fromDate] of seconds.entries()) {
        for (const [length, toDate] of seconds.slice(first).entries()) {
          // Ones from the place of the first to that of the last.
          const expected = Number('1'.repeat(length + 1)) * 10 ** first;
          const range = { fromDate, toDate };
          assert.equal(
            (await store(world(), tenant, range)).otherIncome,
            expected,
            JSON.stringify(range),
          );
          assert.equal(
            (await store(world(), tenant, { ...range, timezone: 'Asia/Kathmandu' })).otherIncome,
            expected,
          );
          assert.equal(
            (await products(world(), tenant, range)).productEvents[0]!.otherIncome,
            expected,
          );
        }
      }
    },
  );
});

onOnePair('Unit costs by date', (world) => {
  // The 6th of April begins at 13:00 of the 5th in Sydney and on Lord Howe, where clocks go back on
  // it, at 18:15 in Kathmandu, and at 07:00 of the 6th in Los Angeles.
  const instants = [
    '2025-04-05T12:59:59Z',
    '2025-04-05T13:00:00Z',
    '2025-04-05T18:14:59Z',
    '2025-04-05T18:15:00Z',
    '2025-04-05T23:59:59Z',
    '2025-04-06T00:00:00Z',
    '2025-04-06T06:59:59Z',
    '2025-04-06T07:00:00Z',
  ];
  /** How many of the instants come before the date does. */
  const before6th = {
    'Australia/Sydney': 1,
    'Australia/Lord_Howe': 1,
    'Asia/Kathmandu': 3,
    UTC: 5,
    'Africa/Monrovia': 5,
    'America/Los_Angeles': 7,
  };
  let tenant: Tenant;

  before(async () => {
    tenant = await inUtc(world());
    await importRows(world(), 'unitCosts', tenant.channelId, [
      { sku: 'A', effectiveFrom: '2025-01-01', cogs: '1', shippingCost: '0.5' },
      { sku: 'A', effectiveFrom: '2025-04-06', cogs: '5', shippingCost: '0.25' },
      // Costs of days without a sale around it, so that there is more than one group of days.
      ...[
        '2025-03-20',
        '2025-03-22',
        '2025-04-10',
        '2025-04-12',
        '2025-04-14',
        '2025-04-16',
        '2025-04-18',
        '2025-04-20',
        '2025-04-22',
      ].map((effectiveFrom) => ({ sku: 'B', effectiveFrom, cogs: '100' })),
    ]);
    await post(
      world(),
      tenant,
      instants.map((postedAt) => ({ postedAt, sku: 'A', line: 'sales', quantity: 1 })),
    );
  });

  test('200: a cost holds from the first instant of its date in the time zone', async () => {
    for (const [timezone, old] of Object.entries(before6th)) {
      for (const [fromDate, toDate] of [
        ['2025-04-01T00:00:00Z', '2025-04-08T23:59:59Z'],
        ['2025-03-01T00:00:00Z', '2025-04-30T23:59:59Z'],
        ['2025-04-05T12:59:59Z', '2025-04-06T07:00:00Z'],
      ] as const) {
        const statement = await store(world(), tenant, {
          fromDate: at(fromDate),
          toDate: at(toDate),
          timezone,
        });
        const expected = [old + 5 * (8 - old), old * 0.5 + 0.25 * (8 - old)];
        assert.deepEqual(
          [statement.cogs, statement.shippingFees],
          expected,
          JSON.stringify({ timezone, fromDate }),
        );
      }
    }
  });

  test('200: and so it does when a single second is asked', async () => {
    for (const [timezone, old] of Object.entries(before6th)) {
      for (const [place, instant] of instants.entries()) {
        const statement = await store(world(), tenant, {
          fromDate: at(instant),
          toDate: at(instant),
          timezone,
        });
        assert.equal(statement.cogs, place < old ? 1 : 5, JSON.stringify({ timezone, instant }));
      }
    }
  });

  test('200: products go by the dates of UTC, and a unit costs nothing before its first date', async () => {
    const { productEvents } = await products(world(), tenant, {
      fromDate: at(instants[0]!),
      toDate: at(instants[7]!),
    });
    assert.equal(productEvents[0]!.cogs, 5 + 3 * 5);
    await post(world(), tenant, [
      { postedAt: '2024-12-31T23:59:59Z', sku: 'A', line: 'sales', quantity: 1 },
    ]);
    const statement = await store(world(), tenant, {
      fromDate: at('2024-12-31T00:00:00Z'),
      toDate: at('2024-12-31T23:59:59Z'),
    });
    assert.equal(statement.cogs, 0);
    const sydney = {
      fromDate: at('2024-12-31T00:00:00Z'),
      toDate: at('2024-12-31T23:59:59Z'),
      timezone: 'Australia/Sydney',
    };
    assert.equal((await store(world(), tenant, sydney)).cogs, 1);
  });

  test('200: a cost of a date that the zone skipped applies from the next date', async () => {
    const apia = await inUtc(world());
    await importRows(world(), 'unitCosts', apia.channelId, [
      { sku: 'A', effectiveFrom: '2011-12-30', cogs: '1' },
    ]);
    // Samoa went from the 29th to the 31st of December 2011 at 10:00 in UTC.
    await post(world(), apia, [
      { postedAt: '2011-12-30T09:59:59Z', sku: 'A', line: 'sales', quantity: 10 },
      { postedAt: '2011-12-30T10:00:00Z', sku: 'A', line: 'sales', quantity: 1 },
    ]);
    const range = { fromDate: at('2011-12-01T00:00:00Z'), toDate: at('2012-01-31T23:59:59Z') };
    assert.equal((await store(world(), apia, { ...range, timezone: 'Pacific/Apia' })).cogs, 1);
    assert.equal((await store(world(), apia, range)).cogs, 11);
  });

  test('200: offsets that are no whole quarters of an hour are kept to the second', async () => {
    const monrovia = await inUtc(world());
    // Liberia's clocks showed 44 minutes and 30 seconds less than UTC until 1972.
    await importRows(world(), 'unitCosts', monrovia.channelId, [
      { sku: 'A', effectiveFrom: '1971-06-02', cogs: '1' },
    ]);
    await post(world(), monrovia, [
      { postedAt: '1971-06-02T00:44:29Z', sku: 'A', line: 'sales', quantity: 10 },
      { postedAt: '1971-06-02T00:44:30Z', sku: 'A', line: 'sales', quantity: 1 },
    ]);
    const range = { fromDate: at('1971-06-01T00:00:00Z'), toDate: at('1971-06-30T23:59:59Z') };
    assert.equal(
      (await store(world(), monrovia, { ...range, timezone: 'Africa/Monrovia' })).cogs,
      1,
    );
  });
});

onOnePair('Currencies of profit and loss', (world) => {
  before(() =>
    importRows(world(), 'exchangeRates', undefined, [
      { date: '2025-03-07', currency: 'USD', perEuro: 1.05 },
      { date: '2025-03-07', currency: 'GBP', perEuro: 0.84 },
      { date: '2025-03-10', currency: 'USD', perEuro: 1.1 },
      { date: '2025-03-10', currency: 'GBP', perEuro: 0.8 },
    ]),
  );

  test('200: amounts and unit costs of other currencies are converted at the rate of their date in the time zone', async () => {
    const tenant = await inUtc(world());
    await importRows(world(), 'unitCosts', tenant.channelId, [
      {
        ...{ sku: 'A', effectiveFrom: '2025-01-01', cogs: '8.40', cogsCurrency: 'GBP' },
        ...{ shippingCost: '2.00', shippingCostCurrency: 'EUR' },
      },
    ]);
    await post(world(), tenant, [
      {
        postedAt: '2025-03-09T20:00:00Z',
        sku: 'A',
        line: 'sales',
        amount: '100.00',
        currency: 'EUR',
        quantity: 1,
        fulfillment: 'MFN',
      },
      { postedAt: '2025-03-09T20:00:00Z', sku: 'A', line: 'sellingFees', amount: '-0.10' },
    ]);
    const range = { fromDate: at('2025-03-09T00:00:00Z'), toDate: at('2025-03-10T23:59:59Z') };
    // On Sunday in UTC Friday's rates hold: 105.00, 8.40 x 1.05 / 0.84, 2.10. In Sydney it is
    // Monday: 110.00, 8.40 x 1.1 / 0.8, 2.20.
    const friday = {
      ...nothing,
      sales: 105,
      cogs: 10.5,
      shippingFees: 2.1,
      sellingFees: 0.1,
      totalRevenue: 105,
      totalExpenses: 12.7,
    };
    const monday = {
      ...nothing,
      sales: 110,
      cogs: 11.55,
      shippingFees: 2.2,
      sellingFees: 0.1,
      totalRevenue: 110,
      totalExpenses: 13.85,
    };
    assert.deepEqual(await store(world(), tenant, range), friday);
    assert.deepEqual(
      await store(world(), tenant, { ...range, timezone: 'Australia/Sydney' }),
      monday,
    );
    assert.deepEqual(
      await store(world(), tenant, {
        fromDate: at('2025-03-09T19:59:59Z'),
        toDate: at('2025-03-09T20:00:01Z'),
        timezone: 'Australia/Sydney',
      }),
      monday,
    );
    const { productEvents } = await products(world(), tenant, range);
    assert.deepEqual(productEvents, [
      { ...friday, sellerSku: 'A', productSku: '', title: '', totalProfit: 92.3 },
    ]);
  });

  test('200: products are in the order of converted sales, and what is a half but for the rate is rounded as one', async () => {
    const tenant = await inUtc(world(), { currency: 'EUR' });
    await post(world(), tenant, [
      { postedAt: noon, sku: 'euros', line: 'sales', amount: '10.00' },
      { postedAt: noon, sku: 'pounds', line: 'sales', amount: '8.40', currency: 'GBP' }, // 10.50
      {
        postedAt: '2025-03-07T12:00:00Z',
        sku: 'dollars',
        line: 'sales',
        amount: '10.71',
        currency: 'USD',
      }, // 10.20
      {
        postedAt: '2025-03-07T12:00:00Z',
        sku: 'half',
        line: 'sales',
        amount: '10.50525',
        currency: 'USD',
      }, // 10.005
      { postedAt: noon, sku: 'other half', line: 'sales', amount: '10.01' },
    ]);
    const range = { fromDate: at('2025-03-07T00:00:00Z'), toDate: day.toDate };
    for (const toDate of [range.toDate, at(noon)]) {
      const { productEvents } = await products(world(), tenant, { ...range, toDate });
      assert.deepEqual(
        productEvents.map((row) => [row.sellerSku, row.sales]),
        [
          ['pounds', 10.5],
          ['dollars', 10.2],
          ['half', 10.01],
          ['other half', 10.01],
          ['euros', 10],
        ],
      );
    }
  });

  test('400: an amount without a rate refuses, in words that name the currency; one that does not count does not', async () => {
    const tenant = await inUtc(world());
    await importRows(world(), 'unitCosts', tenant.channelId, [
      { sku: 'A', effectiveFrom: '2025-01-01', cogs: '1', cogsCurrency: 'XAU' },
      { sku: 'B', effectiveFrom: '2025-01-01', cogs: '1', cogsCurrency: 'XAG' },
    ]);
    await post(world(), tenant, [
      { postedAt: noon, sku: 'A', line: 'sales', amount: '1', quantity: 1 },
      { postedAt: '2025-03-11T12:00:00Z', sku: 'B', line: 'sales', amount: '1' },
      { postedAt: '2025-03-11T12:00:00Z', sku: 'B', line: 'refunds', amount: '-1', quantity: 1 },
      { postedAt: '2025-03-12T12:00:00Z', sku: 'C', line: 'sales', amount: '1', currency: 'XPT' },
    ]);
    const on = (date: string) => ({
      fromDate: at(`2025-03-${date}T00:00:00Z`),
      toDate: at(`2025-03-${date}T23:59:59Z`),
    });
    for (const level of ['store', 'product'] as const) {
      const refusal = async (date: string, more: object = {}) => {
        const { status, body } = await ask(world(), tenant, level, { ...on(date), ...more });
        return status === 200 ? 200 : [status, body.error];
      };
      const text = (currency: string) => [
        400,
        `there is no exchange rate of ${currency} which channelId ${tenant.channelId} needs: the operator of the service has to import one`,
      ];
      assert.deepEqual(await refusal('10'), text('XAU'));
      assert.deepEqual(await refusal('11'), 200);
      assert.deepEqual(await refusal('11', { includeCogsRefunds: true }), text('XAG'));
      assert.deepEqual(await refusal('12'), text('XPT'));
    }
  });

  test('200: sales that cancel out within a day need no rate, whether the range holds the day or a part', async () => {
    const tenant = await inUtc(world());
    const sale = { postedAt: noon, sku: 'A', line: 'sales', currency: 'XPT' };
    await post(world(), tenant, [
      { ...sale, amount: '1', tax: '2' },
      { ...sale, amount: '-1', tax: '-1' },
    ]);
    for (const range of [day, { ...day, fromDate: at(noon) }]) {
      const { productEvents } = await products(world(), tenant, range);
      assert.deepEqual(
        productEvents.map((row) => [row.sellerSku, row.sales]),
        [['A', 0]],
      );
      const taxed = await ask(world(), tenant, 'product', { ...range, includeTax: true });
      assert.equal(taxed.status, 400);
    }
  });
});

onOnePair('Advertising in profit and loss', (world) => {
  const campaigns = [
    { date: '2025-03-09', campaignId: '1', cost: '1.00' },
    { date: '2025-03-10', campaignId: '1', cost: '20.00' },
    { date: '2025-03-10', campaignId: '2', cost: '300.00' },
    { date: '2025-03-11', campaignId: '1', cost: '4000.00' },
  ];
  const advertised = [
    { date: '2025-03-09', productId: 'PA', sku: 'A', adType: 'SP', cost: '1.00' },
    { date: '2025-03-10', productId: '', sku: 'A', adType: 'SP', cost: '20.00' },
    { date: '2025-03-10', productId: 'PA', sku: 'A', adType: 'SD', cost: '300.00' },
    { date: '2025-03-10', productId: 'PB', adType: 'SP', cost: '5.00' },
    { date: '2025-03-10', productId: 'PC', sku: 'C', adType: 'SP', cost: '0', impressions: 7 },
    { date: '2025-03-11', productId: 'PD', sku: 'D', adType: 'SP', cost: '4000.00' },
  ];

  async function advertising(): Promise<Tenant> {
    const tenant = await inUtc(world());
    await importRows(world(), 'campaignDays', tenant.channelId, campaigns);
    await importRows(world(), 'adProductDays', tenant.channelId, advertised);
    return tenant;
  }
  const spendOf = async (tenant: Tenant, options: object = day) =>
    (await products(world(), tenant, options)).productEvents.map((row) => [
      row.sellerSku,
      row.advertisingSpend,
      row.productSku,
    ]);

  test('200: a channel that never had a charge posted has what is reported, of the dates between the local dates of the ends', async () => {
    const tenant = await advertising();
    assert.deepEqual(await store(world(), tenant, day), {
      ...nothing,
      advertisingSpend: 320,
      totalExpenses: 320,
    });
    const second = { fromDate: at(noon), toDate: at(noon) };
    assert.equal((await store(world(), tenant, second)).advertisingSpend, 320);
    assert.equal(
      (await store(world(), tenant, { ...second, timezone: 'Pacific/Kiritimati' }))
        .advertisingSpend,
      4000,
    );
    assert.equal(
      (await store(world(), tenant, { ...day, timezone: 'America/Los_Angeles' })).advertisingSpend,
      321,
    );
  });

  test('200: SKUs with reported spend have rows of their own, with the product id of that report', async () => {
    const tenant = await advertising();
    assert.deepEqual(await spendOf(tenant), [['A', 320, 'PA']]);
    assert.deepEqual(await spendOf(tenant, { fromDate: at(noon), toDate: at(noon) + 86_400 }), [
      ['A', 320, 'PA'],
      ['D', 4000, 'PD'],
    ]);
    await importRows(world(), 'products', tenant.channelId, [
      { sku: 'A', productId: 'PX', title: 'Apples' },
    ]);
    const [row] = (await products(world(), tenant, day)).productEvents;
    assert.deepEqual([row!.productSku, row!.title, row!.totalProfit], ['PX', 'Apples', -320]);
  });

  test('200: once a charge was posted, whenever that was, what is reported counts nowhere any more', async () => {
    const tenant = await advertising();
    await post(world(), tenant, [
      { postedAt: '2025-01-01T00:00:00Z', sku: 'E', line: 'advertisingSpend', amount: '-2.00' },
      { postedAt: noon, sku: 'B', line: 'sales', amount: '1.00' },
    ]);
    assert.equal((await store(world(), tenant, day)).advertisingSpend, 0);
    assert.deepEqual(await spendOf(tenant), [['B', 0, '']]);
    const january = { fromDate: at('2025-01-01T00:00:00Z'), toDate: at('2025-01-31T23:59:59Z') };
    assert.equal((await store(world(), tenant, january)).advertisingSpend, 2);
    assert.deepEqual(await spendOf(tenant, january), [['E', 2, '']]);
  });

  test('200: charges that were posted without a SKU are of the store; its products keep what is reported', async () => {
    const tenant = await advertising();
    await post(world(), tenant, [{ postedAt: noon, line: 'advertisingSpend', amount: '-7.00' }]);
    assert.equal((await store(world(), tenant, day)).advertisingSpend, 7);
    assert.deepEqual(await spendOf(tenant), [['A', 320, 'PA']]);
  });

  test('200: spend of another currency is converted at its date', async () => {
    const tenant = await inUtc(world());
    await importRows(world(), 'exchangeRates', undefined, [
      { date: '2025-03-07', currency: 'USD', perEuro: 1.05 },
    ]);
    await importRows(world(), 'campaignDays', tenant.channelId, [
      { date: '2025-03-10', campaignId: '1', cost: '2', currency: 'EUR' },
    ]);
    await importRows(world(), 'adProductDays', tenant.channelId, [
      { date: '2025-03-10', sku: 'A', adType: 'SP', cost: '4', currency: 'EUR' },
    ]);
    assert.equal((await store(world(), tenant, day)).advertisingSpend, 2.1);
    assert.deepEqual(await spendOf(tenant), [['A', 4.2, '']]);
  });
});

onOnePair('Pages of products', (world) => {
  let tenant: Tenant;
  const skusOf = ({ productEvents, count }: { productEvents: Row[]; count: number }) => [
    count,
    ...productEvents.map((row) => row.sellerSku),
  ];

  before(async () => {
    tenant = await inUtc(world());
    await post(
      world(),
      tenant,
      [
        { sku: 'a', amount: '5.00' },
        { sku: 'B', amount: '5.00' },
        { sku: 'É', amount: '5.004' },
        { sku: 'big', amount: '7.00' },
        { sku: 'taxed', amount: '4.00', tax: '2.50' },
        { sku: 'back', amount: '-1.00' },
        { sku: 'zero', amount: '1.00' },
        { sku: 'zero', amount: '-1.00' },
      ].map((row) => ({ postedAt: noon, line: 'sales', ...row })),
    );
  });

  test('200: by sales as they are shown, equal ones in the order of the bytes of the SKU', async () => {
    assert.deepEqual(skusOf(await products(world(), tenant, day)), [
      7,
      'big',
      'B',
      'a',
      'É',
      'taxed',
      'zero',
      'back',
    ]);
    const taxed = await products(world(), tenant, { ...day, includeTax: true });
    assert.deepEqual(skusOf(taxed), [7, 'big', 'taxed', 'B', 'a', 'É', 'zero', 'back']);
  });

  test('200: pages hold each SKU once, and a page past the end still knows how many there are', async () => {
    const page = async (pageIndex: number, pageSize: number) =>
      skusOf(await products(world(), tenant, { ...day, pageIndex, pageSize }));
    assert.deepEqual(await page(0, 3), [7, 'big', 'B', 'a']);
    assert.deepEqual(await page(1, 3), [7, 'É', 'taxed', 'zero']);
    assert.deepEqual(await page(2, 3), [7, 'back']);
    assert.deepEqual(await page(3, 3), [7]);
    assert.deepEqual(await page(1_000_000_000, 50), [7]);
  });

  test('200: the SKUs asked for and no others; unknown ones give no row, repeated ones count once, an empty list restricts nothing', async () => {
    const of = async (sellerSkus: readonly string[], more: object = {}) =>
      skusOf(await products(world(), tenant, { ...day, sellerSkus, ...more }));
    assert.deepEqual(await of(['zero', 'a', 'no such', 'a']), [2, 'a', 'zero']);
    assert.deepEqual(await of(['no such']), [0]);
    assert.equal((await of([]))[0], 7);
    const fifty = Array.from({ length: 49 }, (_, index) => `none ${index}`);
    assert.deepEqual(await of([...fifty, 'big', 'big']), [1, 'big']);
    assert.deepEqual(await of(['zero', 'a'], { pageIndex: 1, pageSize: 1 }), [2, 'zero']);
    assert.deepEqual(await of(['zero', 'a'], { fromDate: at(noon), toDate: at(noon) }), [
      2,
      'a',
      'zero',
    ]);
  });

  test('200: ten rows when no size is asked for, fifty at most', async () => {
    const many = await inUtc(world());
    const rows = Array.from({ length: 60 }, (_, index) => ({
      postedAt: noon,
      sku: `S${index}`,
      line: 'sellingFees',
      amount: '-1',
    }));
    await post(world(), many, rows);
    assert.equal((await products(world(), many, day)).productEvents.length, 10);
    const { productEvents, count } = await products(world(), many, { ...day, pageSize: 50 });
    assert.deepEqual([productEvents.length, count], [50, 60]);
  });
});

onOnePair('Refusals of profit and loss', (world) => {
  let tenant: Tenant;
  before(async () => {
    tenant = await inUtc(world());
  });
  const refusal = async (level: 'store' | 'product', reportOptions: unknown): Promise<string> => {
    const { status, body } = await ask(world(), tenant, level, reportOptions);
    assert.equal(status, 400, JSON.stringify(body));
    assert.deepEqual(Object.keys(body).sort(), ['error', 'status']);
    return body.error;
  };

  test('400: every failing rule is listed, in the order of the request', async () => {
    assert.equal(
      await refusal('store', {
        fromDate: 1.5,
        timezone: 'Mars/Base',
        includeTax: 1,
        includeCogsRefunds: 'no',
      }),
      'reportOptions.fromDate must be an integer, reportOptions.toDate is required, reportOptions.timezone must be an IANA time zone, ' +
        'reportOptions.includeTax must be true or false, reportOptions.includeCogsRefunds must be true or false',
    );
    assert.equal(
      await refusal('product', {
        ...day,
        includeTax: 'no',
        sellerSkus: ['a', ''],
        pageIndex: -1,
        pageSize: 51,
      }),
      'reportOptions.includeTax must be true or false, reportOptions.sellerSkus[1] must not be empty, ' +
        'reportOptions.pageIndex must be at least 0, reportOptions.pageSize must be at most 50',
    );
  });

  test('400: milliseconds, ends before beginnings, no options, too many SKUs, empty pages', async () => {
    for (const level of ['store', 'product'] as const) {
      assert.equal(
        await refusal(level, { ...day, toDate: 1_740_000_000_000 }),
        'reportOptions.toDate must be in seconds and not in milliseconds',
      );
      assert.equal(
        await refusal(level, { ...day, toDate: day.fromDate - 1 }),
        'reportOptions.toDate must not be before reportOptions.fromDate',
      );
      assert.equal(await refusal(level, undefined), 'reportOptions is required');
    }
    const sellerSkus = Array.from({ length: 51 }, (_, index) => String(index));
    assert.equal(
      await refusal('product', { ...day, sellerSkus }),
      'reportOptions.sellerSkus must have at most 50 different entries',
    );
    assert.equal(
      await refusal('product', { ...day, pageSize: 0 }),
      'reportOptions.pageSize must be at least 1',
    );
  });

  test('400: a vendor channel has no profit and loss', async () => {
    const vendor = await world().tenant({ channel: { kind: 'vendor' } });
    for (const level of ['store', 'product'] as const) {
      const { status, body } = await ask(world(), vendor, level, day);
      assert.deepEqual(
        [status, body.error],
        [400, 'channelId must be a seller channel: vendor channels have no profit and loss'],
      );
    }
  });
});
