/** Facts and rows of the report of ordered revenue, and its plain recomputation. */
import type { Decimal } from 'decimal.js';
import fc from 'fast-check';
import {
  orderedByPages,
  orderedRevenue,
} from '../../src/endpoints/reports/create/orderedRevenue/report.ts';
import { byBytes, type Currency, converted, exact, placesOf, plain, ratio } from './exact.ts';
import { cents, dates, few } from './random.ts';
import type { Drawn, Recomputation } from './recomputation.ts';
import { conformanceOf } from './report.ts';
import { isIn, optionsOf, type Span, windows } from './windows.ts';

/** Sales of a vendor, and how they are shown. */
export const orderedConformance = {
  ...conformanceOf('orderedRevenue', { channel: { kind: 'vendor' } }),
  table: orderedRevenue,
  byPages: orderedByPages,
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
function expected({ products, sales }: Given, input: Span<string>[], target: Currency): string[] {
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
    .map((asin) => ({ asin, now: figuresOf(asin, input[0]), before: figuresOf(asin, input[1]) }))
    .filter(({ now, before }) => now.isActive || before.isActive)
    .sort((a, b) => b.now.units - a.now.units || byBytes(a.asin, b.asin))
    .map(({ asin, now, before }) => {
      const entries = bySku.filter(({ productId }) => productId === asin);
      const prior = (cell: string) => (input.length > 1 ? cell : '');
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
  input: windows(dates),
  facts: ({ products, sales }) => ({ products, vendorSales: sales }),
  options: optionsOf,
  expected,
};
