/**
 * On random facts, vendorSalesByPeriod equals a plain recomputation by other libraries for any
 * zone, range, interval and ASINs.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import type { Temporal } from 'temporal-polyfill';
import { onRandomFacts, triesOn } from '../../../../test/harness.ts';
import {
  cents,
  type Drawn,
  datesFrom,
  instantsFrom,
  ratio,
  rowsBy,
  wallTime,
} from '../../../../test/randomFacts.ts';
import { trafficRow, unknown, vendor } from '../../../../test/vendorSales.ts';
import { askView, importFacts, priorOf, startOfPeriod } from '../../../../test/world.ts';

type Row = Record<string, string | number>;

const zones = [
  ...['UTC', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/Santiago'],
  'Pacific/Auckland',
];
const amounts = cents(-9_999, 99_999);
const dates = datesFrom('2025-03-01', 50);
const asins = fc.constantFrom('A', 'B', 'C');
const views = fc.constantFrom('MANUFACTURING', 'SOURCING');
const figures = {
  glanceViews: fc.nat(500),
  orderedRevenue: amounts,
  orderedUnits: fc.integer({ min: -3, max: 20 }),
  shippedRevenue: amounts,
  shippedUnits: fc.integer({ min: -3, max: 20 }),
  shippedCogs: amounts,
};
const adFigures = { impressions: fc.nat(9_999), clicks: fc.nat(99), cost: amounts, sales: amounts };
const campaignId = fc.constantFrom('1', '2');
const sku = fc.constantFrom('', 'S');

const facts = fc.record({
  sales: rowsBy(
    ['date', 'asin', 'view'],
    { date: dates, asin: asins, view: views, ...figures },
    60,
  ),
  totals: rowsBy(['date', 'view'], { date: dates, view: views, ...figures }, 10),
  traffic: rowsBy(['date', 'asin'], { date: dates, asin: asins, views: fc.nat(500) }, 10),
  ads: rowsBy(['date', 'campaignId'], { date: dates, campaignId, ...adFigures }, 30),
  productAds: rowsBy(
    ['date', 'productId', 'sku'],
    { date: dates, productId: asins, sku, ...adFigures },
    30,
  ),
});
type Facts = Drawn<typeof facts>;
const questions = fc.record({
  zone: fc.constantFrom(...zones),
  interval: fc.constantFrom('d', 'w', 'M', 'Q', 'y'),
  from: instantsFrom('2025-03-01', 50),
  length: fc.integer({ min: 0, max: 30 * 86_400 }),
  priorShift: fc.integer({ min: -200 * 86_400, max: 20 * 86_400 }),
  asins: fc.constantFrom([], ['A'], ['B', 'C', 'none']),
});
type Question = Drawn<typeof questions>;

/**
 * The same answer computed the slow way: date by date and fact by fact, with one other library for
 * zones and another for decimals.
 */
