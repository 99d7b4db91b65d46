/** On random facts salesByProduct equals a plain recomputation, and adds up to the store. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { exact } from '../../../../../test/conformance/exact.ts';
import { onRandomFacts, type Tenant, triesOn, type World } from '../../../../../test/harness.ts';
import {
  cents,
  type Drawn,
  datesFrom,
  instantsFrom,
  rowsBy,
  wallTime,
} from '../../../../../test/randomFacts.ts';
import { askView, importFacts, withRates } from '../../../../../test/world.ts';

/** Dollars per euro on every date; every product with it is exact. */
const perEuro = 1.25;
const rates = [{ date: '2025-01-01', currency: 'USD', perEuro }];
const zones = ['America/New_York', 'UTC', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Africa/Cairo'];
const catalogue = [
  { sku: 'A', productId: 'PA', title: 'a', price: '3.10' },
  { sku: 'B', productId: 'PB', title: 'b' },
  { sku: 'C1', productId: 'PC', title: 'c' },
  { sku: 'C2', productId: 'PC', price: '1' },
];
const onlySku: Readonly<Record<string, string>> = { PA: 'A', PB: 'B' };

const amounts = cents(0, 9999);
const instants = instantsFrom('2025-03-01', 40);
const dates = datesFrom('2025-03-01', 40);
const products = fc.constantFrom(
  ...['A PA', 'B PB', 'C1 PC', 'C2 PC', ' PA', ' PC', 'Z PZ'].map((ids) => {
    const [sku = '', productId = ''] = ids.split(' ');
    return { sku, productId };
  }),
);
const ordered = { orderedRevenue: amounts, orderedUnits: fc.nat(9) };
const byProduct = ({ date, product }: { date: string; product: Fact }) =>
  date + product.sku + product.productId;
const facts = fc.record({
  zone: fc.constantFrom(...zones),
  lines: fc.array(
    fc.record({
      purchasedAt: instants,
      product: products,
      quantity: fc.nat(4),
      itemPrice: amounts,
      itemTax: amounts,
      status: fc.constantFrom('Shipped', 'Pending', 'Canceled'),
      currency: fc.constantFrom('USD', 'USD', 'EUR'),
    }),
    { maxLength: 40 },
  ),
  totals: rowsBy(['date'], { date: dates, ...ordered }, 12),
  traffic: fc.uniqueArray(fc.record({ date: dates, product: products, ...ordered }), {
    selector: byProduct,
    maxLength: 40,
  }),
  ads: fc.uniqueArray(
    fc.record({ date: dates, product: products, cost: amounts, sales: amounts }),
    { selector: byProduct, maxLength: 30 },
  ),
  inventory: rowsBy(
    ['date', 'sku'],
    { date: dates, sku: fc.constantFrom('A', 'B', 'C1'), available: fc.nat(1) },
    30,
  ),
});
type Facts = Drawn<typeof facts>;
const questions = fc.record({
  zone: fc.constantFrom(...zones),
  from: instants,
  length: fc.integer({ min: 0, max: 25 * 86_400 }),
  priorShift: fc.integer({ min: -25 * 86_400, max: 10 * 86_400 }),
  includeTax: fc.boolean(),
  includeNoSales: fc.boolean(),
});
type Question = Drawn<typeof questions>;
type Fact = { readonly sku: string; readonly productId: string };

/** The sums of a product, computed fact by fact. */
type Sums = {
  sales: Decimal;
  units: number;
  spend: Decimal;
  adSales: Decimal;
  lastSold: number | null;
  noQuantitySinceTime: number | null;
};

function keyOf({ sku, productId }: Fact): string {
  return sku || (onlySku[productId] ?? productId);
}

/** The same figures, by one other library for zones and another for decimals. */
function naive(world: Facts, { zone, includeTax }: Question, from: number, to: number) {
  const dateOf = (instant: number) => wallTime(zone, instant).toPlainDate().toString();
  const startOf = (date: string) =>
    Temporal.PlainDate.from(date).toZonedDateTime(zone).startOfDay().epochMilliseconds / 1000;
  const [first, last] = [dateOf(from), dateOf(to)];
  const [firstLine] = world.lines.map((line) => line.purchasedAt).sort((a, b) => a - b);
  const since = firstLine === undefined ? '9999' : dateOf(firstLine);
  const sums = new Map<string, Sums>();
  /** The products with any fact in the window. */
  const known = new Set<string>();
  const of = (key: string) => {
    const found = sums.get(key) ?? {
      sales: exact(0),
      units: 0,
      spend: exact(0),
      adSales: exact(0),
      lastSold: null,
      noQuantitySinceTime: null,
    };
    sums.set(key, found);
    return found;
  };
  for (const line of world.lines) {
    if (line.status === 'Canceled' || line.purchasedAt > to) continue;
    const sum = of(keyOf(line.product));
    sum.lastSold = Math.max(sum.lastSold ?? 0, line.purchasedAt);
    if (line.purchasedAt < from) continue;
    known.add(keyOf(line.product));
    const price = exact(line.itemPrice).plus(includeTax ? line.itemTax : 0);
    sum.sales = sum.sales.plus(line.currency === 'EUR' ? price.times(perEuro) : price);
    sum.units += line.quantity;
  }
  for (const row of world.traffic) {
    if (row.date >= since || row.date > last) continue;
    const sum = of(keyOf(row.product));
    if (Number(row.orderedRevenue) > 0 || row.orderedUnits > 0)
      sum.lastSold = Math.max(sum.lastSold ?? 0, startOf(row.date));
    if (row.date < first) continue;
    known.add(keyOf(row.product));
    sum.sales = sum.sales.plus(row.orderedRevenue);
    sum.units += row.orderedUnits;
  }
  for (const ad of world.ads) {
    if (ad.date < first || ad.date > last) continue;
    const sum = of(keyOf(ad.product));
    known.add(keyOf(ad.product));
    sum.spend = sum.spend.plus(ad.cost);
    sum.adSales = sum.adSales.plus(ad.sales);
  }
  for (const snapshot of world.inventory.toSorted((a, b) => (a.date < b.date ? -1 : 1))) {
    if (snapshot.date > last) continue;
    const sum = of(snapshot.sku);
    sum.noQuantitySinceTime =
      snapshot.available > 0 ? null : (sum.noQuantitySinceTime ?? startOf(snapshot.date));
  }
  return { sums, of, known };
}

function shownOf({ sales, units, spend, adSales, lastSold, noQuantitySinceTime }: Sums) {
  const over = (part: Decimal, whole: Decimal.Value, factor: number) =>
    exact(whole).gt(0) ? part.times(factor).div(whole).toDecimalPlaces(2).toNumber() : 0;
  return {
    totalSales: sales.toDecimalPlaces(2).toNumber(),
    unitsSold: units,
    avPrice: over(sales, units, 1),
    lastSold,
    noQuantitySinceTime,
    acos: over(spend, adSales, 100),
    tacos: over(spend, sales, 100),
  };
}

onRandomFacts(
  'Sales of products on random facts',
  (world) => {
    test('equal a plain recomputation, and add up to the sales of the store', async () => {
      await fc.assert(
        fc.asyncProperty(
          facts,
          fc.array(questions, { minLength: 4, maxLength: 4 }),
          async (given, drawn) => {
            const tenant = await world().tenant({ channel: { timezone: given.zone } });
            const of = ({ product, ...row }: { product: Fact }) => ({ ...row, ...product });
            await importFacts(world(), tenant.channelId, {
              products: catalogue,
              orderLines: given.lines.map((line, index) => ({
                ...of(line),
                orderId: `o${index}`,
                lineId: '1',
              })),
              traffic: [...given.totals, ...given.traffic.map(of)],
              adProductDays: given.ads.map(of),
              inventory: given.inventory,
            });
            for (const [place, question] of drawn.entries()) {
              const ask = place % 2 === 0 ? world().ask : world().askUncached;
              await check(given, question, tenant, ask);
            }
          },
        ),
        { numRuns: triesOn(world(), { embedded: 8, served: 3, normal: 1 }) },
      );

      async function check(
        given: Facts,
        question: Question,
        { key, channelId, merchantId }: Tenant,
        ask: World['ask'],
      ) {
        const { zone, from, length, priorShift, includeTax, includeNoSales } = question;
        const [to, priorFrom] = [from + length, from + priorShift];
        const period = {
          fromDate: from,
          toDate: to,
          priorFromDate: priorFrom,
          priorToDate: priorFrom + length,
          timezone: zone,
        };
        const { body } = await ask(key, 'POST', '/reports/view/salesByProduct', {
          channelId,
          merchantId,
          ...period,
          includeTax,
          includeNoSales,
          pageSize: 100,
        });
        const sides = {
          current: naive(given, question, from, to),
          prior: naive(given, question, priorFrom, priorFrom + length),
        };
        const keys = new Set([
          ...[...sides.current.sums, ...sides.prior.sums]
            .filter(([, { units, sales }]) => units > 0 || sales.gt(0))
            .map(([key]) => key),
          ...(includeNoSales ? catalogue.map(({ sku }) => sku) : []),
          ...(includeNoSales ? [...sides.current.known, ...sides.prior.known] : []),
        ]);
        const wanted = [...keys]
          .map((key) => ({
            productId: key,
            current: shownOf(sides.current.of(key)),
            prior: shownOf(sides.prior.of(key)),
          }))
          .sort(
            (a, b) =>
              b.current.totalSales - a.current.totalSales || (a.productId < b.productId ? -1 : 1),
          );
        type Side = ReturnType<typeof shownOf> & { readonly productId: string };
        const figures = (side: Side) =>
          Object.fromEntries(
            Object.keys(wanted[0]!.current).map((name) => [name, side[name as keyof Side]]),
          );
        const rows = body.rows as { readonly current: Side; readonly prior: Side }[];
        assert.deepEqual(
          rows.map(({ current, prior }) => ({
            productId: current.productId,
            current: figures(current),
            prior: figures(prior),
          })),
          wanted,
          JSON.stringify({ period, includeTax, includeNoSales }),
        );
        assert.equal(body.count, wanted.length);

        const reportOptions = { ...period, interval: 'y' };
        const ofStore = { channelId, merchantId, includeTax, reportOptions };
        const [bucket] = (await askView(world(), key, 'salesByPeriod', ofStore)).formattedChartData;
        const cents = (side: 'current' | 'prior') =>
          rows.reduce(
            (sum, row) => sum + Math.round(row[side].totalSales * 100),
            Math.round(body.unlisted[side].totalSales * 100),
          );
        const units = (side: 'current' | 'prior') =>
          rows.reduce((sum, row) => sum + row[side].unitsSold, body.unlisted[side].unitsSold);
        // Every row with converted amounts is rounded on its own.
        const tolerance = given.lines.some(({ currency }) => currency === 'EUR') ? rows.length : 0;
        const near = (sum: number, text: string) =>
          assert.ok(Math.abs(sum - Math.round(Number(text) * 100)) <= tolerance, `${sum} ${text}`);
        assert.equal(units('current'), bucket.unitsSold);
        assert.equal(units('prior'), bucket.priorUnitsSold);
        near(cents('current'), bucket.sales);
        if (bucket.priorSales !== '-') near(cents('prior'), bucket.priorSales);
        else assert.equal(cents('prior'), 0);
      }
    });
  },
  { begins: withRates('1.25 dollars for a euro', rates) },
);
