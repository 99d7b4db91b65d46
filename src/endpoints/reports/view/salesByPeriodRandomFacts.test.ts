/**
 * On random facts, salesByPeriod equals a plain recomputation by other libraries for any zone,
 * range, interval, tax and SKUs.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { onRandomFacts, triesOn } from '../../../../test/harness.ts';
import { level } from '../../../../test/level.ts';
import {
  cents,
  type Drawn,
  datesFrom,
  instantsFrom,
  rangeFrom,
  ratio,
  rowsBy,
  wallTime,
} from '../../../../test/randomFacts.ts';
import { askView, importFacts, startOfPeriod } from '../../../../test/world.ts';

// The most difficult zones, and some plain ones.
const zones = [
  ...['America/New_York', 'UTC', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/Santiago'],
  ...['Europe/Berlin', 'Africa/Cairo', 'Pacific/Auckland'],
];
const amounts = cents(0, 99_999);
const instants = instantsFrom('2025-03-01', 50);
const dates = datesFrom('2025-03-01', 50);
const skus = fc.constantFrom('A', 'B', 'C');
const traffic = { orderedRevenue: amounts, orderedUnits: fc.nat(20), orderItems: fc.nat(20) };
const ads = { impressions: fc.nat(9999), clicks: fc.nat(99), cost: amounts, sales: amounts };
const buyBoxPercentage = fc.nat(100);
const pageViews = fc.nat(500);
const campaignId = fc.constantFrom('1', '2');

const facts = fc.record({
  zone: fc.constantFrom(...zones),
  lines: fc.array(
    fc.record({
      purchasedAt: instants,
      sku: skus,
      quantity: fc.integer({ min: 0, max: 9 }),
      itemPrice: amounts,
      itemTax: amounts,
      status: fc.constantFrom('Shipped', 'Pending', 'Canceled'),
    }),
    { maxLength: 60 },
  ),
  totals: rowsBy(['date'], { date: dates, pageViews, ...traffic }, 20),
  products: rowsBy(
    ['date', 'sku'],
    { date: dates, sku: skus, pageViews, buyBoxPercentage, ...traffic },
    40,
  ),
  ads: rowsBy(['date', 'campaignId'], { date: dates, campaignId, ...ads }, 30),
  productAds: rowsBy(['date', 'sku'], { date: dates, sku: skus, ...ads }, 30),
});
type Facts = Drawn<typeof facts>;
const questions = fc.record({
  zone: fc.constantFrom(...zones),
  interval: fc.constantFrom('d', 'w', 'M', 'Q', 'y', 'h'),
  from: instants,
  // Even with whole days at both ends, ranges by the hour have at most 31 days.
  length: fc.integer({ min: 0, max: 29 * 86_400 }),
  priorShift: fc.integer({ min: -20 * 86_400, max: 20 * 86_400 }),
  wholeDays: fc.boolean(),
  includeTax: fc.boolean(),
  skus: fc.constantFrom([], ['A'], ['B', 'C', 'none']),
});
type Question = Drawn<typeof questions>;

/**
 * The same answer computed the slow way: fact by fact, with one other library for zones and another
 * for decimals.
 */
