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
import { importRows } from '../../../../../test/imports.ts';
import { csvOf } from '../../../../../test/reports.ts';
import { reports } from '../reports.ts';
import { customersByPages } from './report.ts';

const Exact = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_UP });

const columns = [
  ...['productSku', 'title', 'totalSales', 'priorTotalSales', 'repeatCustomerSales'],
  ...['priorRepeatCustomerSales', 'repeatSalesPercentage', 'priorRepeatSalesPercentage'],
  ...['totalCustomers', 'priorTotalCustomers', 'newCustomers', 'priorNewCustomers'],
  ...['repeatCustomers', 'priorRepeatCustomers', 'repeatCustomersPercentage'],
  ...['priorRepeatCustomersPercentage', 'salesPerCustomer', 'salesPerRepeatCustomer', 'currency'],
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
  const { rows } = await csvOf(world, tenant, 'repeatPurchase', asked);
  return rows.map((row) => row.join('|'));
}

let numbered = 0;
const order = (
  buyerEmail: string,
  purchasedAt: string,
  sku: string,
  itemPrice: string,
  more = {},
) => {
  const orderId = `order-${numbered++}`;
  return {
    ...{ orderId, lineId: '1', purchasedAt, sku, quantity: 1, itemPrice, itemTax: '1.00' },
    ...{ currency: 'USD', buyerEmail, ...more },
  };
};
const [ann, bob, cleo] = ['ann@example.com', 'bob@example.com', 'cleo@example.com'];
const lamp = { productId: 'B0LAMP' };

