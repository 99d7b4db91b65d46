/** Facts and rows of the report of shipped revenue, and its plain recomputation. */
import fc from 'fast-check';
import {
  shippedByPages,
  shippedRevenue,
} from '../../src/endpoints/reports/create/shippedRevenue/report.ts';
import { byBytes, type Currency, converted, exact, placesOf, plain, ratio } from './exact.ts';
import { cents, dates } from './random.ts';
import type { Drawn, Recomputation } from './recomputation.ts';
import { conformanceOf } from './report.ts';
import { isIn, optionsOf, type Span, windows } from './windows.ts';

/** Shipments of a vendor, and how they are shown. */
export const shippedConformance = {
  ...conformanceOf('shippedRevenue', { channel: { kind: 'vendor' } }),
  table: shippedRevenue,
  byPages: shippedByPages,
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

const input = fc.record({
  view: fc.constantFrom('sourcing', 'manufacturing'),
  spans: windows(dates),
});
type Given = Drawn<typeof given>;
type Input = Drawn<typeof input>;

/** The rows as they follow from going through the sales of each product. */
function expected({ sales, margins }: Given, { view, spans }: Input, target: Currency): string[] {
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
export const shippedRecomputation: Recomputation<Given, Input> = {
  reportType: 'shippedRevenue',
  table: shippedByPages(2),
  kind: 'vendor',
  given,
  input,
  facts: ({ sales, margins }) => ({ vendorSales: sales, vendorMargins: margins }),
  options: ({ view, spans }) => ({ ...optionsOf(spans), view }),
  expected,
};
