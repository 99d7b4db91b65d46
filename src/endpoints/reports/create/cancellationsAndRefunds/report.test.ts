import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import {
  onEachPair,
  onRandomFacts,
  type Tenant,
  testOnOnePair,
  triesOn,
  type World,
} from '../../../../../test/harness.ts';
import { importRows } from '../../../../../test/imports.ts';
import { csvOf, named } from '../../../../../test/reports.ts';
import { reports } from '../reports.ts';
import { refundsByPages } from './report.ts';

const Exact = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_UP });

const columns = [
  ...['productId', 'asin', 'title', 'imageUrl', 'linkUrl', 'grossSales', 'priorGrossSales'],
  ...['cancelledSales', 'priorCancelledSales', 'cancelRate', 'priorCancelRate', 'netSales'],
  ...['priorNetSales', 'grossQty', 'priorGrossQty', 'refundedSales', 'priorRefundedSales'],
  ...['unitsRefunded', 'priorUnitsRefunded', 'refundRate', 'priorRefundRate'],
  ...['refundRateUnits', 'priorRefundRateUnits', 'unitsCancelled', 'priorUnitsCancelled'],
  'currency',
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
  const { rows } = await csvOf(world, tenant, 'cancellationsAndRefunds', asked);
  return rows.map((row) => row.join('|'));
}

let numbered = 0;
const line = (purchasedAt: string, sku: string, quantity: number, itemPrice: string, more = {}) => {
  const orderId = `order-${numbered++}`;
  return { orderId, lineId: '1', purchasedAt, sku, quantity, itemPrice, currency: 'USD', ...more };
};
const refund = (postedAt: string, sku: string, quantity: number, amount: string, more = {}) => {
  const eventId = `event-${numbered++}`;
  return {
    ...{ eventId, postedAt, sku, quantity, amount, line: 'refunds', code: 'Principal' },
    ...{ currency: 'USD', ...more },
  };
};
const canceled = { status: 'Canceled' };

