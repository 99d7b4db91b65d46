/**
 * Profit and loss of random facts, of stores, products and periods, equals a plain recomputation.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { byBytes, converted, exact, plain, sumOf } from '../../../test/conformance/exact.ts';
import { onRandomFacts, type Tenant, triesOn, type World } from '../../../test/harness.ts';
import { importRows } from '../../../test/imports.ts';
import { level } from '../../../test/level.ts';
import {
  cents,
  type Drawn,
  datesFrom,
  ratio,
  rowsBy,
  wallTime,
} from '../../../test/randomFacts.ts';
import { rowsOf, textBeside } from '../../../test/table.ts';
import { askView, importFacts, type Rate, startOfPeriod } from '../../../test/world.ts';

const revenueLines = ['sales', 'refunds', 'promotions', 'reimbursements', 'otherIncome'] as const;
const expenseLines = [
  ...(['advertisingSpend', 'sellingFees', 'shippingFees', 'refundsAndReturnsOverheads'] as const),
  ...(['cogs', 'otherExpenses'] as const),
];
const allLines = [...revenueLines, ...expenseLines];
type Line = (typeof allLines)[number];

/** Around a day on which clocks change in half of the zones. */
const firstSecond = Date.UTC(2025, 3, 3) / 1000;
const lastSecond = Date.UTC(2025, 3, 9) / 1000 - 1;
const zones =
  'UTC Australia/Sydney America/Los_Angeles Asia/Kathmandu Australia/Lord_Howe ' +
  'Pacific/Kiritimati Africa/Cairo';

type Code = 'USD' | 'GBP' | 'EUR';

/** Units of a currency for a euro, from a date on. */
const rates = rowsOf(textBeside(import.meta.url, 'profitAndLossRandom.rates.csv')) as Rate[];

/** An amount in dollars, as all of the stores have. */
const inDollars = (amount: Decimal.Value, from: string, date: string) =>
  converted(amount, from, 'USD', date, rates);

const skus = ['A', 'B', 'C', 'a', 'É'];
const sku = fc.constantFrom(...skus, '');
const advertised = fc.constantFrom('A', 'C', 'only ads', '');
// Instants often lie on the edges of quarters of an hour and of days of all the zones.
const instants = fc.oneof(
  fc.integer({ min: firstSecond, max: lastSecond }),
  fc
    .tuple(fc.integer({ min: 0, max: 6 * 96 - 1 }), fc.constantFrom(-1, 0, 1))
    .map(([quarter, shift]) => Math.max(0, quarter * 900 + shift) + firstSecond),
  fc
    .tuple(
      fc.integer({ min: 0, max: 5 }),
      fc.constantFrom(0, 10, 13, 7, 18.25, 22),
      fc.constantFrom(-1, 0),
    )
    .map(([day, hour, shift]) => Math.max(0, day * 86_400 + hour * 3600 + shift) + firstSecond),
);
const dates = datesFrom('2025-04-01', 10);
const amounts = cents(-99_999, 99_999);
const costs = cents(0, 9_999);
const currency = fc.constantFrom('USD', 'USD', 'GBP', 'EUR');

