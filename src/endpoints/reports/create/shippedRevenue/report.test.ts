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
import { importDocument, importRows } from '../../../../../test/imports.ts';
import { csvOf } from '../../../../../test/reports.ts';
import { reports } from '../reports.ts';
import { shippedByPages } from './report.ts';

const Exact = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_UP });

const columns = [
  ...['title', 'asin', 'brand', 'shippedRevenue', 'priorShippedRevenue', 'shippedCogs'],
  ...['priorShippedCogs', 'shippedUnits', 'priorShippedUnits', 'unitCogs', 'priorUnitCogs'],
  ...['amazonMargin', 'priorAmazonMargin', 'netPureProductMargin'],
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
  const { rows } = await csvOf(world, tenant, 'shippedRevenue', asked);
  return rows.map((row) => row.join('|'));
}

const vendor = { kind: 'vendor', timezone: 'America/New_York' } as const;
const sale = (
  date: string,
  asin: string,
  shippedUnits: number,
  [shippedRevenue, shippedCogs]: [string, string],
  more = {},
) => ({
  ...{ date, asin, view: 'SOURCING', shippedUnits, shippedRevenue, shippedCogs },
  ...{ currency: 'USD', ...more },
});
const margin = (date: string, asin: string, netPureProductMargin: string) => ({
  ...{ date, asin, netPureProductMargin },
});

