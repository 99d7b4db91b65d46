/**
 * The figures of salesByPeriod are sums made by hand, over a night in which clocks go forward, in
 * other currencies and zones; its refusals state why.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { onOnePair, type Tenant, type World } from '../../../../test/harness.ts';
import { listsOf, tablesBeside, textBeside } from '../../../../test/table.ts';
import {
  askView,
  assertShown,
  at,
  days,
  fieldsOf,
  importFacts,
  rated,
} from '../../../../test/world.ts';

const tables = tablesBeside(import.meta.url, 'salesByPeriod.tables.txt');

const newYork = 'America/New_York';

/** The rows of an answer. */
async function view(world: World, tenant: Tenant, reportOptions: object, more: object = {}) {
  const { key, channelId, merchantId } = tenant;
  const body = { channelId, merchantId, reportOptions, ...more };
  const { status, formattedChartData } = await askView(world, key, 'salesByPeriod', body);
  assert.equal(status, 'success');
  return formattedChartData as Record<string, string | number>[];
}

// The small world: a store in New York around the night in which clocks went forward. Every figure
// below is a sum made by hand.
const facts = tablesBeside(import.meta.url, 'salesByPeriod.facts.txt');

onOnePair('The small world', (world) => {
  let tenant: Tenant;
  const range = days('2025-03-06', '2025-03-10', newYork);
  const ofStore = (reportOptions: object = range, more?: object) =>
    view(world(), tenant, reportOptions, more);

  before(async () => {
    tenant = await world().tenant({ channel: { timezone: newYork } });
    await importFacts(world(), tenant.channelId, facts);
  });

  test('200: days before the first order line take sales from traffic, later days from order lines, and none adds both', async () => {
    const rows = await ofStore();
    assertShown(rows)`${tables.shown}`;
    assert.equal(rows[3]!.endTime, '2025-03-09T23:59:59.000-04:00');
  });

  test('200: every metric of a full day', async () => {
    const { startTime: _, endTime: __, ...row } = (await ofStore())[2]!;
    assert.deepEqual(row, fieldsOf(textBeside(import.meta.url, 'salesByPeriod.day.csv')));
  });

  test('200: without tax, only sales and their ratios change', async () => {
    const rows = await ofStore(range, { includeTax: false });
    assertShown([rows[2]!])`${tables.untaxed}`;
    assert.equal(rows[0]!.sales, '44.44');
  });

  test('200: an empty ratio is "-", an additive one "0.00"', async () => {
    assertShown((await ofStore()).slice(4))`${tables.emptyRatios}`;
  });

  test('200: the comparison is paired by position; a bucket without facts is "-", one of cancelled lines "0.00"', async () => {
    const noon = at(newYork, '2025-03-09T12:00');
    const period = days('2025-03-08', '2025-03-10', newYork);
    assertShown(
      await ofStore({ ...period, priorFromDate: noon, priorToDate: noon }),
    )`${tables.paired}`;
  });

  test('200: SKUs restrict order lines, traffic and advertising; unknown ones are ignored, an empty list restricts nothing', async () => {
    assertShown(await ofStore(range, { sellerSkus: ['A', 'no such', 'A'] }))`${tables.ofSkus}`;
    assert.deepEqual(await ofStore(range, { sellerSkus: [] }), await ofStore());
  });

  test('200: figures that name only a product id belong to its SKU, unless several have it', async () => {
    const { key, channelId, merchantId } = await world().tenant({ channel: { timezone: 'UTC' } });
    await importFacts(world(), channelId, {
      products: tables.products!,
      traffic: tables.productTraffic!,
      adProductDays: `
        date,       productId, cost
        2025-03-08, B1,        "5.00"`,
    });
    const [fromDate, toDate] = [1741392000, 1741478399];
    const reportOptions = { fromDate, toDate, timezone: 'UTC', interval: 'd' };
    const of = async (sellerSkus: string[]) => {
      const input = { channelId, merchantId, sellerSkus, reportOptions };
      const [day] = (await askView(world(), key, 'salesByPeriod', input)).formattedChartData;
      return [day.sales, day.pageViews, day.adSpend];
    };
    assert.deepEqual(await of(['A']), ['45.00', 3, '5.00']);
    assert.deepEqual(await of(['C', 'D']), ['0.00', 0, '0.00']);
  });

  const utc = days('2025-03-08', '2025-03-10');

  test('200: another zone moves order lines, never dates', async () => {
    assertShown(await ofStore(utc))`${tables.inUtc}`;
  });

  test('200: a range may begin and end at any second', async () => {
    const second = at(newYork, '2025-03-09T03:00:00');
    const of = (instant: number) =>
      ofStore({ fromDate: instant, toDate: instant, timezone: newYork });
    assertShown(await of(second))`${tables.seconds}`;
    assert.equal((await of(second - 1))[0]!.sales, '10.80');
  });

  test('200: hours have only order figures', async () => {
    const rows = await ofStore({ ...days('2025-03-09', '2025-03-09', newYork), interval: 'hour' });
    assert.equal(rows.length, 23);
    assertShown(rows.filter((row) => row.lineItemCount !== 0))`${tables.hours}`;
    assertShown([rows[1]!])`${tables.hourFigures}`;
  });

  test('200: a month and a week add up to their days', async () => {
    // 44.44 + 5.05 + 27.54 + 28.62 + 10.81; (90 x 100 + 100 x 30 + 50 x 10 + 80 x 40) / 180 page
    // views of a known percentage
    assertShown(await ofStore({ ...range, interval: 'month' }))`${tables.month}`;
    assertShown(await ofStore({ ...range, interval: 'w' }))`${tables.weeks}`;
  });

  test('200: exactly 4,000 buckets, exactly 31 days of hours, and equal ends', async () => {
    const [day, from] = [86_400, 1_740_009_600];
    for (const [input, buckets] of [
      [{ fromDate: 0, toDate: 4000 * day - 1 }, 4000],
      [{ fromDate: from, toDate: from + 31 * day - 1, interval: 'h' }, 31 * 24],
      [{ fromDate: from, toDate: from }, 1],
    ] as const)
      assert.equal((await ofStore({ ...input, timezone: 'UTC' })).length, buckets);
  });

  test("200: every answer stays right after a change of the channel's timezone", async () => {
    const { organisationId, channelId } = tenant;
    const sales = async (options: object) => (await ofStore(options)).map((row) => row.sales);
    await world().channel(organisationId, channelId, { timezone: 'UTC' });
    assert.deepEqual(await sales(utc), ['1998.00', '56.16', '10.81']);
    await world().channel(organisationId, channelId, { timezone: newYork });
    assert.deepEqual(await sales(range), ['44.44', '5.05', '27.54', '28.62', '10.81']);
  });
});

