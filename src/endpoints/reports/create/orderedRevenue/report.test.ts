import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import {
  onEachPair,
  onRandomFacts,
  type Tenant,
  triesOn,
  type World,
} from '../../../../../test/harness.ts';
import { importRows } from '../../../../../test/imports.ts';
import { csvOf, named } from '../../../../../test/reports.ts';
import { reports } from '../reports.ts';
import { orderedByPages } from './report.ts';

const Exact = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_UP });

const columns = [
  ...['title', 'asin', 'brand', 'glanceViews', 'priorGlanceViews', 'orderedRevenue'],
  ...['priorOrderedRevenue', 'orderedUnits', 'priorOrderedUnits', 'avgPrice'],
  ...['unitsPerGlanceViews', 'conversionRate', 'priorConversionRate'],
];

const seconds = (instant: string) => Date.parse(instant) / 1000;
/** March and February 2025 by the clocks of New York, which change on March 9. */
const options = {
  fromDate: seconds('2025-03-01T00:00:00-05:00'),
  toDate: seconds('2025-03-31T23:59:59-04:00'),
  priorFromDate: seconds('2025-02-01T00:00:00-05:00'),
  priorToDate: seconds('2025-02-28T23:59:59-05:00'),
  timezone: 'America/New_York',
};

async function listed(world: World, tenant: Tenant, asked: object): Promise<string[]> {
  const { rows } = await csvOf(world, tenant, 'orderedRevenue', asked);
  return rows.map((row) => row.join('|'));
}

const vendor = { kind: 'vendor', timezone: 'America/New_York' } as const;
const sale = (
  date: string,
  asin: string,
  [glanceViews, orderedUnits]: [number, number],
  orderedRevenue: string,
  more = {},
) => ({
  ...{ date, asin, view: 'MANUFACTURING', glanceViews, orderedUnits, orderedRevenue },
  ...{ currency: 'USD', ...more },
});