onEachPair('Reports of repeat purchases', (world) => {
  let tenant: Tenant;

  const lines = [
    // Twice in March, of two offers of one product, and for the first time in its first second.
    order(ann, '2025-03-01T00:00:00-05:00', 'L-1', '20.00', lamp),
    order(' ANN@Example.com', '2025-03-31T23:59:59-04:00', 'L-2', '25.00', lamp),
    // Once in March and once before: neither new nor a repeat customer.
    order(bob, '2025-02-28T23:59:59-05:00', 'L-1', '20.00', lamp),
    order(bob, '2025-03-10T12:00:00Z', 'L-1', '22.50', lamp),
    // One order of two lines is one order; another line of it names the buyer.
    order(cleo, '2025-03-12T12:00:00Z', 'L-1', '10.00', { ...lamp, orderId: 'two', lineId: '1' }),
    order('', '2025-03-12T12:00:00Z', 'L-1', '12.50', { ...lamp, orderId: 'two', lineId: '2' }),
    // Cancelled ones and those of no known buyer count nowhere.
    order(cleo, '2025-03-20T12:00:00Z', 'L-1', '1000.00', { ...lamp, status: 'Canceled' }),
    order(cleo, '2025-01-20T12:00:00Z', 'L-1', '1000.00', { ...lamp, status: 'Canceled' }),
    order('', '2025-03-20T12:00:00Z', 'L-1', '1000.00', lamp),
    order('', '2025-03-20T12:00:00Z', 'nobody', '1000.00'),
    // After the period.
    order(cleo, '2025-04-01T00:00:00-04:00', 'L-1', '1000.00', lamp),
    // Three times in February, not for the first time, and never in March.
    order(bob, '2025-01-31T23:59:59-05:00', 'M-1', '5.00'),
    ...['2025-02-01T00:00:00-05:00', '2025-02-02T00:00:00Z', '2025-02-03T00:00:00Z'].map((at) =>
      order(bob, at, 'M-1', '5.00', { status: 'Pending' }),
    ),
    // Known by the catalogue, by nothing, by its product alone, and not at all.
    order(ann, '2025-03-05T00:00:00Z', 'C-1', '7.00'),
    order(ann, '2025-03-06T00:00:00Z', 'D-1', '8.00'),
    order(ann, '2025-03-06T00:00:00Z', '', '9.00', { productId: 'B0E' }),
    order(ann, '2025-03-07T00:00:00Z', '', '9.00'),
  ];
  const products = [
    { sku: 'L-2', productId: 'B0LAMP', title: 'Lamp, "small"' },
    { sku: 'L-1', productId: 'B0LAMP', title: '' },
    { sku: 'M-1', title: '=Mug' },
    { sku: 'C-1', productId: 'B0C', title: 'C' },
    { sku: 'E-1', productId: 'B0E', title: 'E' },
  ];

  before(async () => {
    tenant = await world().tenant({ channel: { timezone: 'America/New_York' } });
    await importRows(world(), 'products', tenant.channelId, products);
    await importRows(world(), 'orderLines', tenant.channelId, lines);
  });

  test('A row for each product, the one with the most customers first, beside the period before', async () => {
    const report = await csvOf(world(), tenant, 'repeatPurchase', options);
    assert.deepEqual(report.columns, columns);
    assert.deepEqual(
      report.rows.map((row) => row.join('|')),
      [
        // 45.00 of ann, 22.50 of bob, 22.50 of cleo; ann and cleo are new, ann came back.
        'B0LAMP|Lamp, "small"|90.00|20.00|45.00|0.00|50.00|0.00|3|1|2|1|1|0|33.33|0.00|30.00|45.00|USD',
        'B0C|C|7.00|0.00|0.00|0.00|0.00||1|0|1|0|0|0|0.00||7.00||USD',
        'B0E|E|9.00|0.00|0.00|0.00|0.00||1|0|1|0|0|0|0.00||9.00||USD',
        'D-1||8.00|0.00|0.00|0.00|0.00||1|0|1|0|0|0|0.00||8.00||USD',
        "M-1|'=Mug|0.00|15.00|0.00|15.00||100.00|0|1|0|0|0|1||100.00|||USD",
      ],
    );
  });

  test('With tax, which every line has 1.00 of', async () => {
    const [first] = await listed(world(), tenant, { ...options, includeTax: true });
    assert.equal(
      first,
      'B0LAMP|Lamp, "small"|95.00|21.00|47.00|0.00|49.47|0.00|3|1|2|1|1|0|33.33|0.00|31.67|47.00|USD',
    );
  });

  test('Without a comparison its cells are blank, and what was bought then alone has no row', async () => {
    const { fromDate, toDate, timezone } = options;
    const rows = await listed(world(), tenant, { fromDate, toDate, timezone });
    assert.deepEqual(rows.length, 4);
    assert.equal(
      rows[0],
      'B0LAMP|Lamp, "small"|90.00||45.00||50.00||3||2||1||33.33||30.00|45.00|USD',
    );
  });

  test('A channel without orders has the header alone', async () => {
    const idle = await world().tenant();
    assert.deepEqual(await listed(world(), idle, options), []);
  });

  test('Customers of other channels are no customers of this one', async () => {
    const other = await world().tenant();
    await importRows(world(), 'orderLines', other.channelId, [
      order(ann, '2025-03-15T00:00:00Z', 'L-1', '5.00', lamp),
    ]);
    const { fromDate, toDate } = options;
    assert.deepEqual(await listed(world(), other, { fromDate, toDate }), [
      'B0LAMP||5.00||0.00||0.00||1||1||0||0.00||5.00||USD',
    ]);
  });
});

/** Units of a currency for a euro, from a date on. */
const published: Record<string, [date: string, perEuro: string][]> = {
  USD: [
    ['2025-03-01', '1.0713'],
    ['2025-03-04', '1.0931'],
  ],
  JPY: [['2025-03-02', '161.33']],
  EUR: [['2025-01-01', '1']],
};

function converted(amount: Decimal, from: string, to: string, date: string): Decimal {
  const perEuro = (currency: string) => {
    const rates = published[currency]!;
    return (rates.filter(([since]) => since <= date).at(-1) ?? rates[0]!)[1];
  };
  return from === to ? amount : amount.times(perEuro(to)).div(perEuro(from));
}

const start = seconds('2025-03-01T00:00:00Z');
const instants = fc.integer({ min: start, max: start + 6 * 86_400 });
const cents = fc
  .integer({ min: 0, max: 99_999 })
  .map((amount) => new Exact(amount).div(100).toFixed(2));
const currencies = fc.constantFrom('USD', 'EUR', 'JPY');
const skus = ['a', 'B', 'É', ''];