const facts = fc.record({
  isNative: fc.boolean(),
  adCharges: fc.constantFrom('none', 'store', 'products'),
  events: fc.array(
    fc.record({
      postedAt: instants,
      sku,
      line: fc.constantFrom(...allLines, 'sales', 'sales', 'refunds', 'balance'),
      amount: amounts,
      tax: amounts,
      quantity: fc.integer({ min: -2, max: 5 }),
      fulfillment: fc.constantFrom('AFN', 'MFN', ''),
      currency,
    }),
    { maxLength: 60, size: 'max' },
  ),
  unitCosts: fc.uniqueArray(
    fc.record({
      sku: fc.constantFrom(...skus),
      effectiveFrom: dates,
      cogs: costs,
      cogsCurrency: currency,
      shippingCost: costs,
      shippingCostCurrency: currency,
    }),
    { selector: (row) => row.sku + row.effectiveFrom, maxLength: 12, size: 'max' },
  ),
  products: rowsBy(
    ['sku'],
    {
      sku: fc.constantFrom(...skus),
      productId: fc.constantFrom('', 'P1', 'P2'),
      title: fc.constantFrom('', 'T'),
      fulfilledByMarketplace: fc.boolean(),
    },
    4,
  ),
  campaignDays: rowsBy(
    ['date', 'campaignId'],
    { date: dates, campaignId: fc.constantFrom('1', '2'), cost: costs, currency },
    12,
  ),
  adProductDays: rowsBy(
    ['date', 'sku'],
    { date: dates, sku: advertised, productId: fc.constant('X'), cost: costs, currency },
    12,
  ),
});
type DrawnFacts = Drawn<typeof facts>;
type Facts = Omit<DrawnFacts, 'isNative' | 'adCharges'>;

/** The drawn facts, without advertising charges or in one currency where the draw says so. */
function adjusted({ isNative, adCharges, ...given }: DrawnFacts): Facts {
  const one = (code: Code): Code => (isNative ? 'USD' : code);
  return {
    ...given,
    events: given.events
      .filter(({ line }) => line !== 'advertisingSpend' || adCharges !== 'none')
      .map((event) => ({
        ...event,
        sku: event.line === 'advertisingSpend' && adCharges === 'store' ? '' : event.sku,
        currency: one(event.currency),
      })),
    unitCosts: given.unitCosts.map((row) => ({
      ...row,
      cogsCurrency: one(row.cogsCurrency),
      shippingCostCurrency: one(row.shippingCostCurrency),
    })),
    campaignDays: given.campaignDays.map((row) => ({ ...row, currency: one(row.currency) })),
    adProductDays: given.adProductDays.map((row) => ({ ...row, currency: one(row.currency) })),
  };
}

const questions = fc.record({
  zone: fc.constantFrom(...zones.split(' ')),
  ends: fc.tuple(instants, instants),
  wholeDays: fc.boolean(),
  interval: fc.constantFrom('d', 'w', 'M'),
  includeTax: fc.boolean(),
  includeCogsRefunds: fc.boolean(),
  sellerSkus: fc.constantFrom([], [], ['A', 'É', 'no such'], ['a', 'only ads', 'a']),
  pageSize: fc.integer({ min: 1, max: 4 }),
});
type Input = Drawn<typeof questions>;
type Options = Pick<Input, 'includeTax' | 'includeCogsRefunds'>;

type Sums = Record<Line, Decimal>;
const zeros = () => Object.fromEntries(allLines.map((line) => [line, exact(0)])) as Sums;

const dateIn = (zone: string, instant: number) => wallTime(zone, instant).toPlainDate().toString();

/** Adds events to the sums: revenue with its sign, expenses with the opposite sign. */
function add(
  world: Facts,
  events: Facts['events'],
  zone: string,
  { includeTax, includeCogsRefunds }: Options,
): Sums {
  const sums = zeros();
  for (const event of events) {
    const { postedAt, sku, line, amount, tax, quantity, fulfillment } = event;
    const date = dateIn(zone, postedAt);
    const book = (to: Line, value: Decimal.Value, currency: string) => {
      sums[to] = sums[to].plus(inDollars(value, currency, date));
    };
    const cost = world.unitCosts
      .filter((row) => row.sku === sku && row.effectiveFrom <= date)
      .sort((a, b) => (a.effectiveFrom < b.effectiveFrom ? -1 : 1))
      .at(-1);
    if (line === 'balance') continue;
    const isExpense = (expenseLines as readonly string[]).includes(line);
    if (line !== 'cogs' || cost === undefined)
      book(line, isExpense ? exact(amount).neg() : amount, event.currency);
    if ((line === 'sales' || line === 'refunds') && includeTax) book(line, tax, event.currency);
    if (cost === undefined) continue;
    if (line === 'refunds' && includeCogsRefunds)
      book('cogs', exact(cost.cogs).times(-quantity), cost.cogsCurrency);
    if (line !== 'sales') continue;
    book('cogs', exact(cost.cogs).times(quantity), cost.cogsCurrency);
    const isTheirs = world.products.some((row) => row.sku === sku && row.fulfilledByMarketplace);
    if (fulfillment === 'MFN' || (fulfillment === '' && !isTheirs)) {
      book('shippingFees', exact(cost.shippingCost).times(quantity), cost.shippingCostCurrency);
    }
  }
  return sums;
}

