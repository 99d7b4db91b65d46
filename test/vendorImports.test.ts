/**
 * Imports of vendor sales and targets: which rows a document replaces, which stay, and which are
 * refused.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { byDate } from './byDate.ts';
import { MemoryChannel } from './documents.ts';
import { assertHeld } from './facts.ts';
import { onOnePair } from './harness.ts';
import { lines, reasons } from './imports.ts';
import { deepTest } from './level.ts';
import { StoredChannel } from './storedChannel.ts';
import { listsOf } from './table.ts';
import { askView, days } from './world.ts';

type Row = Readonly<Record<string, unknown>>;

/** Ordered, shipped and shipped in all of each date from 10 to 12 March 2025. */
async function vendorFigures(
  { world, tenant: { key, channelId, merchantId } }: StoredChannel,
  asins: readonly string[] = [],
): Promise<unknown[][]> {
  const reportOptions = days('2025-03-10', '2025-03-12');
  const body = { channelId, merchantId, reportOptions, asins };
  const { formattedChartData } = await askView(world, key, 'vendorSalesByPeriod', body);
  const names = ['orderedRevenue', 'shippedRevenue', 'shippedRevenueManufacturing'];
  return formattedChartData.map((row: Row) => names.map((name) => row[name]));
}

/** The targets of the months from January to March 2025, or of the dates from 1 to 3 February. */
async function targets(
  { world, tenant: { key, channelId, merchantId } }: StoredChannel,
  interval: 'month' | 'day' = 'month',
): Promise<unknown[][]> {
  const { fromDate, toDate } =
    interval === 'month' ? days('2025-01-01', '2025-03-31') : days('2025-02-01', '2025-02-03');
  const dates = { fromDate: `${fromDate}`, toDate: `${toDate}`, timezone: 'UTC', interval };
  const path = `/targets?${new URLSearchParams({ channelId, merchantId, ...dates })}`;
  const answer = await world.ask(key, 'GET', path);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const names = ['salesBudget', 'salesForecast', 'adSpendBudget'];
  return answer.body.data.map((bucket: Row) => names.map((name) => bucket[name]));
}

const targetColumns =
  'day, sales_budget, sales_budget_set, sales_forecast, sales_forecast_set, ad_spend_budget, ad_spend_budget_set';

/** A row of one view; of the manufacturing view it has what was ordered as well. */
const sale = (date: number, asin: string, view: string, revenue: number) => ({
  date: `2025-03-${date}`,
  ...(asin !== '' && { asin }),
  view,
  ...(view === 'MANUFACTURING' && { orderedRevenue: revenue }),
  shippedRevenue: revenue,
});
describe('Rows of vendor sales and of targets', () => {
  test('a view that is missing or unknown refuses its row, and a repeated key the later one', async () => {
    const channel = new MemoryChannel(vendor);
    const rows = [
      sale(10, 'A', 'SOURCING', 5),
      sale(10, 'A', 'SOURCING', 6),
      { date: '2025-03-10', asin: 'A' },
      sale(10, 'A', 'RETAIL', 1),
    ];
    const reasonOf = Object.fromEntries(reasons(await channel.post('vendorSales', lines(rows))));
    assert.deepEqual(Object.keys(reasonOf), ['2', '3', '4']);
    assert.equal(reasonOf[2], 'repeats the key of line 1');
    assert.equal(reasonOf[3], 'view is required');
    assert.match(reasonOf[4]!, /^view must be one of .*\(it is "RETAIL"\)$/);
    assert.deepEqual(channel.held('vendor_sale', 'ordered_revenue, shipped_revenue'), [
      [0n, 5_000_000n],
    ]);
  });

  test('an absent value sets no target, and zero is a target, in NDJSON and in CSV', async () => {
    const ndjson = new MemoryChannel();
    await ndjson.importRows('targets', [
      { month: '2025-01', salesBudget: 0, salesForecast: null },
      { month: '2025-02', salesBudget: '', adSpendBudget: '0.00' },
    ]);
    const csv = new MemoryChannel();
    const table = 'month,salesBudget,salesForecast,adSpendBudget\n2025-01,0,,\n2025-02,,,0.00\n';
    assert.deepEqual(reasons(await csv.post('targets', table, 'csv')), []);
    for (const channel of [ndjson, csv])
      await assertHeld(channel, 'target_month')`
        ${targetColumns}
        2025-01-01, 0, 1, 0, 0, 0, 0
        2025-02-01, 0, 0, 0, 0, 0, 1`;
  });

  test('rows with neither or both of month and date, or an invalid month, are rejected with reasons', async () => {
    const channel = new MemoryChannel();
    const rows = [
      { salesBudget: 1 },
      { month: '2025-02', date: '2025-02-01', salesBudget: 1 },
      { month: '2025-13', salesBudget: 1 },
      { month: '2025-01', salesBudget: 'much' },
      { month: '2025-01', salesBudget: 31 },
      { month: '2025-01', salesBudget: 62 },
    ];
    const rejected = reasons(await channel.post('targets', lines(rows)));
    const either = 'either month or date is required';
    assert.deepEqual(Object.fromEntries(rejected.slice(0, 2)), { 1: either, 2: either });
    assert.match(rejected[2]![1], /^month must be a month \(YYYY-MM\)/);
    assert.match(rejected[3]![1], /^salesBudget must be/);
    assert.deepEqual(rejected[4], [6, 'repeats the key of line 5']);
    assert.deepEqual(byDate(channel.held('target_month', targetColumns)), [
      ['2025-01-01', 31_000_000n, 1, 0n, 0, 0n, 0],
    ]);
  });
});