const facts = fc.record({
  isNative: fc.boolean(),
  channelCurrency: currencies,
  products: fc.uniqueArray(
    fc.record({
      sku: fc.constantFrom('a', 'B', 'É', 'other'),
      productId: fc.constantFrom('P1', 'P2', ''),
      title: fc.constantFrom('', 'T1', 'T2', 'T3'),
    }),
    { selector: ({ sku }) => sku, maxLength: 4 },
  ),
  orders: fc.array(
    fc.record({
      at: instants,
      buyer: fc.constantFrom('u', 'v', 'w'),
      lines: fc.array(
        fc.record({
          isNamed: fc.constantFrom(true, true, false),
          sku: fc.constantFrom(...skus),
          productId: fc.constantFrom('P1', 'P2', ''),
          status: fc.constantFrom('Shipped', 'Shipped', 'Pending', 'Canceled'),
          itemPrice: cents,
          itemTax: cents,
          currency: currencies,
        }),
        { minLength: 1, maxLength: 3 },
      ),
    }),
    { maxLength: 20, size: 'max' },
  ),
});
const questions = fc.record({
  timezone: fc.constantFrom('UTC', 'America/Los_Angeles', 'Asia/Tokyo'),
  includeTax: fc.boolean(),
  current: fc.tuple(instants, instants),
  prior: fc.option(fc.tuple(instants, instants)),
});
type Facts = typeof facts extends fc.Arbitrary<infer F> ? F : never;
type Question = typeof questions extends fc.Arbitrary<infer Q> ? Q : never;
type Span = readonly [number, number];

const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
const inOrder = ([a, b]: Span): Span => (a <= b ? [a, b] : [b, a]);

/** The rows as they follow from going through products, customers and orders one by one. */
function expected(given: Facts, { timezone, includeTax, current, prior }: Question): string[] {
  const target = given.channelCurrency;
  const places = target === 'JPY' ? 0 : 2;
  const windows = [current, ...(prior === null ? [] : [prior])].map(inOrder);
  const until = Math.max(...windows.map(([, to]) => to));
  const dateOf = (at: number) =>
    new Date(at * 1000).toLocaleDateString('sv-SE', { timeZone: timezone });
  const orders = given.orders
    .map((one) => ({ ...one, lines: one.lines.filter(({ status }) => status !== 'Canceled') }))
    .filter(({ at }) => at <= until);
  const lines = orders.flatMap(({ at, lines }) => lines.map((one) => ({ ...one, at })));
  const latest = [...lines].sort((a, b) => a.at - b.at || byBytes(a.productId, b.productId));
  const productOf = ({ sku, productId }: { sku: string; productId: string }) =>
    sku === ''
      ? productId
      : latest.filter((one) => one.sku === sku && one.productId !== '').at(-1)?.productId ||
        given.products.find((one) => one.sku === sku)?.productId ||
        sku;
  const titleOf = (name: string) => {
    const titled = given.products
      .filter(({ title }) => title !== '')
      .sort((a, b) => byBytes(a.sku, b.sku));
    const found = titled.find(({ productId }) => productId === name);
    return (found ?? titled.find(({ sku }) => sku === name))?.title ?? '';
  };
  const known = orders.filter(({ lines }) => lines.some(({ isNamed }) => isNamed));
  const buyers = [...new Set(known.map(({ buyer }) => buyer))];

  /** The orders of a product by a customer, each with its sales. */
  const boughtBy = (buyer: string, name: string) =>
    known
      .filter((one) => one.buyer === buyer)
      .map(({ at, lines }) => ({ at, lines: lines.filter((one) => productOf(one) === name) }))
      .filter(({ lines }) => lines.length > 0)
      .map(({ at, lines }) => ({
        at,
        sales: lines.reduce(
          (sum, { itemPrice, itemTax, currency }) =>
            sum.plus(
              converted(
                new Exact(itemPrice).plus(includeTax ? itemTax : 0),
                currency,
                target,
                dateOf(at),
              ),
            ),
          new Exact(0),
        ),
      }));
  const figuresOf = (name: string, [from, to]: Span) => {
    const figures = { customers: 0, fresh: 0, repeat: 0 };
    let [sales, repeatSales] = [new Exact(0), new Exact(0)];
    for (const buyer of buyers) {
      const bought = boughtBy(buyer, name);
      const inside = bought.filter(({ at }) => at >= from && at <= to);
      if (inside.length === 0) continue;
      const paid = inside.reduce((sum, one) => sum.plus(one.sales), new Exact(0));
      figures.customers += 1;
      sales = sales.plus(paid);
      if (bought.every(({ at }) => at >= from)) figures.fresh += 1;
      if (inside.length < 2) continue;
      figures.repeat += 1;
      repeatSales = repeatSales.plus(paid);
    }
    return { ...figures, sales, repeatSales };
  };
  const ratio = (part: Decimal.Value, whole: Decimal.Value, digits: number) =>
    new Exact(whole).gt(0) ? new Exact(part).div(whole).toFixed(digits) : '';
  const cellsOf = (name: string, window: Span | undefined): string[] => {
    if (window === undefined) return Array(7).fill('');
    const { customers, fresh, repeat, sales, repeatSales } = figuresOf(name, window);
    return [
      ...[sales.toFixed(places), repeatSales.toFixed(places)],
      ...[ratio(repeatSales.times(100), sales, 2), String(customers), String(fresh)],
      ...[String(repeat), ratio(repeat * 100, customers, 2)],
    ];
  };
  const names = new Set(lines.map(productOf).filter((name) => name !== ''));
  return [...names]
    .map((name) => ({ name, all: windows.map((window) => figuresOf(name, window)) }))
    .filter(({ all }) => all.some(({ customers }) => customers > 0))
    .sort((a, b) => b.all[0]!.customers - a.all[0]!.customers || byBytes(a.name, b.name))
    .map(({ name, all }) => {
      const [now, before] = [cellsOf(name, windows[0]!), cellsOf(name, windows[1])];
      const { sales, customers, repeatSales, repeat } = all[0]!;
      return [
        ...[name, titleOf(name)],
        ...now.flatMap((cell, place) => [cell, before[place]!]),
        ...[ratio(sales, customers, places), ratio(repeatSales, repeat, places), target],
      ].join('|');
    });
}