function addSpend(
  sums: Sums,
  rows: readonly { date: string; cost: string; currency: string }[],
): void {
  for (const { date, cost, currency } of rows)
    sums.advertisingSpend = sums.advertisingSpend.plus(inDollars(cost, currency, date));
}

/** The answer's figures: lines rounded first, totals of rounded lines. */
function statement(sums: Sums): Record<string, number> {
  const rounded = Object.fromEntries(
    allLines.map((line) => [line, sums[line].toDecimalPlaces(2)]),
  ) as Sums;
  const total = (lines: readonly Line[]) => sumOf(lines.map((line) => rounded[line]));
  const totals = { totalRevenue: total(revenueLines), totalExpenses: total(expenseLines) };
  const shown: Record<string, Decimal> = { ...rounded, ...totals };
  return Object.fromEntries(
    Object.entries(shown).map(([name, value]) => [name, value.isZero() ? 0 : value.toNumber()]),
  );
}

const within = (from: string, to: string) => (row: { readonly date: string }) =>
  row.date >= from && row.date <= to;

function expectedStore(world: Facts, input: Input, from: number, to: number) {
  const events = world.events.filter(({ postedAt }) => postedAt >= from && postedAt <= to);
  const sums = add(world, events, input.zone, input);
  const spend = world.campaignDays.filter(within(dateIn(input.zone, from), dateIn(input.zone, to)));
  if (!world.events.some(isCharge)) addSpend(sums, spend);
  return statement(sums);
}

const isCharge = ({ line, amount }: Facts['events'][number]) =>
  line === 'advertisingSpend' && Number(amount) !== 0;

type Product = Record<string, unknown> & { readonly sellerSku: string; readonly sales: number };

function expectedProducts(world: Facts, input: Input, from: number, to: number): Product[] {
  const events = world.events.filter(
    ({ postedAt, sku }) => postedAt >= from && postedAt <= to && sku !== '',
  );
  const isPosted = world.events.some((event) => event.sku !== '' && isCharge(event));
  const spend = isPosted
    ? []
    : world.adProductDays
        .filter(within(dateIn('UTC', from), dateIn('UTC', to)))
        .filter(({ sku, cost }) => sku !== '' && Number(cost) !== 0);
  const only: readonly string[] = input.sellerSkus;
  const found = [...new Set([...events, ...spend].map(({ sku }) => sku))];
  return found
    .filter((sku) => only.length === 0 || only.includes(sku))
    .map((sku) => {
      const own = spend.filter((row) => row.sku === sku);
      const ofSku = events.filter((event) => event.sku === sku);
      const sums = add(world, ofSku, 'UTC', input);
      addSpend(sums, own);
      const lines = statement(sums);
      const product = world.products.find((row) => row.sku === sku);
      return {
        sellerSku: sku,
        productSku: product?.productId || own[0]?.productId || '',
        title: product?.title ?? '',
        totalProfit: exact(lines.totalRevenue!).minus(lines.totalExpenses!).toNumber(),
        sales: lines.sales!,
        ...lines,
      };
    })
    .sort((a, b) => b.sales - a.sales || byBytes(a.sellerSku, b.sellerSku));
}

/** The first date of the bucket of a date. */
const bucketStart = (date: string, interval: string) =>
  startOfPeriod(interval, Temporal.PlainDate.from(date)).toString();

