import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { onEachPair, onOnePair, type Tenant, type World } from '../../../../../test/harness.ts';
import { importRows } from '../../../../../test/imports.ts';

/** Epoch seconds of an ISO instant. */
function at(instant: string): number {
  return Date.parse(instant) / 1000;
}

type Row = Record<string, string | number>;

function ask(world: World, key: string, body: object) {
  return world.ask(key, 'POST', '/reports/view/profitByPeriod', body);
}

async function rowsOf(world: World, key: string, body: object): Promise<Row[]> {
  const answer = await ask(world, key, body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.deepEqual(Object.keys(answer.body), ['status', 'currency', 'formattedChartData']);
  return answer.body.formattedChartData;
}

const named = ({ channelId, merchantId }: Tenant) => ({ channelId, merchantId });

let events = 0;

async function post(world: World, { channelId }: Tenant, rows: readonly object[]): Promise<void> {
  await importRows(
    world,
    'financeEvents',
    channelId,
    rows.map((row) => ({ eventId: String(++events), ...row })),
  );
}

const noLines = {
  totalRevenue: '0.00',
  totalExpenses: '0.00',
  sales: '0.00',
  refunds: '0.00',
  promotions: '0.00',
  reimbursements: '0.00',
  otherIncome: '0.00',
  advertisingSpend: '0.00',
  sellingFees: '0.00',
  shippingFees: '0.00',
  refundsAndReturnsOverheads: '0.00',
  cogs: '0.00',
  otherExpenses: '0.00',
  netProfit: '0.00',
  margin: '-',
  salesWithoutUnitCosts: '0.00',
  productsWithoutUnitCosts: 0,
};

/** The fields of a row with the companions, which have no value without a prior side. */
function rowWith(own: object, prior?: object): Row {
  const row: Row = {};
  for (const [name, value] of Object.entries({ ...noLines, ...own })) {
    const priorName = `prior${name[0]!.toUpperCase()}${name.slice(1)}`;
    const unknown = typeof value === 'number' ? 0 : '-';
    row[name] = value;
    row[priorName] = prior
      ? ({ ...noLines, ...prior } as Record<string, string | number>)[name]!
      : unknown;
  }
  return row;
}

const two = {
  fromDate: at('2025-03-10T00:00:00Z'),
  toDate: at('2025-03-11T23:59:59Z'),
  timezone: 'UTC',
};

onEachPair('The small world of profit by period', (world) => {
  let tenant: Tenant;

  before(async () => {
    tenant = await world().tenant({ channel: { timezone: 'UTC' } });
    await importRows(world(), 'unitCosts', tenant.channelId, [
      { sku: 'A', effectiveFrom: '2025-01-01', cogs: '3.20' },
      { sku: 'B', effectiveFrom: '2025-03-11', cogs: '1.10', shippingCost: '2.00' },
    ]);
    await post(world(), tenant, [
      ...[
        { sku: 'A', line: 'sales', amount: '20.00', tax: '1.60', quantity: 2, fulfillment: 'AFN' },
        { sku: 'B', line: 'sales', amount: '5.50', tax: '0.44', quantity: 1, fulfillment: 'MFN' },
        { sku: 'C', line: 'sales', amount: '7.00', quantity: 1, fulfillment: 'AFN' },
        { line: 'sales', amount: '1.00' },
        { sku: 'A', line: 'refunds', amount: '-10.00', tax: '-0.80', quantity: 1 },
        { line: 'advertisingSpend', amount: '-7.77' },
        { sku: 'A', line: 'sellingFees', amount: '-3.83' },
        { line: 'otherIncome', amount: '4.99' },
      ].map((row) => ({ postedAt: '2025-03-10T12:00:00Z', ...row })),
      ...[
        { sku: 'B', line: 'sales', amount: '5.50', tax: '0.44', quantity: 1, fulfillment: 'MFN' },
        { sku: 'D', line: 'sales', amount: '2.00', quantity: 1 },
        { sku: 'D', line: 'cogs', amount: '-0.70' },
        { sku: 'A', line: 'promotions', amount: '-1.25' },
        { sku: 'B', line: 'reimbursements', amount: '3.33' },
        { sku: 'A', line: 'shippingFees', amount: '-6.10' },
        { sku: 'A', line: 'refundsAndReturnsOverheads', amount: '-0.50' },
        { line: 'otherExpenses', amount: '-2.40' },
      ].map((row) => ({ postedAt: '2025-03-11T12:00:00Z', ...row })),
      { postedAt: '2025-03-01T12:00:00Z', sku: 'C', line: 'sales', amount: '9.00', quantity: 1 },
      { postedAt: '2025-03-02T12:00:00Z', sku: 'Z', line: 'balance', amount: '-100.00' },
    ]);
  });

  const first = {
    sales: '33.50', // 20.00 + 5.50 + 7.00 + 1.00
    refunds: '-10.00',
    otherIncome: '4.99',
    totalRevenue: '28.49',
    advertisingSpend: '7.77',
    sellingFees: '3.83',
    cogs: '6.40', // 2 x 3.20; B has a cost from the next day on
    totalExpenses: '18.00',
    netProfit: '10.49',
    margin: '36.8', // 10.49 / 28.49
    salesWithoutUnitCosts: '13.50', // B, C and what has no SKU
    productsWithoutUnitCosts: 2,
  };
  const second = {
    sales: '7.50',
    promotions: '-1.25',
    reimbursements: '3.33',
    totalRevenue: '9.58',
    shippingFees: '8.10', // 6.10 and the one B that the seller shipped
    refundsAndReturnsOverheads: '0.50',
    cogs: '1.80', // 1.10 of B and 0.70 reported of D
    otherExpenses: '2.40',
    totalExpenses: '12.80',
    netProfit: '-3.22',
    margin: '-33.6', // -3.22 / 9.58
  };

  test('200: every line of each bucket, net profit, margin and what has no cost', async () => {
    const body = { ...named(tenant), reportOptions: two };
    assert.deepEqual(await rowsOf(world(), tenant.key, body), [
      {
        startTime: '2025-03-10T00:00:00.000+00:00',
        endTime: '2025-03-10T23:59:59.000+00:00',
        currency: 'USD',
        ...rowWith(first),
      },
      {
        startTime: '2025-03-11T00:00:00.000+00:00',
        endTime: '2025-03-11T23:59:59.000+00:00',
        currency: 'USD',
        ...rowWith(second),
      },
    ]);
  });

  test('200: the prior period by position, "-" where it has no fact, zeros where they move nothing', async () => {
    const reportOptions = {
      ...two,
      toDate: at('2025-03-12T23:59:59Z'),
      priorFromDate: at('2025-03-01T00:00:00Z'),
      priorToDate: at('2025-03-03T23:59:59Z'),
    };
    const prior = {
      ...{ sales: '9.00', totalRevenue: '9.00', netProfit: '9.00', margin: '100.0' },
      ...{ salesWithoutUnitCosts: '9.00', productsWithoutUnitCosts: 1 },
    };
    const rows = await rowsOf(world(), tenant.key, { ...named(tenant), reportOptions });
    assert.deepEqual(
      rows.map(({ startTime, endTime, currency, ...row }) => row),
      [rowWith(first, prior), rowWith(second, {}), rowWith({})],
    );
  });

  test('200: sales without a cost on parts of days count once per product and bucket', async () => {
    const reportOptions = {
      // All events of the range are of its first and its last second.
      fromDate: at('2025-03-01T12:00:00Z'),
      toDate: at('2025-03-10T12:00:00Z'),
      timezone: 'UTC',
      interval: 'month',
    };
    const [row] = await rowsOf(world(), tenant.key, { ...named(tenant), reportOptions });
    // 9.00 of C on the 1st, and 13.50 of B, C and what has no SKU on the 10th.
    assert.deepEqual([row!.salesWithoutUnitCosts, row!.productsWithoutUnitCosts], ['22.50', 2]);
  });

  test('200: sales without a cost, alone in their month or late in the day', async () => {
    const other = await world().tenant({ channel: { timezone: 'America/Los_Angeles' } });
    await post(world(), other, [
      { postedAt: '2024-12-10T12:00:00Z', line: 'sales', amount: '7.00' },
      // In Los Angeles it is still the 12th.
      { postedAt: '2025-03-13T03:00:00Z', sku: 'A', line: 'sales', amount: '4.00', quantity: 1 },
    ]);
    const uncosted = async (start: string) => {
      const reportOptions = {
        fromDate: at(start),
        toDate: at(start) + 86_399,
        timezone: 'America/Los_Angeles',
        interval: 'day',
      };
      const [row] = await rowsOf(world(), other.key, { ...named(other), reportOptions });
      return [row!.salesWithoutUnitCosts, row!.productsWithoutUnitCosts];
    };
    assert.deepEqual(await uncosted('2024-12-10T08:00:00Z'), ['7.00', 0]);
    assert.deepEqual(await uncosted('2025-03-12T07:00:00Z'), ['4.00', 1]);
  });

  test('200: a cost of goods that is reported in a bucket covers its earlier sales', async () => {
    const other = await world().tenant({ channel: { timezone: 'UTC' } });
    await importRows(world(), 'unitCosts', other.channelId, [
      { sku: 'A', effectiveFrom: '2025-03-20', cogs: '1.00' },
    ]);
    await post(world(), other, [
      { postedAt: '2025-03-18T12:00:00Z', sku: 'A', line: 'sales', amount: '5.00', quantity: 1 },
      { postedAt: '2025-03-21T12:00:00Z', sku: 'A', line: 'cogs', amount: '-0.50' },
    ]);
    const march = { fromDate: at('2025-03-01T00:00:00Z'), toDate: at('2025-03-31T23:59:59Z') };
    const uncosted = async (interval: string) => {
      const reportOptions = { ...march, timezone: 'UTC', interval };
      const rows = await rowsOf(world(), other.key, { ...named(other), reportOptions });
      return rows
        .filter((row) => row.productsWithoutUnitCosts !== 0)
        .map((row) => [row.startTime, row.salesWithoutUnitCosts]);
    };
    assert.deepEqual(await uncosted('month'), []);
    assert.deepEqual(await uncosted('day'), [['2025-03-18T00:00:00.000+00:00', '5.00']]);
  });
});

onEachPair('Profit of several stores', (world) => {
  let tenant: Tenant;
  const noon = '2025-03-10T12:00:00Z';
  const day = { ...two, toDate: two.fromDate + 86_399 };

  before(async () => {
    tenant = await world().tenant({ channelId: 'dollars' });
    await importRows(world(), 'exchangeRates', undefined, [
      { date: '2025-03-07', currency: 'USD', perEuro: 1.05 },
      { date: '2025-03-07', currency: 'GBP', perEuro: 0.84 },
      { date: '2025-03-10', currency: 'USD', perEuro: 1.1 },
      { date: '2025-03-10', currency: 'GBP', perEuro: 0.8 },
    ]);
    const { organisationId } = tenant;
    await world().channel(organisationId, 'euros', { currency: 'EUR', merchantId: 'E' });
    await world().channel(organisationId, 'pounds', { currency: 'GBP', merchantId: 'P' });
    await world().channel(organisationId, 'vendor', { kind: 'vendor' });
    for (const [channelId, amount] of [
      ['dollars', '10.00'],
      ['euros', '20.00'],
      ['pounds', '8.00'],
    ] as const)
      await post(world(), { ...tenant, channelId }, [
        { postedAt: noon, sku: 'A', line: 'sales', amount, quantity: 1 },
        { postedAt: '2025-03-09T20:00:00Z', sku: 'B', line: 'sales', amount, quantity: 1 },
      ]);
    // The one store has its spend reported, the other posted.
    await importRows(world(), 'campaignDays', 'euros', [
      { date: '2025-03-10', campaignId: '1', cost: '2' },
    ]);
    await importRows(world(), 'campaignDays', 'pounds', [
      { date: '2025-03-10', campaignId: '1', cost: '4' },
    ]);
    await post(world(), { ...tenant, channelId: 'pounds' }, [
      { postedAt: noon, line: 'advertisingSpend', amount: '-1.60' },
    ]);
    await importRows(world(), 'unitCosts', 'euros', [
      { sku: 'A', effectiveFrom: '2025-01-01', cogs: '6' },
    ]);
  });

  test('200: the sums of stores of any currency, each fact at the rate of its date', async () => {
    const body = {
      channelIds: ['dollars', 'euros', 'pounds', 'euros'],
      currentCurrency: 'eur',
      reportOptions: day,
    };
    const [row] = await rowsOf(world(), tenant.key, body);
    const { startTime, endTime, ...fields } = row!;
    assert.deepEqual(fields, {
      currency: 'EUR',
      ...rowWith({
        sales: '39.09', // 10 / 1.1 + 20 + 8 / 0.8
        totalRevenue: '39.09',
        advertisingSpend: '4.00', // 2 and 1.60 / 0.8
        cogs: '6.00',
        totalExpenses: '10.00',
        netProfit: '29.09',
        margin: '74.4',
        salesWithoutUnitCosts: '19.09', // those of A in dollars and in pounds
        productsWithoutUnitCosts: 2,
      }),
    });
  });

  test('200: a date is that of the zone, and so is its rate', async () => {
    const salesIn = async (timezone: string) => {
      const reportOptions = { ...two, fromDate: two.fromDate - 86_400, timezone, interval: 'w' };
      const body = { channelIds: ['pounds'], currentCurrency: 'EUR', reportOptions };
      const rows = await rowsOf(world(), tenant.key, body);
      return rows.map(({ sales, salesWithoutUnitCosts, productsWithoutUnitCosts: count }) => [
        ...[sales, salesWithoutUnitCosts, count],
      ]);
    };
    // On Sunday Friday's rate holds: 8 / 0.84. In Sydney it is Monday, of the next week.
    assert.deepEqual(await salesIn('UTC'), [
      ['9.52', '9.52', 1],
      ['10.00', '10.00', 1],
    ]);
    assert.deepEqual(await salesIn('Australia/Sydney'), [
      ['0.00', '0.00', 0],
      ['20.00', '20.00', 2],
    ]);
  });

  test('200: without a currency that of the stores, or dollars for stores of several', async () => {
    const currencyOf = async (body: object) =>
      (await ask(world(), tenant.key, { ...body, reportOptions: day })).body.currency;
    assert.equal(await currencyOf({ channelIds: ['pounds'] }), 'GBP');
    assert.equal(await currencyOf({ channelId: 'euros', merchantId: 'E' }), 'EUR');
    const both = { channelId: 'euros', merchantId: 'E', channelIds: ['pounds'] };
    assert.equal(await currencyOf(both), 'USD');
    const [row] = await rowsOf(world(), tenant.key, { ...both, reportOptions: day });
    assert.equal(row!.sales, '33.00'); // 20 x 1.1 + 8 / 0.8 x 1.1
  });

  test('400: a store out of reach, a vendor, a currency without rates', async () => {
    const other = await world().tenant({ channelId: 'theirs' });
    await post(world(), { ...tenant, channelId: 'pounds' }, [
      { postedAt: '2025-04-01T12:00:00Z', line: 'sales', amount: '1', currency: 'XAU' },
    ]);
    const april = { ...day, toDate: two.fromDate + 40 * 86_400 };
    for (const [body, text] of [
      [{ channelIds: ['dollars', 'theirs'] }, 'channelIds must name connected stores'],
      [{ channelIds: ['dollars', 'none'] }, 'channelIds must name connected stores'],
      [
        { channelId: 'theirs', merchantId: other.merchantId },
        'channelId and merchantId do not match a connected store',
      ],
      [
        { channelId: 'euros', merchantId: 'P' },
        'channelId and merchantId do not match a connected store',
      ],
      [
        { channelId: 'euros', merchantId: 'P', channelIds: { first: {} } },
        'channelId and merchantId do not match a connected store, channelIds must be an array',
      ],
      [
        { channelIds: ['vendor'] },
        'channelIds must name seller channels: vendor channels have no profit and loss',
      ],
      [
        { channelIds: ['dollars', 'pounds'], reportOptions: april },
        'there is no exchange rate of XAU which channelId pounds needs: the operator of the ' +
          'service has to import one',
      ],
      [
        { reportOptions: { ...day, interval: 'h' }, includeTax: 1, channelIds: [] },
        'channelId or channelIds is required, reportOptions.interval must be d or w or ' +
          'M or Q or y or day or week or month or quarter or year, includeTax must be true or false',
      ],
      [
        { channelIds: Array.from({ length: 21 }, (_, index) => `c${index}`) },
        'channelIds must have at most 20 different entries, channelIds must name connected stores',
      ],
    ] as const) {
      const { status, body: refused } = await ask(world(), tenant.key, {
        ...{ reportOptions: day, ...body },
      });
      assert.deepEqual([status, refused.error], [400, text]);
    }
  });
});

onOnePair('Rounding of profit by period', (world) => {
  test('200: buckets add up to the store, those that rounding changed most by a cent', async () => {
    const tenant = await world().tenant({ channel: { timezone: 'Europe/London' } });
    // Clocks go forward on the 30th of March: that day has 23 hours.
    const instants = ['2025-03-29T23:59:59Z', '2025-03-30T22:59:59Z', '2025-03-30T23:00:00Z'];
    await post(
      world(),
      tenant,
      instants.map((postedAt, index) => ({
        ...{ postedAt, sku: 'A', line: 'sales', amount: ['0.004', '0.003', '0.004'][index] },
      })),
    );
    const reportOptions = {
      fromDate: at('2025-03-29T00:00:00Z'),
      toDate: at('2025-03-31T22:59:59Z'),
      timezone: 'Europe/London',
    };
    const rows = await rowsOf(world(), tenant.key, { ...named(tenant), reportOptions });
    // 0.011 in all is 0.01, of which the first of the two nearest to it has all.
    assert.deepEqual(
      rows.map(({ endTime, sales, netProfit }) => [endTime, sales, netProfit]),
      [
        ['2025-03-29T23:59:59.000+00:00', '0.01', '0.01'],
        ['2025-03-30T23:59:59.000+01:00', '0.00', '0.00'],
        ['2025-03-31T23:59:59.000+01:00', '0.00', '0.00'],
      ],
    );
  });
});