function naive(
  given: Facts,
  { zone, interval, asins: only }: Question,
  from: number,
  to: number,
): { known: boolean; metrics: Row }[] {
  const dateOf = (instant: number) => wallTime(zone, instant).toPlainDate();
  const bucketOf = (date: Temporal.PlainDate) => startOfPeriod(interval, date).toString();
  const chosen = (asin: string) => only.length === 0 || (only as readonly string[]).includes(asin);
  const trafficDates = new Set(given.traffic.map(({ date }) => date));
  const buckets = new Map<string, Record<string, Decimal>>();
  const known = new Set<string>();
  const count = dateOf(from).until(dateOf(to)).days + 1;
  for (let days = 0; days < count; days++) {
    const date = dateOf(from).add({ days });
    const key = bucketOf(date);
    const sums = buckets.get(key) ?? {};
    buckets.set(key, sums);
    const plus = (name: string, value: Decimal.Value) => {
      sums[name] = (sums[name] ?? new Decimal(0)).plus(value);
    };
    const own = <Fact extends { date: string }>(rows: readonly Fact[]) =>
      rows.filter((row) => row.date === date.toString());
    const totals = only.length === 0 ? own(given.totals) : [];
    const hasTotal = (view: string) => totals.some((total) => total.view === view);
    const sold = own(given.sales).filter((row) => chosen(row.asin) && !hasTotal(row.view));
    const salesRows = [...totals, ...sold];
    const traffic = own(given.traffic).filter((row) => chosen(row.asin));
    const productAds = own(given.productAds).filter((row) => chosen(row.productId));
    const ads = only.length === 0 ? own(given.ads) : productAds;
    if (salesRows.length + traffic.length + ads.length > 0) known.add(key);
    for (const row of salesRows) {
      const isAll = row.view === 'MANUFACTURING';
      if (isAll && !trafficDates.has(row.date)) plus('glanceViews', row.glanceViews);
      if (isAll) plus('orderedRevenue', row.orderedRevenue);
      if (isAll) plus('orderedUnits', row.orderedUnits);
      plus(isAll ? 'shippedRevenueManufacturing' : 'shippedRevenue', row.shippedRevenue);
      plus(isAll ? 'shippedUnitsManufacturing' : 'shippedUnits', row.shippedUnits);
      plus(isAll ? 'shippedCogsManufacturing' : 'shippedCogs', row.shippedCogs);
    }
    for (const row of traffic) plus('glanceViews', row.views);
    for (const row of ads) {
      plus('impressions', row.impressions);
      plus('clicks', row.clicks);
      plus('adSpend', row.cost);
      plus('adSales', row.sales);
    }
  }
  return [...buckets].map(([key, sums]) => {
    const sum = (name: string) => sums[name] ?? new Decimal(0);
    const money = (name: string) => ratio(sum(name), 1, 2, 1);
    const of = (part: string, whole: string, places?: number, factor?: number) =>
      ratio(sum(part), sum(whole), places, factor);
    return {
      known: known.has(key),
      metrics: {
        glanceViews: sum('glanceViews').toNumber(),
        orderedUnits: sum('orderedUnits').toNumber(),
        shippedUnits: sum('shippedUnits').toNumber(),
        shippedUnitsManufacturing: sum('shippedUnitsManufacturing').toNumber(),
        impressions: sum('impressions').toNumber(),
        clicks: sum('clicks').toNumber(),
        orderedRevenue: money('orderedRevenue'),
        conversionRate: of('orderedUnits', 'glanceViews'),
        retailPrice: of('orderedRevenue', 'orderedUnits', 2, 1),
        shippedRevenue: money('shippedRevenue'),
        shippedRevenueManufacturing: money('shippedRevenueManufacturing'),
        shippedCogs: money('shippedCogs'),
        shippedCogsManufacturing: money('shippedCogsManufacturing'),
        adSales: money('adSales'),
        adSpend: money('adSpend'),
        acos: of('adSpend', 'adSales'),
        tacosOrderedRevenue: of('adSpend', 'orderedRevenue'),
        tacosShippedRevenue: of('adSpend', 'shippedRevenue'),
        tacosManufacturing: of('adSpend', 'shippedRevenueManufacturing'),
        clickThroughRate: of('clicks', 'impressions', 2),
      },
    };
  });
}

onRandomFacts('vendorSalesByPeriod on random facts', (world) => {
  const check = async (given: Facts, drawn: readonly Question[]) => {
    const { key, channelId, merchantId } = await world().tenant({ channel: vendor });
    await importFacts(world(), channelId, {
      vendorSales: [...given.sales, ...given.totals, ...given.traffic.map(trafficRow)],
      campaignDays: given.ads,
      adProductDays: given.productAds,
    });
    for (const question of drawn) {
      const { zone: timezone, interval, priorShift } = question;
      const [fromDate, toDate] = [question.from, question.from + question.length];
      const [priorFromDate, priorToDate] = [fromDate + priorShift, toDate + priorShift];
      const body = await askView(world(), key, 'vendorSalesByPeriod', {
        channelId,
        merchantId,
        asins: question.asins,
        reportOptions: { fromDate, toDate, priorFromDate, priorToDate, timezone, interval },
      });
      const rows = body.formattedChartData as Row[];
      const current = naive(given, question, fromDate, toDate);
      const before = naive(given, question, priorFromDate, priorToDate);
      assert.equal(rows.length, current.length);
      for (const [index, row] of rows.entries()) {
        const { startTime: _, endTime: __, currency: ___, ...metrics } = row;
        const compared = before[index]?.known ? before[index].metrics : unknown;
        const expected = { ...current[index]!.metrics, ...priorOf(compared) };
        assert.deepEqual(metrics, expected, JSON.stringify({ question, index }));
      }
    }
  };

  test('equals a plain recomputation for any zone, range, interval and ASINs', async () => {
    const drawn = fc.array(questions, { minLength: 8, maxLength: 8 });
    await fc.assert(fc.asyncProperty(facts, drawn, check), {
      numRuns: triesOn(world(), { embedded: 10, served: 3, normal: 1 }),
    });
  });
});