function naive(world: Facts, question: Question, from: number, to: number) {
  const wall = (instant: number) => wallTime(question.zone, instant);
  const dateOf = (instant: number) => wall(instant).toPlainDate();
  const bucketOf = (date: Temporal.PlainDate) => startOfPeriod(question.interval, date).toString();
  const hourOf = (instant: number) => {
    const { minute, second } = wall(instant);
    return String(instant - minute * 60 - second);
  };
  const keyOf = (instant: number) =>
    question.interval === 'h' ? hourOf(instant) : bucketOf(dateOf(instant));
  const nothing = () => ({
    sales: new Decimal(0),
    spend: new Decimal(0),
    adSales: new Decimal(0),
    units: 0,
    items: 0,
    views: 0,
    weighted: 0,
    weightedViews: 0,
    impressions: 0,
    clicks: 0,
  });
  const sums = new Map<string, ReturnType<typeof nothing>>();
  // No bucket is shorter than the step: the shortest hour has thirty minutes, the shortest day 23
  // hours.
  const step = question.interval === 'h' ? 1800 : 6 * 3600;
  for (let instant = from; ; instant = Math.min(instant + step, to)) {
    const key = keyOf(instant);
    if (!sums.has(key)) sums.set(key, nothing());
    if (instant === to) break;
  }
  const only = question.skus.length > 0 ? new Set<string>(question.skus) : undefined;
  for (const line of world.lines) {
    const isCounted = line.status !== 'Canceled' && (!only || only.has(line.sku));
    if (line.purchasedAt < from || line.purchasedAt > to || !isCounted) continue;
    const sum = sums.get(keyOf(line.purchasedAt))!;
    sum.sales = sum.sales.plus(line.itemPrice).plus(question.includeTax ? line.itemTax : 0);
    sum.units += line.quantity;
    sum.items += 1;
  }
  if (question.interval !== 'h') {
    const [firstLine] = world.lines.map((line) => line.purchasedAt).sort((a, b) => a - b);
    const first = firstLine === undefined ? '9999' : dateOf(firstLine).toString();
    const totalDates = new Set(world.totals.map((row) => row.date));
    const traffic = only
      ? world.products.filter((row) => only.has(row.sku))
      : [...world.totals, ...world.products.filter((row) => !totalDates.has(row.date))];
    const inRange = (date: string) =>
      date >= dateOf(from).toString() && date <= dateOf(to).toString();
    for (const row of traffic) {
      if (!inRange(row.date)) continue;
      const sum = sums.get(bucketOf(Temporal.PlainDate.from(row.date)))!;
      sum.views += row.pageViews;
      if ('buyBoxPercentage' in row) {
        sum.weighted += (row.buyBoxPercentage as number) * row.pageViews;
        sum.weightedViews += row.pageViews;
      }
      if (row.date >= first) continue;
      sum.sales = sum.sales.plus(row.orderedRevenue);
      sum.units += row.orderedUnits;
      sum.items += row.orderItems;
    }
    for (const row of only ? world.productAds.filter((ad) => only.has(ad.sku)) : world.ads) {
      if (!inRange(row.date)) continue;
      const sum = sums.get(bucketOf(Temporal.PlainDate.from(row.date)))!;
      sum.spend = sum.spend.plus(row.cost);
      sum.adSales = sum.adSales.plus(row.sales);
      sum.impressions += row.impressions;
      sum.clicks += row.clicks;
    }
  }
  const hourly = question.interval === 'h';
  return [...sums.values()].map((sum) => ({
    unitsSold: sum.units,
    lineItemCount: sum.items,
    pageViews: sum.views,
    impressions: sum.impressions,
    clicks: sum.clicks,
    sales: sum.sales.toFixed(2),
    avgLineItemValue: ratio(sum.sales, sum.items, 2, 1),
    pageViewsConversions: ratio(sum.units, sum.views),
    buyboxWinPercentage: ratio(sum.weighted, sum.weightedViews, 1, 1),
    adSpend: hourly ? '-' : sum.spend.toFixed(2),
    adSales: hourly ? '-' : sum.adSales.toFixed(2),
    clickThroughRate: ratio(sum.clicks, sum.impressions, 2),
    acos: ratio(sum.spend, sum.adSales),
    tacos: hourly ? '-' : ratio(sum.spend, sum.sales),
  }));
}

/** The requested ranges: as drawn, or whole days in the store's zone. */
function optionsOf({ zone }: Facts, question: Question) {
  const timezone = question.wholeDays ? zone : question.zone;
  const [fromDate, toDate] = rangeFrom(question.from, question, timezone);
  const { interval, priorShift } = question;
  const [priorFromDate, priorToDate] = rangeFrom(fromDate + priorShift, question, timezone);
  return { fromDate, toDate, priorFromDate, priorToDate, timezone, interval };
}

onRandomFacts('salesByPeriod on random facts', (world) => {
  const check = async (given: Facts, drawn: readonly Question[]) => {
    const tenant = await world().tenant({ channel: { timezone: given.zone } });
    const { key, channelId, merchantId } = tenant;
    await importFacts(world(), channelId, {
      orderLines: given.lines.map((line, index) => ({
        orderId: `o${index}`,
        lineId: '1',
        ...line,
      })),
      traffic: [...given.totals, ...given.products],
      campaignDays: given.ads,
      adProductDays: given.productAds,
    });
    for (const question of drawn) {
      const options = optionsOf(given, question);
      const { fromDate, toDate, priorFromDate, priorToDate, timezone: zone } = options;
      const body = await askView(world(), key, 'salesByPeriod', {
        channelId,
        merchantId,
        reportOptions: options,
        includeTax: question.includeTax,
        sellerSkus: question.skus,
      });
      const rows = body.formattedChartData as Record<string, unknown>[];
      const expected = naive(given, { ...question, zone }, fromDate, toDate);
      const prior = naive(given, { ...question, zone }, priorFromDate, priorToDate);
      assert.equal(rows.length, expected.length);
      for (const [index, row] of rows.entries()) {
        const place = JSON.stringify({ options, index });
        const names = Object.keys(expected[index]!);
        const shown = Object.fromEntries(names.map((name) => [name, row[name]]));
        assert.deepEqual(shown, expected[index], place);
        // A comparison without any fact is "-", which the plain recomputation does not distinguish
        // from a sum of zero.
        for (const [name, value] of Object.entries(prior[index] ?? {})) {
          const before = row[`prior${name[0]!.toUpperCase()}${name.slice(1)}`];
          if (before !== value)
            assert.deepEqual([before, Number(value)], ['-', 0], `${name} ${place}`);
        }
      }
    }
  };

  test('equals a plain recomputation for any zone, range, interval, tax and SKUs', async () => {
    const count = level === 'deep' ? 6 : 4;
    const drawn = fc.array(questions, { minLength: count, maxLength: count });
    await fc.assert(fc.asyncProperty(facts, drawn, check), {
      numRuns: triesOn(world(), { embedded: 12, served: 4, normal: 1 }),
    });
  });
});
