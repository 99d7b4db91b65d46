/** Facts and rows of the report of shipped revenue, and its plain recomputation. */
import fc from 'fast-check';
import {
  shippedByPages,
  shippedRevenue,
} from '../../src/endpoints/reports/create/shippedRevenue/report.ts';
import { rowsOf } from '../table.ts';
import { byBytes, type Currency, converted, exact, placesOf, plain, ratio } from './exact.ts';
import { cents, dates } from './random.ts';
import type { Drawn, Recomputation } from './recomputation.ts';
import { alone, type Conformance, marchInNewYork } from './report.ts';
import { isIn, optionsOf, type Span, windows } from './windows.ts';

/** Shipments of a vendor, and how they are shown. */
export const shippedConformance: Conformance = {
  reportType: 'shippedRevenue',
  table: shippedRevenue,
  byPages: shippedByPages,
  channel: { kind: 'vendor' },
  facts: {
    products: rowsOf(`
      sku, productId, title,               brand
      S2,  B0A,       "Lamp, ""small""",
      S3,  B0A,       Other,               @brand`),
    // One product was sent back, one has no figures. Then another view, the whole vendor, and the
    // days around both periods.
    vendorSales: rowsOf(`
      date,       asin, view,          shippedUnits, shippedRevenue, shippedCogs, sellingProgram
      2025-03-01, B0A,  SOURCING,      4,            80.00,          50.00,       RETAIL
      2025-03-01, B0A,  SOURCING,      1,            20.00,          12.50,       FRESH
      2025-03-31, B0A,  SOURCING,      3,            60.01,          37.50,
      2025-02-28, B0A,  SOURCING,      10,           200.00,         150.00,
      2025-03-10, B0B,  SOURCING,      9,            45.00,          50.00,
      2025-02-01, B0C,  SOURCING,      2,            30.00,          12.00,
      2025-03-10, B0D,  SOURCING,      -1,           -9.99,          -5.00,
      2025-03-10, B0E,  SOURCING,      0,            0.00,           0.00,
      2025-03-10, B0A,  MANUFACTURING, 100,          900.00,         600.00,
      2025-03-10, "",   SOURCING,      90,           900.00,         400.00,
      2025-01-31, B0A,  SOURCING,      1000,         1000.00,        1.00,
      2025-04-01, B0A,  SOURCING,      1000,         1000.00,        1.00,`),
    // 0.30 of 100.00 and 0.4575 of 60.01; the sale of March 10 in the other view has 0.25. The last
    // two are of days and products without sales.
    vendorMargins: rowsOf(`
      date,       asin, netPureProductMargin
      2025-03-01, B0A,  0.30
      2025-03-31, B0A,  0.4575
      2025-03-10, B0A,  0.25
      2025-02-28, B0A,  0.99
      2025-04-01, B0A,  0.99
      2025-03-10, B0B,  -0.1111
      2025-03-11, B0B,  0.99
      2025-03-11, B0F,  0.99`),
  },
  columns:
    'title,asin,brand,shippedRevenue,priorShippedRevenue,shippedCogs,priorShippedCogs,' +
    'shippedUnits,priorShippedUnits,unitCogs,priorUnitCogs,amazonMargin,priorAmazonMargin,' +
    'netPureProductMargin',
  questions: [
    {
      options: marchInNewYork,
      // 60.01 of 160.01 exceed the cost; 30.00 + 27.454575 of 160.01 are the margin.
      rows: `
        |B0B||45.00|0.00|50.00|0.00|9|0|5.56||-11.11||-11.11
        Lamp, "small"|B0A|'@brand|160.01|200.00|100.00|150.00|8|10|12.50|15.00|37.50|25.00|35.91
        |B0C||0.00|30.00|0.00|12.00|0|2||6.00||60.00|
        |B0D||-9.99|0.00|-5.00|0.00|-1|0|||||`,
      before: ['|B0C|'],
    },
    {
      options: { ...alone(marchInNewYork), view: 'manufacturing' },
      rows: `Lamp, "small"|B0A|'@brand|900.00||600.00||100||6.00||33.33||25.00`,
    },
  ],
  // The last second of March in New York is the first of April in London.
  zone: { options: { timezone: 'Europe/London' }, first: `Lamp, "small"|B0A|'@brand|1160.01|` },
};

