/**
 * On random facts, salesByChannel and the total sales of advertisingByChannels equal the sums of
 * the views of each channel, day by day.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { converted, exact, placesOf, shown, sumOf } from '../../../../../test/conformance/exact.ts';
import { onRandomFacts, type Tenant, triesOn, type World } from '../../../../../test/harness.ts';
import {
  type Drawn,
  datesFrom,
  instantsFrom,
  rangeFrom,
  rowsBy,
} from '../../../../../test/randomFacts.ts';
import { rowsOf, textBeside } from '../../../../../test/table.ts';
import { askView, importFacts, type Rate, withRates } from '../../../../../test/world.ts';
import type { SalesByChannelRow } from './contract.ts';

const zones = [
  ...['UTC', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Auckland'],
];
const currencies = ['USD', 'GBP', 'EUR', 'JPY'] as const;
// With this many decimal places, no sum lies halfway between two cents.
const rates = rowsOf(textBeside(import.meta.url, 'reconciliation.rates.csv')) as Rate[];

// Over a new year and several changes of clocks.
const dates = datesFrom('2024-12-10', 131);
const instants = instantsFrom('2024-12-10', 130);
const amounts = fc.integer({ min: 0, max: 99_999 });
const counts = fc.integer({ min: 0, max: 50 });
const sold = { orderedRevenue: amounts, orderedUnits: counts };
const shipped = { shippedRevenue: amounts, shippedUnits: counts };

const channels = fc.record({
  kind: fc.constantFrom('seller', 'seller', 'vendor'),
  timezone: fc.constantFrom(...zones),
  currency: fc.constantFrom(...currencies),
  lines: fc.array(
    fc.record({
      purchasedAt: instants,
      itemPrice: amounts,
      itemTax: amounts,
      quantity: fc.integer({ min: 0, max: 3 }),
      status: fc.constantFrom('Shipped', 'Pending', 'Canceled'),
    }),
    { maxLength: 40 },
  ),
  traffic: rowsBy(['date'], { date: dates, pageViews: counts, ...sold, orderItems: counts }, 12),
  products: rowsBy(['date', 'sku'], { date: dates, sku: fc.constantFrom('A', 'B'), ...sold }, 15),
  vendorSales: rowsBy(['date'], { date: dates, glanceViews: counts, ...sold, ...shipped }, 12),
  month: fc.record({ salesBudget: amounts, salesForecast: amounts }),
  targets: rowsBy(['date'], { date: dates, adSpendBudget: amounts }, 12),
});
const questions = fc.record({
  timezone: fc.constantFrom(...zones),
  from: instants,
  // Long ranges have whole blocks of the working set.
  length: fc.oneof(
    fc.integer({ min: 0, max: 20 * 86_400 }),
    fc.integer({ min: 60 * 86_400, max: 120 * 86_400 }),
  ),
  priorShift: fc.integer({ min: -60 * 86_400, max: 60 * 86_400 }),
  wholeDays: fc.boolean(),
  includeTax: fc.boolean(),
  vendorRevenueType: fc.constantFrom('orderedRevenue', 'shippedRevenue'),
  currentCurrency: fc.constantFrom(...currencies),
});
/** The range of all facts: at least one range has sales. */
const allDays = { from: Date.parse('2024-12-08') / 1000, length: 134 * 86_400 };
const hasSales = (given: readonly Given[]) =>
  given.some(
    ({ kind, lines }) =>
      kind === 'seller' &&
      lines.some(({ status, itemPrice, quantity }) => {
        return status === 'Shipped' && itemPrice > 0 && quantity > 0;
      }),
  );

type Given = Drawn<typeof channels>;
type Question = Drawn<typeof questions>;
type Range = { readonly fromDate: number; readonly toDate: number; readonly timezone: string };
type Bucket = Readonly<Record<string, string | number>>;