onEachPair('Reports of shipped revenue', (world) => {
  let tenant: Tenant;

  const sales = [
    sale('2025-03-01', 'B0A', 4, ['80.00', '50.00'], { sellingProgram: 'RETAIL' }),
    sale('2025-03-01', 'B0A', 1, ['20.00', '12.50'], { sellingProgram: 'FRESH' }),
    sale('2025-03-31', 'B0A', 3, ['60.01', '37.50']),
    sale('2025-02-28', 'B0A', 10, ['200.00', '150.00']),
    sale('2025-03-10', 'B0B', 9, ['45.00', '50.00']),
    sale('2025-02-01', 'B0C', 2, ['30.00', '12.00']),
    // Sent back, and without figures.
    sale('2025-03-10', 'B0D', -1, ['-9.99', '-5.00']),
    sale('2025-03-10', 'B0E', 0, ['0.00', '0.00']),
    // Another view, the whole vendor, and the days around both periods.
    sale('2025-03-10', 'B0A', 100, ['900.00', '600.00'], { view: 'MANUFACTURING' }),
    sale('2025-03-10', '', 90, ['900.00', '400.00']),
    sale('2025-01-31', 'B0A', 1000, ['1000.00', '1.00']),
    sale('2025-04-01', 'B0A', 1000, ['1000.00', '1.00']),
  ];
  const margins = [
    // 0.30 of 100.00 and 0.4575 of 60.01; the sale of March 10 in the other view has 0.25.
    margin('2025-03-01', 'B0A', '0.30'),
    margin('2025-03-31', 'B0A', '0.4575'),
    margin('2025-03-10', 'B0A', '0.25'),
    margin('2025-02-28', 'B0A', '0.99'),
    margin('2025-04-01', 'B0A', '0.99'),
    margin('2025-03-10', 'B0B', '-0.1111'),
    // Of days and products without sales.
    margin('2025-03-11', 'B0B', '0.99'),
    margin('2025-03-11', 'B0F', '0.99'),
  ];
  const products = [
    { sku: 'S2', productId: 'B0A', title: 'Lamp, "small"' },
    { sku: 'S3', productId: 'B0A', title: 'Other', brand: '@brand' },
  ];

  before(async () => {
    tenant = await world().tenant({ channel: vendor });
    await importRows(world(), 'products', tenant.channelId, products);
    await importRows(world(), 'vendorSales', tenant.channelId, sales);
    await importRows(world(), 'vendorMargins', tenant.channelId, margins);
  });

  test('A row for each product, the most shipped first, beside its figures of the period before', async () => {
    const report = await csvOf(world(), tenant, 'shippedRevenue', options);
    assert.deepEqual(report.columns, columns);
    assert.deepEqual(
      report.rows.map((row) => row.join('|')),
      [
        '|B0B||45.00|0.00|50.00|0.00|9|0|5.56||-11.11||-11.11',
        // 60.01 of 160.01 exceed the cost; 30.00 + 27.454575 of 160.01 are the margin.
        'Lamp, "small"|B0A|\'@brand|160.01|200.00|100.00|150.00|8|10|12.50|15.00|37.50|25.00|35.91',
        '|B0C||0.00|30.00|0.00|12.00|0|2||6.00||60.00|',
        '|B0D||-9.99|0.00|-5.00|0.00|-1|0|||||',
      ],
    );
  });

  test('The manufacturing view has all units; without a comparison its cells are blank', async () => {
    const { fromDate, toDate, timezone } = options;
    const all = { fromDate, toDate, timezone, view: 'manufacturing' };
    assert.deepEqual(await listed(world(), tenant, all), [
      'Lamp, "small"|B0A|\'@brand|900.00||600.00||100||6.00||33.33||25.00',
    ]);
    // The last second of March there is the first of April in London.
    const [first] = await listed(world(), tenant, { ...options, timezone: 'Europe/London' });
    assert.match(first!, /\|B0A\|'@brand\|1160\.01\|/);
  });

  test('A margin of several days weighs as much as what was shipped on them in the period', async () => {
    const weekly = await world().tenant({ channel: vendor });
    await importRows(world(), 'vendorSales', weekly.channelId, [
      sale('2025-02-28', 'B0A', 1, ['1000.00', '1.00']),
      sale('2025-03-01', 'B0A', 1, ['10.00', '1.00']),
      sale('2025-03-08', 'B0A', 1, ['30.00', '1.00']),
      // Without a margin.
      sale('2025-03-09', 'B0A', 1, ['500.00', '1.00']),
    ]);
    const week = (startDate: string, endDate: string, netPureProductMargin: number) => ({
      ...{ startDate, endDate, asin: 'B0A', netPureProductMargin },
    });
    const document = {
      reportSpecification: {
        reportType: 'GET_VENDOR_NET_PURE_PRODUCT_MARGIN_REPORT',
        reportOptions: { reportPeriod: 'WEEK' },
        ...{ dataStartTime: '2025-02-23', dataEndTime: '2025-03-08' },
        marketplaceIds: [weekly.merchantId.split(' @ ')[1] ?? 'ATVPDKIKX0DER'],
      },
      netPureProductMarginByAsin: [
        week('2025-02-23', '2025-03-01', 0.2),
        week('2025-03-02', '2025-03-08', 0.4),
      ],
    };
    const answer = await importDocument(
      world(),
      weekly.channelId,
      JSON.stringify(document),
      '&coarse=lastDay',
    );
    assert.equal(answer.body.rowsAccepted, 2, JSON.stringify(answer.body));
    // 0.2 of 10.00 and 0.4 of 30.00.
    const [row] = await listed(world(), weekly, options);
    assert.match(row!, /\|35\.00$/);
  });

  test('A channel without sales has the header alone', async () => {
    const empty = await world().tenant({ channel: vendor });
    assert.deepEqual(await csvOf(world(), empty, 'shippedRevenue', options), { columns, rows: [] });
  });
});

const perEuro = { USD: '1.0713', JPY: '161.33', EUR: '1' };
type Currency = keyof typeof perEuro;
const dates = fc.integer({ min: 1, max: 6 }).map((day) => `2025-03-0${day}`);
const asins = fc.constantFrom('P1', 'p2', 'É', 'P9');
const currencies = fc.constantFrom<Currency>('USD', 'EUR', 'JPY');
const cents = fc
  .integer({ min: -999, max: 99_999 })
  .map((amount) => new Exact(amount).div(100).toFixed(2));

const facts = fc.record({
  isNative: fc.boolean(),
  channelCurrency: currencies,
  sales: fc.uniqueArray(
    fc.record({
      date: dates,
      asin: asins,
      view: fc.constantFrom('MANUFACTURING', 'SOURCING'),
      sellingProgram: fc.constantFrom('', 'RETAIL'),
      shippedUnits: fc.integer({ min: -2, max: 9 }),
      shippedRevenue: cents,
      shippedCogs: cents,
      currency: currencies,
    }),
    { selector: ({ date, asin, view, sellingProgram }) => date + asin + view + sellingProgram },
  ),
  margins: fc.uniqueArray(
    fc.record({
      date: dates,
      asin: asins,
      netPureProductMargin: fc
        .integer({ min: -5_000, max: 9_000 })
        .map((margin) => new Exact(margin).div(10_000).toFixed(4)),
    }),
    { selector: ({ date, asin }) => date + asin },
  ),
});
const questions = fc.record({
  view: fc.constantFrom('sourcing', 'manufacturing'),
  current: fc.tuple(dates, dates),
  prior: fc.option(fc.tuple(dates, dates)),
});
type Facts = typeof facts extends fc.Arbitrary<infer F> ? F : never;
type Question = typeof questions extends fc.Arbitrary<infer Q> ? Q : never;
type Span = readonly [string, string];

const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
const inOrder = ([a, b]: Span): Span => (a <= b ? [a, b] : [b, a]);

/** The rows as they follow from going through the sales of each product. */
function expected(given: Facts, { view, current, prior }: Question): string[] {
  const target = given.channelCurrency;
  const places = target === 'JPY' ? 0 : 2;
  const windows = [current, ...(prior === null ? [] : [prior])].map(inOrder);
  const ratio = (part: Decimal, whole: Decimal, to: number) =>
    whole.gt(0) ? plain(part.div(whole), to) : '';
  const sales = given.sales.filter((row) => row.view.toLowerCase() === view);
  const figuresOf = (asin: string, window: Span | undefined) => {
    const sums = { revenue: new Exact(0), cogs: new Exact(0), weighted: new Exact(0) };
    let [known, units, isActive] = [new Exact(0), 0, false];
    for (const row of sales) {
      if (!window || row.asin !== asin || row.date < window[0] || row.date > window[1]) continue;
      const converted = (amount: string) =>
        row.currency === target
          ? new Exact(amount)
          : new Exact(amount).times(perEuro[target]).div(perEuro[row.currency as Currency]);
      const revenue = converted(row.shippedRevenue);
      sums.revenue = sums.revenue.plus(revenue);
      sums.cogs = sums.cogs.plus(converted(row.shippedCogs));
      units += row.shippedUnits;
      isActive ||= row.shippedUnits !== 0 || !revenue.isZero() || Number(row.shippedCogs) !== 0;
      const reported = given.margins.find((one) => one.asin === asin && one.date === row.date);
      if (reported === undefined) continue;
      known = known.plus(revenue);
      sums.weighted = sums.weighted.plus(revenue.times(reported.netPureProductMargin));
    }
    return { ...sums, known, units, isActive };
  };
  const cellsOf = ({ revenue, cogs, units }: ReturnType<typeof figuresOf>) => [
    ...[plain(revenue, places), plain(cogs, places), String(units)],
    ratio(cogs, new Exact(units), 2),
    ratio(revenue.minus(cogs).times(100), revenue, 2),
  ];
  return [...new Set(sales.map(({ asin }) => asin))]
    .map((asin) => ({
      asin,
      now: figuresOf(asin, windows[0]),
      before: figuresOf(asin, windows[1]),
    }))
    .filter(({ now, before }) => now.isActive || before.isActive)
    .sort((a, b) => b.now.units - a.now.units || byBytes(a.asin, b.asin))
    .map(({ asin, now, before }) => {
      const priors = cellsOf(before).map((cell) => (windows.length > 1 ? cell : ''));
      return [
        ...['', asin, ''],
        ...cellsOf(now).flatMap((cell, place) => [cell, priors[place]!]),
        ratio(now.weighted.times(100), now.known, 2),
      ].join('|');
    });
}

function plain(value: Decimal, places: number): string {
  return value.toFixed(places).replace(/^-(0(\.0+)?)$/, '$1');
}

onRandomFacts('Shipped revenue of random products', define, {
  // By pages of a few rows, as those of many products are.
  reports: { ...reports, shippedRevenue: shippedByPages(2) },
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

  test('equals a plain recomputation, whatever the view, the windows and the currencies', async () => {
    await fc.assert(
      fc.asyncProperty(
        facts,
        fc.array(questions, { minLength: 3, maxLength: 3 }),
        async (drawn, askedList) => {
          const given: Facts = {
            ...drawn,
            sales: drawn.sales.map((row) =>
              drawn.isNative ? { ...row, currency: drawn.channelCurrency } : row,
            ),
          };
          const tenant = await world().tenant({
            channel: { kind: 'vendor', timezone: 'Europe/Rome', currency: given.channelCurrency },
          });
          const { channelId } = tenant;
          if (given.sales.length > 0)
            await importRows(world(), 'vendorSales', channelId, given.sales);
          if (given.margins.length > 0)
            await importRows(world(), 'vendorMargins', channelId, given.margins);
          for (const asked of askedList) {
            const span = (window: Span) => {
              const [first, last] = inOrder(window);
              return [seconds(`${first}T00:00:00Z`), seconds(`${last}T23:59:59Z`)];
            };
            const [fromDate, toDate] = span(asked.current);
            const [priorFromDate, priorToDate] = asked.prior ? span(asked.prior) : [];
            const found = await listed(world(), tenant, {
              ...{ fromDate, toDate, priorFromDate, priorToDate, view: asked.view },
            });
            assert.deepEqual(found, expected(given, asked), JSON.stringify(asked));
          }
        },
      ),
      { numRuns: triesOn(world(), { embedded: 10, served: 4 }) },
    );
  });
}
