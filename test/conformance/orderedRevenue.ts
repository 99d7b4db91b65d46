/** Facts and rows of the report of ordered revenue, and its plain recomputation. */
import type { Decimal } from 'decimal.js';
import fc from 'fast-check';
import {
  orderedByPages,
  orderedRevenue,
} from '../../src/endpoints/reports/create/orderedRevenue/report.ts';
import { rowsOf } from '../table.ts';
import { byBytes, type Currency, converted, exact, placesOf, plain, ratio } from './exact.ts';
import { cents, dates, few } from './random.ts';
import type { Drawn, Recomputation } from './recomputation.ts';
import { type Conformance, marchInNewYork } from './report.ts';
import { isIn, optionsOf, type Span, windows } from './windows.ts';

/** Sales of a vendor, and how they are shown. */
export const orderedConformance: Conformance = {
  reportType: 'orderedRevenue',
  table: orderedRevenue,
  byPages: orderedByPages,
  channel: { kind: 'vendor' },
  facts: {
    products: rowsOf(`
      sku, productId, title,               brand
      S2,  B0A,       "Lamp, ""small""",
      S3,  B0A,       Other,               @brand
      S1,  B0A,       ,
      B0B, ,          Not a product id,`),
    // After two dates of the product by programs: a correction, and a product without figures. Then
    // the whole vendor, the days around both periods, and another view.
    vendorSales: rowsOf(`
      date,       asin, view,          glanceViews, orderedUnits, orderedRevenue, sellingProgram, shippedUnits
      2025-03-01, B0A,  MANUFACTURING, 100,         4,            80.00,          RETAIL
      2025-03-01, B0A,  MANUFACTURING, 20,          1,            15.00,          FRESH
      2025-03-31, B0A,  MANUFACTURING, 80,          2,            40.01,
      2025-02-28, B0A,  MANUFACTURING, 50,          10,           200.00,
      2025-03-10, B0B,  MANUFACTURING, 10,          7,            70.00,
      2025-02-01, B0C,  MANUFACTURING, 5,           0,            0.00,
      2025-03-10, B0D,  MANUFACTURING, 0,           -1,           -9.99,
      2025-03-10, B0E,  MANUFACTURING, 0,           0,            0.00,
      2025-03-10, "",   MANUFACTURING, 900,         90,           900.00,
      2025-01-31, B0A,  MANUFACTURING, 1000,        1000,         1000.00,
      2025-04-01, B0A,  MANUFACTURING, 1000,        1000,         1000.00,
      2025-03-10, B0A,  SOURCING,      0,           0,            0.00,           ,               9`),
  },
  columns:
    'title,asin,brand,glanceViews,priorGlanceViews,orderedRevenue,priorOrderedRevenue,' +
    'orderedUnits,priorOrderedUnits,avgPrice,unitsPerGlanceViews,conversionRate,priorConversionRate',
  questions: [
    {
      options: marchInNewYork,
      // 4 + 1 + 2 units of 200 views for 135.01, as many as the next; before: 10 of 50 for 200.
      rows: `
        Lamp, "small"|B0A|'@brand|200|50|135.01|200.00|7|10|19.29|0.0350|3.50|20.00
        |B0B||10|0|70.00|0.00|7|0|10.00|0.7000|70.00|
        |B0C||0|5|0.00|0.00|0|0||||0.00
        |B0D||0|0|-9.99|0.00|-1|0||||`,
      before: ['|B0C|'],
    },
  ],
  // The last second of March in New York is the first of April in London.
  zone: {
    options: { timezone: 'Europe/London' },
    first: `Lamp, "small"|B0A|'@brand|1200||1135.01|`,
  },
};

const given = (currency: fc.Arbitrary<Currency>) =>
  fc.record({
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
      fc
        .record({
          date: dates,
          asin: fc.constantFrom('P1', 'p2', 'É', 'P9'),
          view: fc.constantFrom('MANUFACTURING', 'SOURCING', 'TRAFFIC'),
          sellingProgram: fc.constantFrom('', 'RETAIL', 'FRESH'),
          glanceViews: few,
          orderedUnits: fc.integer({ min: -2, max: 9 }),
          orderedRevenue: cents(-9_999),
          currency,
        })
        .map((row) =>
          row.view === 'TRAFFIC' ? { ...row, orderedUnits: 0, orderedRevenue: '0' } : row,
        ),
      {
        selector: ({ date, asin, view, sellingProgram }) => date + asin + view + sellingProgram,
        minLength: 5,
        maxLength: 25,
      },
    ),
  });

type Given = Drawn<typeof given>;

/** The rows as they follow from going through the sales of each product. */
function expected({ products, sales }: Given, asked: Span<string>[], target: Currency): string[] {
  const places = placesOf(target);
  const trafficDates = new Set(
    sales.filter(({ view }) => view === 'TRAFFIC').map(({ date }) => date),
  );
  const figuresOf = (asin: string, window: Span<string> | undefined) => {
    let [views, units, revenue] = [0, 0, exact(0)];
    let isActive = false;
    for (const row of sales) {
      if (!window || row.asin !== asin || !isIn(window, row.date)) continue;
      if (row.view === 'SOURCING') continue;
      const counts = row.view === 'TRAFFIC' || !trafficDates.has(row.date);
      const seen = counts ? row.glanceViews : 0;
      views += seen;
      units += row.orderedUnits;
      revenue = revenue.plus(converted(row.orderedRevenue, row.currency, target, row.date));
      isActive ||= seen !== 0 || row.orderedUnits !== 0 || Number(row.orderedRevenue) !== 0;
    }
    return { views, units, revenue, isActive };
  };
  const perUnit = (revenue: Decimal, units: number) => ratio(revenue, units, 2);
  const bySku = [...products].sort((a, b) => byBytes(a.sku, b.sku));
  return [...new Set(sales.map(({ asin }) => asin))]
    .map((asin) => ({ asin, now: figuresOf(asin, asked[0]), before: figuresOf(asin, asked[1]) }))
    .filter(({ now, before }) => now.isActive || before.isActive)
    .sort((a, b) => b.now.units - a.now.units || byBytes(a.asin, b.asin))
    .map(({ asin, now, before }) => {
      const entries = bySku.filter(({ productId }) => productId === asin);
      const prior = (cell: string) => (asked.length > 1 ? cell : '');
      return [
        ...[entries.find(({ title }) => title !== '')?.title ?? '', asin],
        entries.find(({ brand }) => brand !== '')?.brand ?? '',
        ...[String(now.views), prior(String(before.views))],
        ...[plain(now.revenue, places), prior(plain(before.revenue, places))],
        ...[String(now.units), prior(String(before.units))],
        ...[perUnit(now.revenue, now.units), ratio(now.units, now.views, 4)],
        ratio(now.units * 100, now.views, 2),
        prior(ratio(before.units * 100, before.views, 2)),
      ].join('|');
    });
}

/** Ordered revenue of random products. */
export const orderedRecomputation: Recomputation<Given, Span<string>[]> = {
  reportType: 'orderedRevenue',
  table: orderedByPages(2),
  kind: 'vendor',
  given,
  asked: windows(dates),
  facts: ({ products, sales }) => ({ products, vendorSales: sales }),
  options: optionsOf,
  expected,
};