/** The sales of a bucket without a cost of goods, and the number of their SKUs. */
function withoutCosts(world: Facts, events: Facts['events'], input: Input) {
  const dateOf = (postedAt: number) => dateIn(input.zone, postedAt);
  const isCosted = ({ sku, postedAt }: Facts['events'][number]) =>
    world.unitCosts.some((row) => row.sku === sku && row.effectiveFrom <= dateOf(postedAt)) ||
    (sku !== '' &&
      events.some((one) => one.line === 'cogs' && one.sku === sku && Number(one.amount) !== 0));
  const sold = events.filter((event) => event.line === 'sales' && !isCosted(event));
  const salesOf = (rows: Facts['events']) =>
    sumOf(
      rows.map(({ amount, tax, currency, postedAt }) =>
        inDollars(exact(amount).plus(input.includeTax ? tax : 0), currency, dateOf(postedAt)),
      ),
    );
  const products = [...Map.groupBy(sold, ({ sku }) => sku)].filter(
    ([sku, rows]) =>
      sku !== '' &&
      (salesOf(rows).abs().gt('1e-12') || rows.reduce((sum, row) => sum + row.quantity, 0) !== 0),
  );
  return { sales: salesOf(sold), products: products.length };
}

/**
 * Checks the buckets of a range: each line is its exact sum rounded, but where that does not add up
 * to the line of the store it may be the other of the two nearest cents.
 */
async function checkBuckets(
  world: World,
  tenant: Tenant,
  given: Facts,
  input: Input,
  [from, to]: readonly [number, number],
  store: Record<string, number>,
): Promise<void> {
  const { channelId, merchantId } = tenant;
  const { zone, interval, includeTax, includeCogsRefunds } = input;
  const reportOptions = { fromDate: from, toDate: to, timezone: zone, interval };
  const body = { channelId, merchantId, reportOptions, includeTax, includeCogsRefunds };
  const answer = await askView(world, tenant.key, 'profitByPeriod', body);
  const rows: Record<string, string>[] = answer.formattedChartData;
  const events = given.events.filter(({ postedAt }) => postedAt >= from && postedAt <= to);
  const isPosted = given.events.some(isCharge);
  const spend = given.campaignDays.filter(within(dateIn(zone, from), dateIn(zone, to)));
  const expected = rows.map(({ startTime }) => {
    const start = bucketStart(startTime!.slice(0, 10), interval);
    const own = events.filter(
      ({ postedAt }) => bucketStart(dateIn(zone, postedAt), interval) === start,
    );
    const sums = add(given, own, zone, input);
    const reported = spend.filter(({ date }) => bucketStart(date, interval) === start);
    if (!isPosted) addSpend(sums, reported);
    return { sums, uncosted: withoutCosts(given, own, input) };
  });
  for (const line of allLines) {
    const shown = rows.map((row) => exact(row[line]!));
    const total = sumOf(shown);
    assert.equal(total.toNumber(), store[line], line);
    const rounded = expected.map(({ sums }) => sums[line].toDecimalPlaces(2));
    const addsUp = sumOf(rounded).eq(total);
    for (const [index, one] of shown.entries()) {
      if (addsUp) assert.equal(one.toFixed(2), rounded[index]!.toFixed(2), line);
      else assert.ok(one.minus(expected[index]!.sums[line]).abs().lt(0.01), line);
    }
  }
  for (const [index, row] of rows.entries()) {
    const { sales, products } = expected[index]!.uncosted;
    const shown = exact(row.salesWithoutUnitCosts!);
    assert.ok(shown.minus(sales).abs().lt(0.01), `${shown} ${sales}`);
    assert.equal(row.productsWithoutUnitCosts, products);
    const total = (lines: readonly Line[]) => sumOf(lines.map((line) => exact(row[line]!)));
    const [revenue, expenses] = [total(revenueLines), total(expenseLines)];
    const profit = revenue.minus(expenses);
    assert.deepEqual(
      [row.totalRevenue, row.totalExpenses, row.netProfit],
      [revenue, expenses, profit].map((one) => plain(one, 2)),
    );
    assert.equal(row.margin, ratio(profit, revenue));
  }
}

