/**
 * The figures of profitByPeriod are sums made by hand: every line, net profit, sales without unit
 * costs, and stores of several currencies.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import { onOnePair, type Tenant, type World } from '../../../../../test/harness.ts';
import { listsOf, rowsOf, tablesBeside, textBeside } from '../../../../../test/table.ts';
import { assertShown, fieldsOf, importFacts, priorOf, rated } from '../../../../../test/world.ts';

const tables = tablesBeside(import.meta.url, 'profitByPeriod.tables.txt');

/** Epoch seconds of an ISO instant. */
function at(instant: string): number {
  return Date.parse(instant) / 1000;
}

type Row = Record<string, string | number>;

function ask(world: World, key: string, body: object) {
  return world.ask(key, 'POST', '/reports/view/profitByPeriod', body);
}

async function view(world: World, key: string, body: object): Promise<Row[]> {
  const answer = await ask(world, key, body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.deepEqual(Object.keys(answer.body), ['status', 'currency', 'formattedChartData']);
  return answer.body.formattedChartData;
}

const named = ({ channelId, merchantId }: Tenant) => ({ channelId, merchantId });

/** Imports the financial events of the table that follows. */
function post(world: World, { channelId }: Pick<Tenant, 'channelId'>) {
  return async (texts: TemplateStringsArray, ...values: unknown[]) => {
    const financeEvents = rowsOf(String.raw({ raw: texts }, ...values)).map((row) => ({
      eventId: String(++events),
      ...row,
    }));
    await importFacts(world, channelId, { financeEvents });
  };
}
let events = 0;

const noLines: Row = fieldsOf(tables.noLines!);
const unknown = Object.fromEntries(
  Object.entries(noLines).map(([name, value]) => [name, typeof value === 'number' ? 0 : '-']),
);

/** The fields of a row with companions that have no value, as without a prior side. */
function rowWith(own: object, prior?: object): Row {
  return { ...noLines, ...own, ...priorOf(prior ? { ...noLines, ...prior } : unknown) };
}

/** The period between two instants in UTC. */
const between = (first: string, last: string) => {
  return { fromDate: at(first), toDate: at(last), timezone: 'UTC' };
};
const two = between('2025-03-10T00:00:00Z', '2025-03-11T23:59:59Z');

onOnePair('The small world of profit by period', (world) => {
  let tenant: Tenant;

  before(async () => {
    tenant = await world().tenant({ channel: { timezone: 'UTC' } });
    await importFacts(world(), tenant.channelId, { unitCosts: tables.unitCosts! });
    await post(world(), tenant)`${textBeside(import.meta.url, 'events.csv')}`;
  });

  const first = Object.fromEntries(listsOf(tables.first!));
  const second = Object.fromEntries(listsOf(tables.second!));

  test('200: every line of each bucket, net profit, margin and sales without a cost', async () => {
    const body = { ...named(tenant), reportOptions: two };
    const day = (date: string) => {
      const [startTime, endTime] = [`${date}T00:00:00.000+00:00`, `${date}T23:59:59.000+00:00`];
      return { startTime, endTime, currency: 'USD' };
    };
    assert.deepEqual(await view(world(), tenant.key, body), [
      { ...day('2025-03-10'), ...rowWith(first) },
      { ...day('2025-03-11'), ...rowWith(second) },
    ]);
  });

  test('200: the prior period by position, "-" if it has no fact, zeros if they move no amount', async () => {
    const [priorFromDate, priorToDate] = ['2025-03-01T00:00:00Z', '2025-03-03T23:59:59Z'].map(at);
    const toDate = at('2025-03-12T23:59:59Z');
    const reportOptions = { ...two, toDate, priorFromDate, priorToDate };
    const prior = fieldsOf(tables.priorFigures!);
    const rows = await view(world(), tenant.key, { ...named(tenant), reportOptions });
    assert.deepEqual(
      rows.map(({ startTime, endTime, currency, ...row }) => row),
      [rowWith(first, prior), rowWith(second, {}), rowWith({})],
    );
  });

  test('200: sales without a cost on parts of days count once per product and bucket', async () => {
    // All events of the range are of its first and its last second.
    const range = between('2025-03-01T12:00:00Z', '2025-03-10T12:00:00Z');
    const reportOptions = { ...range, interval: 'month' };
    const [row] = await view(world(), tenant.key, { ...named(tenant), reportOptions });
    // 9.00 of C on the 1st, and 13.50 of B, C and what has no SKU on the 10th.
    assert.deepEqual([row!.salesWithoutUnitCosts, row!.productsWithoutUnitCosts], ['22.50', 2]);
  });

  test('200: sales without a cost, alone in their month or late in the day', async () => {
    const other = await world().tenant({ channel: { timezone: 'America/Los_Angeles' } });
    // In Los Angeles the second is still of the 12th.
    await post(world(), other)`${tables.uncostedSales}`;
    const uncosted = async (start: string) => {
      const [fromDate, toDate] = [at(start), at(start) + 86_399];
      const reportOptions = { fromDate, toDate, timezone: 'America/Los_Angeles', interval: 'day' };
      const [row] = await view(world(), other.key, { ...named(other), reportOptions });
      return [row!.salesWithoutUnitCosts, row!.productsWithoutUnitCosts];
    };
    assert.deepEqual(await uncosted('2024-12-10T08:00:00Z'), ['7.00', 0]);
    assert.deepEqual(await uncosted('2025-03-12T07:00:00Z'), ['4.00', 1]);
  });

  test('200: a cost of goods that is reported in a bucket covers its earlier sales', async () => {
    const other = await world().tenant({ channel: { timezone: 'UTC' } });
    await importFacts(world(), other.channelId, {
      unitCosts: [{ sku: 'A', effectiveFrom: '2025-03-20', cogs: '1.00' }],
    });
    await post(world(), other)`${tables.reportedCosts}`;
    const march = between('2025-03-01T00:00:00Z', '2025-03-31T23:59:59Z');
    const uncosted = async (interval: string) => {
      const reportOptions = { ...march, interval };
      const rows = await view(world(), other.key, { ...named(other), reportOptions });
      return rows
        .filter((row) => row.productsWithoutUnitCosts !== 0)
        .map((row) => [row.startTime, row.salesWithoutUnitCosts]);
    };
    assert.deepEqual(await uncosted('month'), []);
    assert.deepEqual(await uncosted('day'), [['2025-03-18T00:00:00.000+00:00', '5.00']]);
  });
});

onOnePair(
  'Profit of several stores',
  (world) => {
    let tenant: Tenant;
    // A Monday and a Tuesday.
    const both = between('2025-05-19T00:00:00Z', '2025-05-20T23:59:59Z');
    const day = { ...both, toDate: both.fromDate + 86_399 };
    const [dollars, euros, pounds, vendor] = ['dollars', 'euros', 'pounds', 'vendor'].map(
      (id) => `${id} ${randomUUID()}`,
    ) as [string, string, string, string];

    before(async () => {
      tenant = await world().tenant({ channelId: dollars });
      const { organisationId } = tenant;
      await world().channel(organisationId, euros, { currency: 'EUR', merchantId: 'E' });
      await world().channel(organisationId, pounds, { currency: 'GBP', merchantId: 'P' });
      await world().channel(organisationId, vendor, { kind: 'vendor' });
      for (const [channelId, amount, others] of [
        [dollars, '"10.00"', ''],
        [euros, '"20.00"', ''],
        [pounds, '"8.00"', '2025-05-19T12:00:00Z, , advertisingSpend, "-1.60"'],
      ] as const)
        await post(world(), { channelId })`
          postedAt,             sku, line,  amount,    quantity
          2025-05-19T12:00:00Z, A,   sales, ${amount}, 1
          2025-05-18T20:00:00Z, B,   sales, ${amount}, 1
          ${others}
        `;
      // The one store has its spend reported, the other posted.
      const spend = { date: '2025-05-19', campaignId: '1' };
      await importFacts(world(), euros, {
        campaignDays: [{ ...spend, cost: '2' }],
        unitCosts: [{ sku: 'A', effectiveFrom: '2025-01-01', cogs: '6' }],
      });
      await importFacts(world(), pounds, { campaignDays: [{ ...spend, cost: '4' }] });
    });

    test('200: the sums of stores of any currency, each fact at the rate of its date', async () => {
      const channelIds = [dollars, euros, pounds, euros];
      const body = { channelIds, currentCurrency: 'eur', reportOptions: day };
      const [row] = await view(world(), tenant.key, body);
      const { startTime, endTime, ...fields } = row!;
      assert.deepEqual(fields, {
        currency: 'EUR',
        ...rowWith(Object.fromEntries(listsOf(tables.ofStores!))),
      });
    });

    test('200: a date, and so its rate, is that of the zone', async () => {
      const salesIn = async (timezone: string) => {
        const fromDate = both.fromDate - 86_400;
        const reportOptions = { ...both, fromDate, timezone, interval: 'w' };
        const body = { channelIds: [pounds], currentCurrency: 'EUR', reportOptions };
        return await view(world(), tenant.key, body);
      };
      // On Sunday Friday's rate holds: 8 / 0.84. In Sydney it is Monday, of the next week.
      assertShown(await salesIn('UTC'))`${tables.salesInUtc}`;
      assertShown(await salesIn('Australia/Sydney'))`${tables.salesInSydney}`;
    });

    test('200: without a currency, the currency of the stores, or dollars if they differ', async () => {
      const currencyOf = async (body: object) =>
        (await ask(world(), tenant.key, { ...body, reportOptions: day })).body.currency;
      assert.equal(await currencyOf({ channelIds: [pounds] }), 'GBP');
      assert.equal(await currencyOf({ channelId: euros, merchantId: 'E' }), 'EUR');
      const two = { channelId: euros, merchantId: 'E', channelIds: [pounds] };
      assert.equal(await currencyOf(two), 'USD');
      const [row] = await view(world(), tenant.key, { ...two, reportOptions: day });
      assert.equal(row!.sales, '33.00'); // 20 x 1.1 + 8 / 0.8 x 1.1
    });

    test('400: a store out of reach, a vendor, a currency without rates', async () => {
      const { channelId: theirs, merchantId } = await world().tenant();
      await post(world(), { channelId: pounds })`${tables.inGold}`;
      const later = { ...day, toDate: day.fromDate + 40 * 86_400 };
      const mismatch = 'channelId and merchantId do not match a connected store';
      for (const [body, text] of [
        [{ channelIds: [dollars, theirs] }, 'channelIds must name connected stores'],
        [{ channelId: theirs, merchantId }, mismatch],
        [{ channelId: euros, merchantId: 'P' }, mismatch],
        [
          { channelId: euros, merchantId: 'P', channelIds: { first: {} } },
          `${mismatch}, channelIds must be an array`,
        ],
        [
          { channelIds: [vendor] },
          'channelIds must name seller channels: vendor channels have no profit and loss',
        ],
        [
          { channelIds: [dollars, pounds], reportOptions: later },
          `there is no exchange rate of XAU which channelId ${pounds} needs: the operator of the ` +
            'service has to import one',
        ],
      ] as const) {
        const answer = await ask(world(), tenant.key, { reportOptions: day, ...body });
        assert.deepEqual([answer.status, answer.body.error], [400, text]);
      }
    });
  },
  { begins: rated },
);

onOnePair('Rounding of profit by period', (world) => {
  test('200: buckets add up to the store; a cent is adjusted where rounding changed most', async () => {
    const tenant = await world().tenant({ channel: { timezone: 'Europe/London' } });
    // Clocks go forward on the 30th of March: that day has 23 hours.
    await post(world(), tenant)`${tables.halfCents}`;
    const range = between('2025-03-29T00:00:00Z', '2025-03-31T22:59:59Z');
    const reportOptions = { ...range, timezone: 'Europe/London' };
    const rows = await view(world(), tenant.key, { ...named(tenant), reportOptions });
    // 0.011 in all is 0.01, which the first of the two nearest to it gets.
    assertShown(rows)`${tables.adjusted}`;
  });
});