onRandomFacts('Repeat purchases of random customers', define, {
  // By pages of a few rows, as those of many products are.
  reports: { ...reports, repeatPurchase: customersByPages(2) },
});

function define(world: () => World): void {
  before(async () => {
    const rates = ['USD', 'JPY'].flatMap((currency) =>
      published[currency]!.map(([date, perEuro]) => ({ date, currency, perEuro })),
    );
    await importRows(world(), 'exchangeRates', undefined, rates);
  });

  test('equal a plain recomputation, whatever the zone, the windows, the tax and the currencies', async () => {
    await fc.assert(
      fc.asyncProperty(
        facts,
        fc.array(questions, { minLength: 3, maxLength: 3 }),
        async (drawn, askedList) => {
          const { channelCurrency, isNative, products } = drawn;
          const orders = drawn.orders.map((one) => ({
            ...one,
            lines: one.lines.map((line) =>
              isNative ? { ...line, currency: channelCurrency } : line,
            ),
          }));
          const given: Facts = { ...drawn, orders };
          const { channelId, ...tenant } = await world().tenant({
            channel: { timezone: 'Europe/Rome', currency: channelCurrency },
          });
          if (products.length > 0) await importRows(world(), 'products', channelId, products);
          const rows = orders.flatMap(({ at, buyer, lines }, index) =>
            lines.map(({ isNamed, ...line }, place) => ({
              ...{ ...line, purchasedAt: at, orderId: `O${index}`, lineId: String(place) },
              ...{ quantity: 1, buyerEmail: isNamed ? `${buyer}@example.com` : '' },
            })),
          );
          if (rows.length > 0) await importRows(world(), 'orderLines', channelId, rows);
          for (const asked of askedList) {
            const [fromDate, toDate] = inOrder(asked.current);
            const prior = asked.prior && inOrder(asked.prior);
            const found = await listed(
              world(),
              { ...tenant, channelId },
              {
                ...{ fromDate, toDate, timezone: asked.timezone, includeTax: asked.includeTax },
                ...(prior && { priorFromDate: prior[0], priorToDate: prior[1] }),
              },
            );
            assert.deepEqual(found, expected(given, asked), JSON.stringify(asked));
          }
        },
      ),
      { numRuns: triesOn(world(), { embedded: 10, served: 4 }) },
    );
  });
}