/** The sums of the views of the channel alone, each day converted at its own rate. */
function added(
  rows: readonly Bucket[],
  { currency }: Given,
  { currentCurrency: target }: Question,
  names: { sales: string; orders?: string; units: string; orderedUnits?: string; views: string },
) {
  const whole = (name: string | undefined) =>
    name === undefined ? 0 : rows.reduce((sum, row) => sum + Number(row[name]), 0);
  const sumIn = (name: string) =>
    sumOf(
      rows.map((row) => {
        const date = String(row.startTime).slice(0, 10);
        return converted(row[name]!, currency, target, date, rates);
      }),
    );
  const sales = sumIn(names.sales);
  const figures = {
    sales: rounded(sales, target),
    orders: String(whole(names.orders)),
    units: String(whole(names.units)),
    pageViews: String(whole(names.views)),
    conversions: ratio(whole(names.orderedUnits ?? names.units) * 100, whole(names.views)),
    avOrderSize: ratio(whole(names.units), whole(names.orders)),
  };
  return { figures, troas: sales.div(sumIn('adSpend')) };
}

const rounded = (amount: Decimal, currency: string) => shown(amount, placesOf(currency));
const ratio = (part: number, whole: number) => (whole > 0 ? shown(exact(part).div(whole), 2) : 0);

onRandomFacts(
  'salesByChannel on random facts',
  (world) => {
    test('equals the sum of the views of each channel, converted day by day', async () => {
      let sold = 0;
      const check = async (given: readonly Given[], drawn: readonly Question[]) => {
        const tenant = await tenantWith(world(), given);
        for (const one of drawn) {
          const current = rangeOf(one, one.from);
          const prior = rangeOf(one, one.from + one.priorShift);
          const { includeTax, vendorRevenueType, currentCurrency } = one;
          const options = { includeTax, vendorRevenueType, currentCurrency };
          const { fromDate: priorFromDate, toDate: priorToDate } = prior;
          const body = { ...current, priorFromDate, priorToDate, ...options };
          const hint = JSON.stringify(body);
          const answer = await askView(world(), tenant.key, 'salesByChannel', body);
          const { data } = await askView(world(), tenant.key, 'advertisingByChannels', {
            ...body,
            reportOptions: body,
            pageSize: 100,
          });
          for (const channel of given) {
            const row = answer.rows.find(
              ({ store }: SalesByChannelRow) => store === tenant.nameOf(channel),
            );
            const now = await expectedOf(world(), tenant, channel, one, current);
            const before = await expectedOf(world(), tenant, channel, one, prior);
            for (const name of Object.keys(now.figures) as (keyof typeof now.figures)[])
              assert.deepEqual(
                row[name],
                { value: now.figures[name], priorPeriodValue: before.figures[name] },
                `${name} of ${row.store}: ${hint}`,
              );
            const item = data.items.find(({ store }: { store: string }) => store === row.store);
            for (const [shown, ratio] of [
              [item.troas, now.troas],
              [item.priorTroas, before.troas],
            ] as const)
              assert.ok(ratio.minus(shown).abs().lt(0.006), `${shown} ${ratio}: ${hint}`);
            assert.deepEqual(
              [row.budgetTarget, row.forecastTarget, row.adspendLimit],
              await targetsOf(world(), tenant, channel, one, current),
              hint,
            );
            if (now.figures.sales > 0) sold++;
          }
        }
      };
      await fc.assert(
        fc.asyncProperty(
          fc.array(channels, { minLength: 2, maxLength: 4 }).filter(hasSales),
          fc
            .array(questions, { minLength: 4, maxLength: 4 })
            .map(([first, ...others]) => [{ ...first!, ...allDays }, ...others]),
          check,
        ),
        { numRuns: triesOn(world(), { embedded: 8, served: 2, normal: 1 }) },
      );
      assert.ok(sold > 0, 'some ranges have sales');
    });
  },
  { begins: withRates('rates with many places', rates) },
);

type Owner = Tenant & { readonly nameOf: (channel: Given) => string };