const vendor = { kind: 'vendor', timezone: 'UTC' } as const;
const march = [10, 11].flatMap((date) => [
  sale(date, 'A', 'MANUFACTURING', 100),
  sale(date, 'B', 'MANUFACTURING', 20),
  sale(date, 'A', 'SOURCING', 50),
]);
const [inMarch, nothing] = listsOf('"120.00", "50.00", "120.00"\n"0.00", "0.00", "0.00"');

onOnePair('Imports of vendor sales', (world) => {
  test('a restated document removes its missing rows, on its own dates alone', async () => {
    const channel = await StoredChannel.open(world(), vendor);
    await channel.importRows('vendorSales', march);
    await channel.importRows('vendorSales', [
      sale(11, 'B', 'MANUFACTURING', 25),
      sale(11, 'A', 'SOURCING', 60),
    ]);
    assert.deepEqual(await vendorFigures(channel), [inMarch, ['25.00', '60.00', '25.00'], nothing]);
    const query = '&from=2025-03-11&to=2025-03-12';
    const emptied = await channel.post('vendorSales', '', undefined, query);
    assert.deepEqual(reasons(emptied), []);
    assert.deepEqual(await vendorFigures(channel), [inMarch, nothing, nothing]);
  });

  deepTest('the same document twice leaves the same answers and the same freshness', async () => {
    const channel = await StoredChannel.open(world(), vendor);
    for (const _ of [1, 2]) {
      await channel.importRows('vendorSales', march);
      assert.deepEqual(await vendorFigures(channel), [inMarch, inMarch, nothing]);
      assert.deepEqual(await channel.freshness(), [['vendorSales', '2025-03-10', '2025-03-11', 6]]);
    }
  });

  test('rows without an ASIN are for the whole vendor and leave the rows of products alone', async () => {
    const channel = await StoredChannel.open(world(), vendor);
    await channel.importRows('vendorSales', march);
    await channel.importRows('vendorSales', [
      sale(10, '', 'MANUFACTURING', 1000),
      sale(12, '', 'SOURCING', 7),
    ]);
    const [ofWhole, later] = [
      ['1000.00', '50.00', '1000.00'],
      ['0.00', '7.00', '0.00'],
    ];
    assert.deepEqual(await vendorFigures(channel), [ofWhole, inMarch, later]);
    const [ofB, none] = listsOf('"20.00", "0.00", "20.00"\n"0.00", "0.00", "0.00"');
    assert.deepEqual(await vendorFigures(channel, ['B']), [ofB, ofB, none]);
    // Restated products do not disturb the whole, and the other way round.
    await channel.importRows('vendorSales', [sale(10, 'B', 'MANUFACTURING', 21)]);
    await channel.importRows('vendorSales', [sale(12, '', 'SOURCING', 8)]);
    assert.deepEqual((await vendorFigures(channel))[0], ['1000.00', '0.00', '1000.00']);
    assert.deepEqual((await vendorFigures(channel))[2], ['0.00', '8.00', '0.00']);
    assert.deepEqual((await vendorFigures(channel, ['B']))[0], ['21.00', '0.00', '21.00']);
  });
});

const months = [
  { month: '2025-01', salesBudget: 31, salesForecast: 62 },
  { month: '2025-02', salesBudget: 28, salesForecast: 56 },
  { month: '2025-03', salesBudget: 31, salesForecast: 62, adSpendBudget: 0 },
];

onOnePair('Imports of targets', (world) => {
  test('rows of months and of dates leave each other alone', async () => {
    const channel = await StoredChannel.open(world());
    await channel.importRows('targets', [...months, { date: '2025-02-02', salesBudget: 11 }]);
    assert.deepEqual(await targets(channel), listsOf('31, 62, null\n38, 56, null\n31, 62, 0'));
    await channel.importRows('targets', [{ month: '2025-02', salesBudget: 280 }]);
    assert.deepEqual(await targets(channel), listsOf('31, 62, null\n281, null, null\n31, 62, 0'));
    await channel.importRows('targets', [{ date: '2025-02-02', adSpendBudget: 4 }]);
    const budgets = await targets(channel, 'day');
    assert.deepEqual(budgets, listsOf('10, null, null\n10, null, 4\n10, null, null'));
    // An empty document that names its dates empties months that begin within them, and dates.
    const emptied = await channel.post('targets', '', undefined, '&from=2025-02-01&to=2025-02-28');
    assert.equal(emptied.status, 200);
    assert.deepEqual(await targets(channel), listsOf('31, 62, null\nnull, null, null\n31, 62, 0'));
  });

  deepTest('the same document twice leaves the same answers and the same freshness', async () => {
    const channel = await StoredChannel.open(world());
    const seen: unknown[] = [];
    for (const _ of [1, 2]) {
      await channel.importRows('targets', [...months, { date: '2025-02-02', salesBudget: 11 }]);
      seen.push([await targets(channel), await targets(channel, 'day'), await channel.freshness()]);
    }
    assert.deepEqual(seen[0], seen[1]);
    assert.deepEqual(seen[0], [
      listsOf('31, 62, null\n38, 56, null\n31, 62, 0'),
      listsOf('1, 2, null\n11, 2, null\n1, 2, null'),
      [['targets', '2025-01-01', '2025-03-01', 4]],
    ]);
  });
});