onOnePair(
  'Currencies of salesByPeriod',
  (world) => {
    test('200: yen have no decimals, dinars three, and unit prices at least two', async () => {
      const { organisationId, key, merchantId } = await world().tenant();
      for (const [currency, price, sales, average] of listsOf(tables.places!)) {
        const channelId = `places of ${currency}`;
        await world().channel(organisationId, channelId, { currency, timezone: 'UTC' });
        const orderLines = [price, 0, 0].map((itemPrice, line) => ({
          orderId: 'o',
          lineId: String(line),
          quantity: 1,
          itemPrice,
          purchasedAt: '2025-02-19T21:20:00Z',
        }));
        await importFacts(world(), channelId, { orderLines });
        const owner = { key, channelId, merchantId } as Tenant;
        const [row] = await view(world(), owner, days('2025-02-19', '2025-02-19'));
        assert.deepEqual([row!.sales, row!.avgLineItemValue], [sales, average], currency);
      }
    });

    test('200: facts of another currency are converted at the rate of their date, carried over days without one', async () => {
      const tenant = await world().tenant({ channel: { currency: 'USD', timezone: 'UTC' } });
      await importFacts(world(), tenant.channelId, { orderLines: tables.foreignLines! });
      const rows = await view(world(), tenant, days('2025-02-19', '2025-02-24'));
      // 1 EUR at the very first rate; 84 GBP = 100 EUR = 105 USD by Thursday's rates on Saturday;
      // 80 GBP = 100 EUR = 110 USD, and ten cents.
      assert.deepEqual(
        rows.map((row) => row.sales),
        ['1.05', '0.00', '0.00', '105.00', '0.00', '110.10'],
      );
    });
  },
  { begins: rated },
);