onEachPair('Reports of cancellations and refunds', (world, pair) => {
  const testOnce = testOnOnePair(pair);
  let tenant: Tenant;

  const lines = [
    // 3 + 2 units for 60 + 40, of which 2 units for 40 cancelled; and another SKU of the product.
    line('2025-03-01T00:00:00-05:00', 'A-1', 3, '60.00', { productId: 'B0A', itemTax: '6.00' }),
    line('2025-03-12T10:00:00Z', 'A-1', 2, '40.00', {
      ...{ productId: 'B0A', itemTax: '4.00' },
      ...canceled,
    }),
    line('2025-03-31T23:59:59-04:00', 'A-2', 1, '25.00', { productId: 'B0A' }),
    // The last second of February, an hour later in UTC than in summer, and the first.
    line('2025-02-28T23:59:59-05:00', 'A-1', 4, '80.00', { productId: 'B0A' }),
    line('2025-02-01T00:00:00-05:00', 'A-2', 1, '25.00', { productId: 'B0A', ...canceled }),
    // Known by the catalogue, by nothing, by its product alone, and not at all.
    line('2025-03-05T00:00:00Z', 'C-1', 2, '10.00'),
    line('2025-03-05T00:00:00Z', 'D-1', 1, '7.50'),
    line('2025-03-05T00:00:00Z', '', 1, '3.00', { productId: 'B0E' }),
    line('2025-03-05T00:00:00Z', '', 1, '2.00', canceled),
    // Outside of both periods.
    line('2025-04-01T00:00:00-04:00', 'A-1', 1000, '1000.00', { productId: 'B0A' }),
    line('2025-01-31T23:59:59-05:00', 'A-1', 1000, '1000.00', { productId: 'B0A' }),
  ];
  const events = [
    // Of 60 that stayed, 20 and tax of 2 came back, less 1.50 of a promotion.
    refund('2025-03-20T00:00:00Z', 'A-1', 1, '-20.00', { tax: '-2.00' }),
    refund('2025-03-20T00:00:00Z', 'A-1', 0, '1.50', { code: 'Promotion' }),
    refund('2025-02-10T00:00:00Z', 'A-2', 1, '-25.00'),
    // Ordered before both periods, and not of any product.
    refund('2025-03-31T23:59:59-04:00', 'F-1', 2, '-30.00'),
    refund('2025-03-31T00:00:00Z', '', 0, '-4.00'),
    refund('2025-04-01T00:00:00-04:00', 'A-1', 500, '-500.00'),
    // No refunds.
    refund('2025-03-20T00:00:00Z', 'A-1', 9, '999.00', { line: 'sales' }),
  ];
  const products = [
    { sku: 'A-1', productId: 'B0A', title: 'Lamp, "small"', linkUrl: 'https://x.example/a' },
    { sku: 'A-2', productId: 'B0A', title: 'Other', imageUrl: 'https://x.example/a2.jpg' },
    { sku: 'C-1', productId: 'B0C', title: '=C' },
    // The product of B0E, which was sold without a SKU.
    { sku: 'E-1', productId: 'B0E', title: 'E' },
  ];

  before(async () => {
    tenant = await world().tenant({ channel: { timezone: 'America/New_York' } });
    await importRows(world(), 'products', tenant.channelId, products);
    await importRows(world(), 'orderLines', tenant.channelId, lines);
    await importRows(world(), 'financeEvents', tenant.channelId, events);
  });

  test('A row for each SKU, the most ordered first, beside its figures of the period before', async () => {
    const report = await csvOf(world(), tenant, 'cancellationsAndRefunds', options);
    assert.deepEqual(report.columns, columns);
    assert.deepEqual(
      report.rows.map((row) => row.join('|')),
      [
        // 40 of 100 cancelled, 18.50 of 60 refunded, 1 of 3 units; before: 80, all of which stayed.
        'A-1|B0A|Lamp, "small"|https://x.example/a2.jpg|https://x.example/a|100.00|80.00|40.00|0.00|40.00|0.00|60.00|80.00|5|4|18.50|0.00|1|0|30.83|0.00|33.33|0.00|2|0|USD',
        "C-1|B0C|'=C|||10.00|0.00|0.00|0.00|0.00||10.00|0.00|2|0|0.00|0.00|0|0|0.00||0.00||0|0|USD",
        // Without any product: 2.00, all of it cancelled, and a refund of 4.00.
        '|||||2.00|0.00|2.00|0.00|100.00||0.00|0.00|1|0|4.00|0.00|0|0|||||1|0|USD',
        'A-2|B0A|Other|https://x.example/a2.jpg|https://x.example/a|25.00|25.00|0.00|25.00|0.00|100.00|25.00|0.00|1|1|0.00|25.00|0|1|0.00||0.00||0|1|USD',
        'B0E|B0E|E|||3.00|0.00|0.00|0.00|0.00||3.00|0.00|1|0|0.00|0.00|0|0|0.00||0.00||0|0|USD',
        'D-1|||||7.50|0.00|0.00|0.00|0.00||7.50|0.00|1|0|0.00|0.00|0|0|0.00||0.00||0|0|USD',
        'F-1|||||0.00|0.00|0.00|0.00|||0.00|0.00|0|0|30.00|0.00|2|0|||||0|0|USD',
      ],
    );
  });

  test('Net sales are those of the view of sales, and refunds those of the profit and loss', async () => {
    const names = { channelId: tenant.channelId, merchantId: tenant.merchantId };
    for (const includeTax of [false, true]) {
      const report = named(
        await csvOf(world(), tenant, 'cancellationsAndRefunds', { ...options, includeTax }),
      );
      const sum = (column: string) =>
        report.reduce((total, row) => total.plus(row[column]!), new Exact(0)).toFixed(2);
      const { body } = await world().ask(tenant.key, 'POST', '/reports/view/salesByPeriod', {
        ...{ ...names, includeTax, reportOptions: { ...options, interval: 'y' } },
      });
      const [year] = body.formattedChartData;
      assert.deepEqual([sum('netSales'), sum('priorNetSales')], [year.sales, year.priorSales]);
      const { fromDate, toDate, timezone } = options;
      const profit = await world().ask(tenant.key, 'POST', '/profitability/storeProfitAndLoss', {
        ...names,
        reportOptions: { fromDate, toDate, timezone, includeTax },
      });
      assert.equal(Number(sum('refundedSales')), -profit.body.refunds);
      assert.equal(sum('refundedSales'), includeTax ? '54.50' : '52.50');
    }
  });

  testOnce(
    'Without a comparison its cells are blank, and what had orders then alone has no row',
    async () => {
      const { fromDate, toDate, timezone } = options;
      const february = { fromDate: options.priorFromDate, toDate: options.priorToDate, timezone };
      assert.deepEqual(await listed(world(), tenant, february), [
        'A-1|B0A|Lamp, "small"|https://x.example/a2.jpg|https://x.example/a|80.00||0.00||0.00||80.00||4||0.00||0||0.00||0.00||0||USD',
        'A-2|B0A|Other|https://x.example/a2.jpg|https://x.example/a|25.00||25.00||100.00||0.00||1||25.00||1||||||1||USD',
      ]);
      assert.equal((await listed(world(), tenant, { fromDate, toDate, timezone })).length, 7);
    },
  );

  test('Each amount is converted at the rate of its local date, by clocks that change in between', async () => {
    const abroad = await world().tenant({ channel: { timezone: 'America/New_York' } });
    await importRows(world(), 'exchangeRates', undefined, [
      { date: '2025-03-09', currency: 'USD', perEuro: '1.10' },
      { date: '2025-03-10', currency: 'USD', perEuro: '1.20' },
    ]);
    const euros = { currency: 'EUR' };
    await importRows(world(), 'orderLines', abroad.channelId, [
      line('2025-03-10T03:59:59Z', 'A', 1, '10.00', euros),
      // Half past midnight in summer time, which began on the day before.
      line('2025-03-10T04:30:00Z', 'A', 1, '10.00', euros),
      line('2025-03-10T04:30:00Z', 'A', 1, '10.00', { ...euros, ...canceled }),
      line('2025-03-10T04:30:00Z', 'A', 1, '0.50'),
    ]);
    await importRows(world(), 'financeEvents', abroad.channelId, [
      refund('2025-03-10T03:59:59Z', 'A', 1, '-1.00', euros),
    ]);
    const { fromDate, toDate, timezone } = options;
    // 11.00 + 12.00 + 12.00 + 0.50, of which 12.00 are cancelled; 1.10 of 23.50 refunded.
    assert.deepEqual(await listed(world(), abroad, { fromDate, toDate, timezone }), [
      'A|||||35.50||12.00||33.80||23.50||4||1.10||1||4.68||33.33||1||USD',
    ]);
    // By the clocks of London all four were on the tenth.
    assert.match(
      (await listed(world(), abroad, { fromDate, toDate, timezone: 'Europe/London' }))[0]!,
      /^A\|{5}36\.50\|\|12\.00\|/,
    );
  });

  testOnce(
    'A channel without orders has the header alone, however long the periods are; that of another marketplace has no ASINs',
    async () => {
      const ages = { fromDate: 0, toDate: 1e11 };
      const empty = await csvOf(world(), await world().tenant(), 'cancellationsAndRefunds', ages);
      assert.deepEqual(empty, { columns, rows: [] });
      const web = await world().tenant({ channel: { marketplace: 'shopify' } });
      await importRows(world(), 'orderLines', web.channelId, [
        line('2025-03-05T00:00:00Z', 'W-1', 1, '9.00', { productId: '123' }),
      ]);
      assert.deepEqual(await listed(world(), web, ages), [
        'W-1|||||9.00||0.00||0.00||9.00||1||0.00||0||0.00||0.00||0||USD',
      ]);
    },
  );
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

const skus = ['a', 'B', 'É', ''];
const productIds = ['P1', 'P2', 'a', ''];
const start = seconds('2025-03-01T00:00:00Z');
const instants = fc.integer({ min: start, max: start + 6 * 86_400 });
const cents = fc
  .integer({ min: 0, max: 99_999 })
  .map((amount) => new Exact(amount).div(100).toFixed(2));
const few = fc.integer({ min: 0, max: 9 });
const currencies = fc.constantFrom('USD', 'EUR', 'JPY');

const facts = fc.record({
  isNative: fc.boolean(),
  channelCurrency: currencies,
  products: fc.uniqueArray(
    fc.record({
      sku: fc.constantFrom('a', 'B', 'É', 'other'),
      productId: fc.constantFrom(...productIds),
      title: fc.constantFrom('', 'T1', 'T2', 'T3'),
    }),
    { selector: ({ sku }) => sku, maxLength: 4 },
  ),
  lines: fc.array(
    fc.record({
      at: instants,
      sku: fc.constantFrom(...skus),
      productId: fc.constantFrom(...productIds),
      status: fc.constantFrom('Shipped', 'Pending', 'Canceled'),
      quantity: few,
      itemPrice: cents,
      itemTax: cents,
      currency: currencies,
    }),
    { maxLength: 15, size: 'max' },
  ),
  events: fc.array(
    fc.record({
      at: instants,
      sku: fc.constantFrom(...skus),
      line: fc.constantFrom('refunds', 'refunds', 'sales'),
      quantity: few,
      amount: fc
        .tuple(cents, fc.boolean())
        .map(([amount, isDebit]) => (isDebit ? '-' : '') + amount),
      tax: cents.map((amount) => `-${amount}`),
      currency: currencies,
    }),
    { maxLength: 10, size: 'max' },
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

/** The rows as they follow from going through orders and refunds one by one. */
function expected(given: Facts, { timezone, includeTax, current, prior }: Question): string[] {
  const target = given.channelCurrency;
  const places = target === 'JPY' ? 0 : 2;
  const windows = [current, ...(prior === null ? [] : [prior])].map(inOrder);
  const dateOf = (at: number) =>
    new Date(at * 1000).toLocaleDateString('sv-SE', { timeZone: timezone });
  const isIn = ([from, to]: Span, { at }: { at: number }) => at >= from && at <= to;
  const inAny = <Fact extends { at: number }>(all: readonly Fact[]) =>
    all.filter((fact) => windows.some((window) => isIn(window, fact)));
  const lines = inAny(given.lines);
  const refunds = inAny(given.events).filter((event) => event.line === 'refunds');
  const latest = [...lines].sort((a, b) => a.at - b.at || byBytes(a.productId, b.productId));
  /** The product of a SKU: as it was last ordered, else as the catalogue has it. */
  const knownId = (sku: string, productId: string) =>
    sku === ''
      ? productId
      : latest.filter((one) => one.sku === sku && one.productId !== '').at(-1)?.productId ||
        given.products.find((one) => one.sku === sku)?.productId ||
        '';
  const rowOf = (sku: string, productId: string) => sku || productId;
  const items = [
    ...lines.map(({ sku, productId }) => ({ sku, productId })),
    ...refunds.map(({ sku }) => ({ sku, productId: '' })),
  ];
  const names = new Set(items.map(({ sku, productId }) => rowOf(sku, productId)));
  const bySku = [...given.products].sort((a, b) => byBytes(a.sku, b.sku));

  const figuresOf = (name: string, window: Span) => {
    const sumOf = (
      all: readonly { at: number; currency: string; amount: Decimal; sku: string; id: string }[],
    ) =>
      all
        .filter((one) => isIn(window, one) && rowOf(one.sku, one.id) === name)
        .reduce(
          (sum, { amount, currency, at }) =>
            sum.plus(converted(amount, currency, target, dateOf(at))),
          new Exact(0),
        );
    const priced = lines.map((one) => ({
      ...{ ...one, id: one.productId },
      amount: new Exact(one.itemPrice).plus(includeTax ? one.itemTax : 0),
    }));
    const canceledOnes = priced.filter(({ status }) => status === 'Canceled');
    const paidBack = refunds.map((one) => ({
      ...{ ...one, id: '' },
      amount: new Exact(one.amount).plus(includeTax ? one.tax : 0).neg(),
    }));
    const units = (all: typeof priced | typeof paidBack) =>
      (all as { at: number; quantity: number; sku: string; id: string }[])
        .filter((one) => isIn(window, one) && rowOf(one.sku, one.id) === name)
        .reduce((sum, { quantity }) => sum + quantity, 0);
    return {
      gross: sumOf(priced),
      canceled: sumOf(canceledOnes),
      refunded: sumOf(paidBack),
      grossUnits: units(priced),
      canceledUnits: units(canceledOnes),
      refundedUnits: units(paidBack),
    };
  };
  const rate = (part: Decimal.Value, whole: Decimal.Value) =>
    new Exact(whole).gt(0) ? plain(new Exact(part).times(100).div(whole), 2) : '';
  const cellsOf = (name: string, window: Span | undefined): string[] => {
    if (window === undefined) return Array(10).fill('');
    const { gross, canceled, refunded, grossUnits, canceledUnits, refundedUnits } = figuresOf(
      name,
      window,
    );
    const net = gross.minus(canceled);
    return [
      ...[plain(gross, places), plain(canceled, places), rate(canceled, gross)],
      ...[plain(net, places), String(grossUnits), plain(refunded, places), String(refundedUnits)],
      ...[rate(refunded, net), rate(refundedUnits, grossUnits - canceledUnits)],
      String(canceledUnits),
    ];
  };
  const asinOf = (name: string) =>
    items
      .filter(({ sku, productId }) => rowOf(sku, productId) === name)
      .map(({ sku, productId }) => knownId(sku, productId))
      .sort(byBytes)
      .at(-1)!;
  const titleOf = (name: string) => {
    const own = bySku.filter(({ sku }) => sku === name && items.some((item) => item.sku === sku));
    const others = bySku.filter(({ productId }) => productId !== '' && productId === asinOf(name));
    return [...own, ...others].find(({ title }) => title !== '')?.title ?? '';
  };
  return [...names]
    .map((name) => ({ name, units: figuresOf(name, windows[0]!).grossUnits }))
    .sort((a, b) => b.units - a.units || byBytes(a.name, b.name))
    .map(({ name }) => {
      const [now, before] = [cellsOf(name, windows[0]), cellsOf(name, windows[1])];
      return [
        ...[name, asinOf(name), titleOf(name), '', ''],
        ...now.flatMap((cell, place) => [cell, before[place]!]),
        target,
      ].join('|');
    });
}

function plain(value: Decimal, places: number): string {
  return value.toFixed(places).replace(/^-(0(\.0+)?)$/, '$1');
}

onRandomFacts('Cancellations and refunds of random orders', define, {
  // By pages of a few rows, as those of many products are.
  reports: { ...reports, cancellationsAndRefunds: refundsByPages(2) },
});

function define(world: () => World): void {
  before(async () => {
    const rates = ['USD', 'JPY'].flatMap((currency) =>
      published[currency]!.map(([date, perEuro]) => ({ date, currency, perEuro })),
    );
    await importRows(world(), 'exchangeRates', undefined, rates);
  });

  test('equals a plain recomputation, whatever the zone, the windows, the tax and the currencies', async () => {
    await fc.assert(
      fc.asyncProperty(
        facts,
        fc.array(questions, { minLength: 3, maxLength: 3 }),
        async (drawn, askedList) => {
          const own = <Fact extends { currency: string }>(all: readonly Fact[]) =>
            all.map((one) => (drawn.isNative ? { ...one, currency: drawn.channelCurrency } : one));
          const given: Facts = { ...drawn, lines: own(drawn.lines), events: own(drawn.events) };
          const tenant = await world().tenant({
            channel: { timezone: 'Europe/Rome', currency: given.channelCurrency },
          });
          const { channelId } = tenant;
          if (given.products.length > 0)
            await importRows(world(), 'products', channelId, given.products);
          const numberedLines = given.lines.map(({ at, ...one }, index) => ({
            ...{ ...one, purchasedAt: at, orderId: `O${index}`, lineId: '1' },
          }));
          if (given.lines.length > 0)
            await importRows(world(), 'orderLines', channelId, numberedLines);
          const numberedEvents = given.events.map(({ at, ...one }, index) => ({
            ...{ ...one, postedAt: at, eventId: `E${index}`, code: 'x' },
          }));
          if (given.events.length > 0)
            await importRows(world(), 'financeEvents', channelId, numberedEvents);
          for (const asked of askedList) {
            const [fromDate, toDate] = inOrder(asked.current);
            const prior = asked.prior && inOrder(asked.prior);
            const found = await listed(world(), tenant, {
              ...{ fromDate, toDate, timezone: asked.timezone, includeTax: asked.includeTax },
              ...(prior && { priorFromDate: prior[0], priorToDate: prior[1] }),
            });
            assert.deepEqual(found, expected(given, asked), JSON.stringify(asked));
          }
        },
      ),
      { numRuns: triesOn(world(), { embedded: 10, served: 4 }) },
    );
  });
}
