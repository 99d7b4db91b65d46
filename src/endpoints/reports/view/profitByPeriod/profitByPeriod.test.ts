import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { onEachPair, type Tenant, type World } from '../../../../../test/harness.ts';
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
});