async function tenantWith(world: World, given: readonly Given[]): Promise<Owner> {
  const tenant = await world.tenant();
  const names = new Map<Given, string>();
  for (const channel of given) {
    const { kind, timezone, currency, lines, traffic, products, vendorSales, month, targets } =
      channel;
    const channelId = randomUUID();
    names.set(channel, channelId);
    await world.channel(tenant.organisationId, channelId, {
      kind: kind as 'seller' | 'vendor',
      timezone,
      currency,
      displayName: channelId,
      merchantId: channelId,
    });
    // Amounts that the currency can show, so that days are not rounded.
    const money = (minor: number) => (currency === 'JPY' ? String(minor) : String(minor / 100));
    const isVendor = kind === 'vendor';
    const rows: Readonly<Record<string, readonly object[]>> = {
      orderLines: (isVendor ? [] : lines).map(({ itemPrice, itemTax, ...line }, index) => ({
        ...line,
        orderId: `o${index}`,
        lineId: '1',
        itemPrice: money(itemPrice),
        itemTax: money(itemTax),
      })),
      traffic: (isVendor ? [] : [...traffic, ...products]).map((row) => ({
        ...row,
        orderedRevenue: money(row.orderedRevenue),
      })),
      vendorSales: (isVendor ? vendorSales : []).flatMap(
        ({ date, shippedRevenue, shippedUnits, orderedRevenue, ...ordered }) => {
          const asin = { date, asin: 'A' };
          return [
            { ...asin, view: 'MANUFACTURING', ...ordered, orderedRevenue: money(orderedRevenue) },
            { ...asin, view: 'SOURCING', shippedUnits, shippedRevenue: money(shippedRevenue) },
          ];
        },
      ),
      // Little spend on every date, so that the ratio to it shows the sales to the last digit.
      campaignDays: Array.from({ length: 400 }, (_, day) => ({
        date: Temporal.PlainDate.from('2024-10-01').add({ days: day }).toString(),
        campaignId: '1',
        cost: money(1),
      })),
      targets: [
        {
          month: '2025-04',
          salesBudget: money(month.salesBudget),
          salesForecast: money(month.salesForecast),
        },
        ...targets.map((row) => ({ ...row, adSpendBudget: money(row.adSpendBudget) })),
      ],
    };
    await importFacts(world, channelId, rows);
  }
  return { ...tenant, nameOf: (channel) => names.get(channel)! };
}

function rangeOf(question: Question, from: number): Range {
  const { timezone } = question;
  const [fromDate, toDate] = rangeFrom(from, question, timezone);
  return { fromDate, toDate, timezone };
}

async function expectedOf(
  world: World,
  { key, nameOf }: Owner,
  channel: Given,
  question: Question,
  range: Range,
) {
  const name = nameOf(channel);
  const isVendor = channel.kind === 'vendor';
  const view = isVendor ? 'vendorSalesByPeriod' : 'salesByPeriod';
  const body = await askView(world, key, view, {
    channelId: name,
    merchantId: name,
    reportOptions: { ...range, interval: 'd' },
    ...(!isVendor && { includeTax: question.includeTax }),
  });
  const { vendorRevenueType: sales } = question;
  const units = sales === 'orderedRevenue' ? 'orderedUnits' : 'shippedUnits';
  const ofVendor = { sales, units, orderedUnits: 'orderedUnits', views: 'glanceViews' };
  const ofSeller = {
    sales: 'sales',
    orders: 'lineItemCount',
    units: 'unitsSold',
    views: 'pageViews',
  };
  return added(body.formattedChartData, channel, question, isVendor ? ofVendor : ofSeller);
}

/** The targets of each day, converted at its rate. */
async function targetsOf(
  world: World,
  { key, nameOf }: Owner,
  channel: Given,
  { currentCurrency }: Question,
  range: Range,
): Promise<(number | null)[]> {
  const name = nameOf(channel);
  const { fromDate, toDate, timezone } = range;
  const query = new URLSearchParams({
    channelId: name,
    merchantId: name,
    timezone,
    fromDate: String(fromDate),
    toDate: String(toDate),
  });
  const { status, body } = await world.ask(key, 'GET', `/targets?${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return ['salesBudget', 'salesForecast', 'adSpendBudget'].map((target) => {
    const known: readonly Bucket[] = body.data.filter((bucket: Bucket) => bucket[target] !== null);
    const sum = sumOf(
      known.map((bucket) => {
        const date = String(bucket.startTime).slice(0, 10);
        return converted(bucket[target]!, channel.currency, currentCurrency, date, rates);
      }),
    );
    return known.length > 0 ? rounded(sum, currentCurrency) : null;
  });
}