const asins = fc.constantFrom('P1', 'p2', 'É', 'P9');

const given = (currency: fc.Arbitrary<Currency>) =>
  fc.record({
    sales: fc.uniqueArray(
      fc.record({
        date: dates,
        asin: asins,
        view: fc.constantFrom('MANUFACTURING', 'SOURCING'),
        sellingProgram: fc.constantFrom('', 'RETAIL'),
        shippedUnits: fc.integer({ min: -2, max: 9 }),
        shippedRevenue: cents(-999),
        shippedCogs: cents(-999),
        currency,
      }),
      {
        selector: ({ date, asin, view, sellingProgram }) => date + asin + view + sellingProgram,
        minLength: 5,
        maxLength: 25,
      },
    ),
    margins: fc.uniqueArray(
      fc.record({
        date: dates,
        asin: asins,
        netPureProductMargin: fc
          .integer({ min: -5_000, max: 9_000 })
          .map((margin) => exact(margin).div(10_000).toFixed(4)),
      }),
      { selector: ({ date, asin }) => date + asin },
    ),
  });

const asked = fc.record({
  view: fc.constantFrom('sourcing', 'manufacturing'),
  spans: windows(dates),
});
type Given = Drawn<typeof given>;
type Asked = Drawn<typeof asked>;

/** The rows as they follow from going through the sales of each product. */
function expected({ sales, margins }: Given, { view, spans }: Asked, target: Currency): string[] {
  const places = placesOf(target);
  const shown = sales.filter((row) => row.view.toLowerCase() === view);
  const figuresOf = (asin: string, window: Span<string> | undefined) => {
    const sums = { revenue: exact(0), cogs: exact(0), weighted: exact(0) };
    let [known, units, isActive] = [exact(0), 0, false];
    for (const row of shown) {
      if (!window || row.asin !== asin || !isIn(window, row.date)) continue;
      const inTarget = (amount: string) => converted(amount, row.currency, target, row.date);
      const revenue = inTarget(row.shippedRevenue);
      sums.revenue = sums.revenue.plus(revenue);
      sums.cogs = sums.cogs.plus(inTarget(row.shippedCogs));
      units += row.shippedUnits;
      isActive ||= row.shippedUnits !== 0 || !revenue.isZero() || Number(row.shippedCogs) !== 0;
      const reported = margins.find((one) => one.asin === asin && one.date === row.date);
      if (reported === undefined) continue;
      known = known.plus(revenue);
      sums.weighted = sums.weighted.plus(revenue.times(reported.netPureProductMargin));
    }
    return { ...sums, known, units, isActive };
  };
  const cellsOf = ({ revenue, cogs, units }: ReturnType<typeof figuresOf>) => [
    ...[plain(revenue, places), plain(cogs, places), String(units)],
    ...[ratio(cogs, units, 2), ratio(revenue.minus(cogs).times(100), revenue, 2)],
  ];
  return [...new Set(shown.map(({ asin }) => asin))]
    .map((asin) => ({ asin, now: figuresOf(asin, spans[0]), before: figuresOf(asin, spans[1]) }))
    .filter(({ now, before }) => now.isActive || before.isActive)
    .sort((a, b) => b.now.units - a.now.units || byBytes(a.asin, b.asin))
    .map(({ asin, now, before }) => {
      const priors = cellsOf(before).map((cell) => (spans.length > 1 ? cell : ''));
      return [
        ...['', asin, ''],
        ...cellsOf(now).flatMap((cell, place) => [cell, priors[place]!]),
        ratio(now.weighted.times(100), now.known, 2),
      ].join('|');
    });
}

/** Shipped revenue of random products. */
export const shippedRecomputation: Recomputation<Given, Asked> = {
  reportType: 'shippedRevenue',
  table: shippedByPages(2),
  kind: 'vendor',
  given,
  asked,
  facts: ({ sales, margins }) => ({ vendorSales: sales, vendorMargins: margins }),
  options: ({ view, spans }) => ({ ...optionsOf(spans), view }),
  expected,
};