async function ask(
  world: World,
  { key, channelId, merchantId }: Tenant,
  subject: 'store' | 'product',
  reportOptions: object,
  isCached = true,
) {
  const send = isCached ? world.ask : world.askUncached;
  const body = { channelId, merchantId, reportOptions };
  const answer = await send(key, 'POST', `/profitability/${subject}ProfitAndLoss`, body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

async function allPages(
  world: World,
  tenant: Tenant,
  options: object,
  pageSize: number,
  isCached: boolean,
): Promise<Product[]> {
  const rows: Product[] = [];
  for (let pageIndex = 0; ; pageIndex++) {
    const paged = { ...options, pageIndex, pageSize };
    const { productEvents, count } = await ask(world, tenant, 'product', paged, isCached);
    rows.push(...productEvents);
    if (productEvents.length < pageSize) {
      assert.equal(count, rows.length);
      return rows;
    }
  }
}

onRandomFacts('Profit and loss of random facts', (world) => {
  before(() => importRows(world(), 'exchangeRates', undefined, rates));

  test('equals a plain recomputation, whatever the zone, the range, the options, the SKUs and the pages', async () => {
    await fc.assert(
      fc.asyncProperty(
        facts,
        fc.array(questions, { minLength: 5, maxLength: 5 }),
        async (drawn, inputs) => {
          const given = adjusted(drawn);
          const tenant = await world().tenant({ channel: { timezone: 'UTC' } });
          const { events, ...others } = given;
          await importFacts(world(), tenant.channelId, {
            ...others,
            financeEvents: events.map((event, index) => ({ eventId: String(index), ...event })),
            adProductDays: given.adProductDays.map((row) => ({ ...row, adType: 'SP' })),
          });
          for (const [place, drawnInput] of inputs.entries()) {
            const { ends, wholeDays, zone, pageSize, interval: _, ...input } = drawnInput;
            let [from, to] = ends[0] <= ends[1] ? ends : [ends[1], ends[0]];
            if (wholeDays) {
              const start = (instant: number, days: number) =>
                wallTime(zone, instant).startOfDay().add({ days }).startOfDay().epochMilliseconds;
              [from, to] = [start(from, 0) / 1000, start(to, 1) / 1000 - 1];
            }
            const { sellerSkus, ...options } = { ...input, fromDate: from, toDate: to };
            const hint = JSON.stringify({ ...options, zone, pageSize });

            const store = await ask(world(), tenant, 'store', { ...options, timezone: zone });
            assert.deepEqual(store, expectedStore(given, drawnInput, from, to), hint);

            await checkBuckets(world(), tenant, given, drawnInput, [from, to], store);

            const ofProducts = { ...options, sellerSkus };
            const rows = await allPages(world(), tenant, ofProducts, pageSize, true);
            assert.deepEqual(rows, expectedProducts(given, drawnInput, from, to), hint);
            if (level === 'deep' || place % 2 === 0) {
              const uncached = await allPages(world(), tenant, ofProducts, pageSize, false);
              assert.deepEqual(uncached, rows, hint);
            }

            if (zone !== 'UTC' || !drawn.isNative || sellerSkus.length > 0) continue;
            // The rows of products omit only the events without a SKU.
            const unnamed = given.events.filter(
              ({ postedAt, sku }) => sku === '' && postedAt >= from && postedAt <= to,
            );
            const rest = add(given, unnamed, 'UTC', input);
            for (const line of allLines.filter((line) => line !== 'advertisingSpend')) {
              const sum = rows.reduce((total, row) => total.plus(row[line] as number), rest[line]);
              assert.equal(sum.toNumber(), store[line], `${line} ${hint}`);
            }
          }
        },
      ),
      { numRuns: triesOn(world(), { embedded: level === 'deep' ? 10 : 8, served: 2 }) },
    );
  });
});