onEachPair('Reports of ordered revenue', (world) => {
  let tenant: Tenant;

  const sales = [
    sale('2025-03-01', 'B0A', [100, 4], '80.00', { sellingProgram: 'RETAIL' }),
    sale('2025-03-01', 'B0A', [20, 1], '15.00', { sellingProgram: 'FRESH' }),
    sale('2025-03-31', 'B0A', [80, 2], '40.01'),
    sale('2025-02-28', 'B0A', [50, 10], '200.00'),
    sale('2025-03-10', 'B0B', [10, 7], '70.00'),
    sale('2025-02-01', 'B0C', [5, 0], '0.00'),
    // Corrected, and without figures.
    sale('2025-03-10', 'B0D', [0, -1], '-9.99'),
    sale('2025-03-10', 'B0E', [0, 0], '0.00'),
    // Another view, the whole vendor, and the days around both periods.
    sale('2025-03-10', 'B0A', [0, 0], '0.00', { view: 'SOURCING', shippedUnits: 9 }),
    sale('2025-03-10', '', [900, 90], '900.00'),
    sale('2025-01-31', 'B0A', [1000, 1000], '1000.00'),
    sale('2025-04-01', 'B0A', [1000, 1000], '1000.00'),
  ];
  const products = [
    { sku: 'S2', productId: 'B0A', title: 'Lamp, "small"' },
    { sku: 'S3', productId: 'B0A', title: 'Other', brand: '@brand' },
    { sku: 'S1', productId: 'B0A' },
    { sku: 'B0B', productId: '', title: 'Not a product id' },
  ];

  before(async () => {
    tenant = await world().tenant({ channel: vendor });
    await importRows(world(), 'products', tenant.channelId, products);
    await importRows(world(), 'vendorSales', tenant.channelId, sales);
  });

  test('A row for each product, the most ordered first, beside its figures of the period before', async () => {
    const report = await csvOf(world(), tenant, 'orderedRevenue', options);
    assert.deepEqual(report.columns, columns);
    assert.deepEqual(
      report.rows.map((row) => row.join('|')),
      [
        // 4 + 1 + 2 units of 200 views for 135.01, as many as the next; before: 10 of 50 for 200.
        'Lamp, "small"|B0A|\'@brand|200|50|135.01|200.00|7|10|19.29|0.0350|3.50|20.00',
        '|B0B||10|0|70.00|0.00|7|0|10.00|0.7000|70.00|',
        '|B0C||0|5|0.00|0.00|0|0||||0.00',
        '|B0D||0|0|-9.99|0.00|-1|0||||',
      ],
    );
  });

  test('Without a comparison its cells are blank, and what had figures then alone has no row', async () => {
    const { fromDate, toDate, timezone } = options;
    assert.deepEqual((await listed(world(), tenant, { fromDate, toDate, timezone })).slice(1), [
      '|B0B||10||70.00||7||10.00|0.7000|70.00|',
      '|B0D||0||-9.99||-1|||||',
    ]);
    // The last second of March there is the first of April in London.
    const [first] = await listed(world(), tenant, { fromDate, toDate, timezone: 'Europe/London' });
    assert.match(first!, /\|B0A\|'@brand\|1200\|\|1135\.01\|/);
  });

  test('Rows of traffic alone count the views of their date instead, those of all products', async () => {
    const viewed = await world().tenant({ channel: vendor });
    await importRows(world(), 'vendorSales', viewed.channelId, [
      sale('2025-03-01', 'B0A', [100, 5], '50.00'),
      sale('2025-03-02', 'B0A', [30, 1], '10.00'),
      sale('2025-03-01', 'B0B', [40, 2], '20.00'),
      { date: '2025-03-01', asin: 'B0A', view: 'TRAFFIC', glanceViews: 70 },
      { date: '2025-03-01', asin: 'B0C', view: 'TRAFFIC', glanceViews: 8 },
    ]);
    const rows = named(await csvOf(world(), viewed, 'orderedRevenue', options));
    assert.deepEqual(
      rows.map(({ asin, glanceViews, orderedUnits }) => [asin, glanceViews, orderedUnits]),
      [
        ['B0A', '100', '6'],
        ['B0B', '0', '2'],
        ['B0C', '8', '0'],
      ],
    );
    const body = { channelId: viewed.channelId, merchantId: viewed.merchantId };
    const answer = await world().ask(viewed.key, 'POST', '/reports/view/vendorSalesByPeriod', {
      ...{ ...body, reportOptions: { ...options, interval: 'y' }, asins: ['B0A', 'B0B', 'B0C'] },
    });
    const [year] = answer.body.formattedChartData;
    assert.deepEqual([year.glanceViews, year.orderedUnits], [108, 8]);
  });

  test('A channel without sales has the header alone', async () => {
    const empty = await world().tenant({ channel: vendor });
    assert.deepEqual(await csvOf(world(), empty, 'orderedRevenue', options), { columns, rows: [] });
  });
});

const perEuro = { USD: '1.0713', JPY: '161.33', EUR: '1' };
type Currency = keyof typeof perEuro;
const dates = fc.integer({ min: 1, max: 6 }).map((day) => `2025-03-0${day}`);
const few = fc.integer({ min: -2, max: 9 });
const currencies = fc.constantFrom<Currency>('USD', 'EUR', 'JPY');

const facts = fc.record({
  isNative: fc.boolean(),
  channelCurrency: currencies,
  products: fc.uniqueArray(
    fc.record({
      sku: fc.constantFrom('a', 'B', 'É', 'other'),
      productId: fc.constantFrom('P1', 'p2', 'É', ''),
      title: fc.constantFrom('', 'T1', 'T2'),
      brand: fc.constantFrom('', 'X', 'Y'),
    }),
    { selector: ({ sku }) => sku, maxLength: 4 },
  ),
  sales: fc.uniqueArray(
    fc.record({
      date: dates,
      asin: fc.constantFrom('P1', 'p2', 'É', 'P9'),
      view: fc.constantFrom('MANUFACTURING', 'SOURCING', 'TRAFFIC'),
      sellingProgram: fc.constantFrom('', 'RETAIL', 'FRESH'),
      glanceViews: fc.integer({ min: 0, max: 9 }),
      orderedUnits: few,
      orderedRevenue: fc
        .integer({ min: -9_999, max: 99_999 })
        .map((amount) => new Exact(amount).div(100).toFixed(2)),
      currency: currencies,
    }),
    { selector: ({ date, asin, view, sellingProgram }) => date + asin + view + sellingProgram },
  ),
});
const questions = fc.record({
  current: fc.tuple(dates, dates),
  prior: fc.option(fc.tuple(dates, dates)),
});
type Facts = typeof facts extends fc.Arbitrary<infer F> ? F : never;
type Question = typeof questions extends fc.Arbitrary<infer Q> ? Q : never;
type Span = readonly [string, string];

const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
const inOrder = ([a, b]: Span): Span => (a <= b ? [a, b] : [b, a]);

/** The rows as they follow from going through the sales of each product. */
function expected(given: Facts, { current, prior }: Question): string[] {
  const target = given.channelCurrency;
  const places = target === 'JPY' ? 0 : 2;
  const windows = [current, ...(prior === null ? [] : [prior])].map(inOrder);
  const ratio = (part: Decimal.Value, whole: number, to: number) =>
    whole > 0 ? plain(new Exact(part).div(whole), to) : '';
  const trafficDates = new Set(
    given.sales.filter(({ view }) => view === 'TRAFFIC').map(({ date }) => date),
  );
  const figuresOf = (asin: string, window: Span | undefined) => {
    let [views, units, revenue] = [0, 0, new Exact(0)];
    let isActive = false;
    for (const row of given.sales) {
      if (!window || row.asin !== asin || row.date < window[0] || row.date > window[1]) continue;
      const isTraffic = row.view === 'TRAFFIC';
      if (row.view === 'SOURCING') continue;
      const seen = isTraffic || !trafficDates.has(row.date) ? row.glanceViews : 0;
      views += seen;
      units += row.orderedUnits;
      const amount = new Exact(row.orderedRevenue);
      revenue = revenue.plus(
        row.currency === target
          ? amount
          : amount.times(perEuro[target]).div(perEuro[row.currency as Currency]),
      );
      isActive ||= seen !== 0 || row.orderedUnits !== 0 || !amount.isZero();
    }
    return { views, units, revenue, isActive };
  };
  const bySku = [...given.products].sort((a, b) => byBytes(a.sku, b.sku));
  return [...new Set(given.sales.map(({ asin }) => asin))]
    .map((asin) => ({
      asin,
      now: figuresOf(asin, windows[0]),
      before: figuresOf(asin, windows[1]),
    }))
    .filter(({ now, before }) => now.isActive || before.isActive)
    .sort((a, b) => b.now.units - a.now.units || byBytes(a.asin, b.asin))
    .map(({ asin, now, before }) => {
      const entries = bySku.filter(({ productId }) => productId === asin);
      const priorCell = (cell: string) => (windows.length > 1 ? cell : '');
      return [
        ...[entries.find(({ title }) => title !== '')?.title ?? '', asin],
        entries.find(({ brand }) => brand !== '')?.brand ?? '',
        ...[String(now.views), priorCell(String(before.views))],
        ...[plain(now.revenue, places), priorCell(plain(before.revenue, places))],
        ...[String(now.units), priorCell(String(before.units))],
        ...[ratio(now.revenue, now.units, 2), ratio(now.units, now.views, 4)],
        ratio(now.units * 100, now.views, 2),
        priorCell(ratio(before.units * 100, before.views, 2)),
      ].join('|');
    });
}

function plain(value: Decimal, places: number): string {
  return value.toFixed(places).replace(/^-(0(\.0+)?)$/, '$1');
}

onRandomFacts('Ordered revenue of random products', define, {
  // By pages of a few rows, as those of many products are.
  reports: { ...reports, orderedRevenue: orderedByPages(2) },
});

function define(world: () => World): void {
  before(async () => {
    await importRows(
      world(),
      'exchangeRates',
      undefined,
      (['USD', 'JPY'] as const).map((currency) => ({
        ...{ date: '2025-02-01', currency, perEuro: perEuro[currency] },
      })),
    );
  });

  test('equals a plain recomputation, whatever the windows and the currencies', async () => {
    await fc.assert(
      fc.asyncProperty(
        facts,
        fc.array(questions, { minLength: 3, maxLength: 3 }),
        async (drawn, askedList) => {
          const given: Facts = {
            ...drawn,
            sales: drawn.sales.map((row) => ({
              ...row,
              ...(drawn.isNative && { currency: drawn.channelCurrency }),
              ...(row.view === 'TRAFFIC' && { orderedUnits: 0, orderedRevenue: '0' }),
            })),
          };
          const tenant = await world().tenant({
            channel: { kind: 'vendor', timezone: 'Europe/Rome', currency: given.channelCurrency },
          });
          const { channelId } = tenant;
          if (given.products.length > 0)
            await importRows(world(), 'products', channelId, given.products);
          if (given.sales.length > 0)
            await importRows(world(), 'vendorSales', channelId, given.sales);
          for (const asked of askedList) {
            const span = (window: Span) => {
              const [first, last] = inOrder(window);
              return [seconds(`${first}T00:00:00Z`), seconds(`${last}T23:59:59Z`)];
            };
            const [fromDate, toDate] = span(asked.current);
            const [priorFromDate, priorToDate] = asked.prior ? span(asked.prior) : [];
            const found = await listed(world(), tenant, {
              ...{ fromDate, toDate, priorFromDate, priorToDate },
            });
            assert.deepEqual(found, expected(given, asked), JSON.stringify(asked));
          }
        },
      ),
      { numRuns: triesOn(world(), { embedded: 10, served: 4 }) },
    );
  });
}
