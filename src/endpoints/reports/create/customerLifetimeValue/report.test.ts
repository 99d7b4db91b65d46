import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import {
  onEachPair,
  onRandomFacts,
  type Tenant,
  triesOn,
  type World,
} from '../../../../../test/harness.ts';
import { importRows } from '../../../../../test/imports.ts';
import { csvOf, named } from '../../../../../test/reports.ts';

const Exact = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_UP });

const columns = [
  'startTime',
  'totalRevenue',
  'repeatCustomersRevenue',
  'repeatRevenuePercentage',
  'totalCustomers',
  'repeatCustomers',
  'repeatCustomersPercentage',
  'averageLTV',
  'averageRepeatLTV',
  'adSpend',
  'cac',
  'ltvCacRatio',
  'repeatPurchases',
  'purchaseFrequency',
  'currency',
];

/** Epoch seconds of a wall time. */
function at(zone: string, wall: string): number {
  return Math.floor(
    Temporal.PlainDateTime.from(wall).toZonedDateTime(zone).epochMilliseconds / 1000,
  );
}

const zone = 'America/New_York';

/** The options of a period from the start of a date through the end of another one. */
function days(first: string, last: string, timezone = zone) {
  return {
    fromDate: at(timezone, `${first}T00:00`),
    toDate: at(timezone, `${last}T23:59:59`),
    timezone,
  };
}

async function cohorts(world: World, tenant: Tenant, options: object): Promise<string[]> {
  const { rows } = await csvOf(world, tenant, 'customerLifetimeValue', options);
  return rows.map((row) => row.join(' '));
}

onEachPair('Reports of customer lifetime value', (world) => {
  let tenant: Tenant;

  let orders = 0;
  /** An order of one line, at noon in UTC unless `when` has a time. */
  const order = (buyerEmail: string, when: string, itemPrice: string, more: object = {}) => ({
    orderId: `order ${orders++}`,
    lineId: '1',
    purchasedAt: when.includes('T') ? when : `${when}T12:00:00Z`,
    quantity: 1,
    itemPrice,
    itemTax: '3.00',
    buyerEmail,
    ...more,
  });

  // Who buys once, who comes back, and when, in the shape of a sample of customers as it is used to
  // teach lifetime value.
  const lines = [
    // Three orders, the last one after every period that is asked for.
    order('ann@example.com', '2025-01-05', '10.00'),
    order('ann@example.com', '2025-02-10', '20.00', { status: 'Pending' }),
    order('ann@example.com', '2025-06-01', '30.00'),
    order('bob@example.com', '2025-01-20', '15.50'),
    // In New York still the last of January.
    order('cleo@example.com', '2025-02-01T03:00:00Z', '4.50'),
    order('cleo@example.com', '2025-03-01', '5.50'),
    // A customer since the last second of the year before, in New York.
    order('dan@example.com', '2025-01-01T04:59:59Z', '100.00'),
    order('dan@example.com', '2025-01-15', '50.00'),
    // Whose first order came to nothing; of the second, one line did not.
    order('eve@example.com', '2025-01-10', '70.00', { status: 'Canceled' }),
    order('eve@example.com', '2025-03-02', '40.00', { orderId: 'of two lines', lineId: '1' }),
    order('eve@example.com', '2025-03-02', '99.00', {
      orderId: 'of two lines',
      lineId: '2',
      status: 'Canceled',
    }),
    order('fay@example.com', '2025-03-03', '70.00', { status: 'Canceled' }),
    order('', '2025-01-11', '77.00'),
    // An order of two lines of which one names the buyer; the same buyer in other letters.
    order('gus@example.com', '2025-03-15', '12.34', { orderId: 'half reported', lineId: '1' }),
    order('', '2025-03-15', '7.66', { orderId: 'half reported', lineId: '2' }),
    order(' GUS@Example.com ', '2025-03-20', '1.00'),
  ];
  const spent = (date: string, campaignId: string, cost: string) => ({
    date,
    campaignId,
    cost,
    impressions: 10,
    clicks: 1,
  });
  const campaigns = [
    spent('2024-12-31', '1', '99.00'),
    spent('2025-01-01', '1', '30.00'),
    spent('2025-01-31', '1', '4.00'),
    spent('2025-01-31', '2', '6.00'),
    spent('2025-03-31', '1', '5.00'),
    spent('2025-04-30', '1', '8.00'),
    spent('2025-05-01', '1', '99.00'),
  ];

  before(async () => {
    tenant = await world().tenant({ channel: { timezone: 'Asia/Tokyo' } });
    await importRows(world(), 'orderLines', tenant.channelId, lines);
    await importRows(world(), 'campaignDays', tenant.channelId, campaigns);
  });

  test('A row for each month, with what its new customers have ordered to this day', async () => {
    const report = await csvOf(
      world(),
      tenant,
      'customerLifetimeValue',
      days('2025-01-01', '2025-04-30'),
    );
    assert.deepEqual(report.columns, columns);
    assert.deepEqual(
      report.rows.map((row) => row.join(' ')),
      [
        // ann 60.00 in 3 orders, bob 15.50 in 1, cleo 10.00 in 2.
        '2025-01-01T00:00:00.000-05:00 85.50 70.00 81.87 3 2 66.67 28.50 35.00 40.00 13.33 2.1375 3 2.0000 USD',
        '2025-02-01T00:00:00.000-05:00 0.00 0.00  0 0    0.00   0  USD',
        // eve 40.00 in 1, gus 21.00 in 2.
        '2025-03-01T00:00:00.000-05:00 61.00 21.00 34.43 2 1 50.00 30.50 21.00 5.00 2.50 12.2000 1 1.5000 USD',
        '2025-04-01T00:00:00.000-04:00 0.00 0.00  0 0    8.00   0  USD',
      ],
    );
  });

  test('The first and the last cohort are clipped: who came before the period in the same month is in none', async () => {
    const period = days('2025-01-10', '2025-03-14');
    assert.deepEqual(await cohorts(world(), tenant, period), [
      // bob 15.50 in 1, cleo 10.00 in 2; 10.00 were spent from the 10th on.
      '2025-01-10T00:00:00.000-05:00 25.50 10.00 39.22 2 1 50.00 12.75 10.00 10.00 5.00 2.5500 1 1.5000 USD',
      '2025-02-01T00:00:00.000-05:00 0.00 0.00  0 0    0.00   0  USD',
      '2025-03-01T00:00:00.000-05:00 40.00 0.00 0.00 1 0 0.00 40.00  0.00 0.00  0 1.0000 USD',
    ]);
  });

  test('Cohorts may be of other lengths, and belong to the calendar of the zone that is asked for', async () => {
    const year = { ...days('2024-01-01', '2025-12-31', 'UTC'), interval: 'year' };
    assert.deepEqual(await cohorts(world(), tenant, year), [
      '2024-01-01T00:00:00.000+00:00 0.00 0.00  0 0    99.00   0  USD',
      // All six: 60.00, 15.50, 10.00, 150.00, 40.00, 21.00 in 3, 1, 2, 2, 1, 2 orders; 152.00 were
      // spent.
      '2025-01-01T00:00:00.000+00:00 296.50 241.00 81.28 6 4 66.67 49.42 60.25 152.00 25.33 1.9507 5 1.8333 USD',
    ]);
    const weeks = named(
      await csvOf(world(), tenant, 'customerLifetimeValue', {
        ...days('2025-01-01', '2025-01-14'),
        interval: 'w',
      }),
    );
    assert.deepEqual(
      weeks.map(
        ({ startTime, totalCustomers, adSpend }) => `${startTime} ${totalCustomers} ${adSpend}`,
      ),
      [
        '2025-01-01T00:00:00.000-05:00 1 30.00',
        '2025-01-06T00:00:00.000-05:00 0 0.00',
        '2025-01-13T00:00:00.000-05:00 0 0.00',
      ],
    );
  });

  test('A channel without any order has a row for each cohort all the same', async () => {
    const idle = await world().tenant({ channel: { currency: 'JPY' } });
    assert.deepEqual(await cohorts(world(), idle, { ...days('2025-01-31', '2025-02-01', 'UTC') }), [
      '2025-01-31T00:00:00.000+00:00 0 0  0 0    0   0  JPY',
      '2025-02-01T00:00:00.000+00:00 0 0  0 0    0   0  JPY',
    ]);
  });

  test('Customers of other channels are no customers of this one', async () => {
    const other = await world().tenant();
    await importRows(world(), 'orderLines', other.channelId, [
      order('ann@example.com', '2025-02-10', '5.00'),
    ]);
    const [january, february] = named(
      await csvOf(world(), other, 'customerLifetimeValue', days('2025-01-01', '2025-02-28')),
    );
    assert.deepEqual(
      [january!.totalCustomers, february!.totalCustomers, february!.totalRevenue],
      ['0', '1', '5.00'],
    );
  });

  test('Orders whose lines name two buyers are of the same one, whichever line comes first', async () => {
    const shared = await world().tenant();
    const line = (orderId: string, lineId: string, buyer: string, when: string) =>
      order(`${buyer}@example.com`, when, '5.00', { orderId, lineId });
    await importRows(world(), 'orderLines', shared.channelId, [
      line('first', '1', 'ann', '2025-01-10'),
      line('first', '2', 'bob', '2025-01-10'),
      line('second', '1', 'bob', '2025-02-10'),
      line('second', '2', 'ann', '2025-02-10'),
    ]);
    const [january, february] = named(
      await csvOf(world(), shared, 'customerLifetimeValue', days('2025-01-01', '2025-02-28')),
    );
    assert.deepEqual(
      [january!.totalCustomers, january!.repeatCustomers, january!.totalRevenue],
      ['1', '1', '20.00'],
    );
    assert.equal(february!.totalCustomers, '0');
  });
});

/** Units of a currency for a euro, from a date on. */
const published: Record<string, [date: string, perEuro: string][]> = {
  USD: [
    ['2025-03-27', '1.0713'],
    ['2025-03-30', '1.0931'],
    ['2025-04-02', '1.1029'],
  ],
  GBP: [
    ['2025-03-27', '0.8437'],
    ['2025-04-01', '0.8611'],
  ],
  JPY: [['2025-03-27', '161.33']],
  EUR: [['2025-01-01', '1']],
};
const currencies = Object.keys(published);

function converted(amount: string, from: string, to: string, date: string): Decimal {
  const perEuro = (currency: string) => {
    const rates = published[currency]!;
    return (rates.filter(([since]) => since <= date).at(-1) ?? rates[0]!)[1];
  };
  return from === to ? new Exact(amount) : new Exact(amount).times(perEuro(to)).div(perEuro(from));
}

// Around the changes of clocks in Europe and in Australia, and on the edges of days.
const firstSecond = Date.UTC(2025, 2, 26) / 1000;
const lastSecond = Date.UTC(2025, 3, 9) / 1000;
const instants = fc.oneof(
  fc.integer({ min: firstSecond, max: lastSecond }),
  fc
    .tuple(
      fc.integer({ min: 1, max: 13 }),
      fc.constantFrom(0, 4, 13, 13.5, 18.25, 22, 23),
      fc.constantFrom(-1, 0),
    )
    .map(([day, hour, shift]) => firstSecond + day * 86_400 + hour * 3600 + shift),
);
const cents = fc
  .integer({ min: 0, max: 99_999 })
  .map((amount) => new Exact(amount).div(100).toFixed(2));
const currency = fc.constantFrom('USD', 'USD', 'GBP', 'EUR', 'JPY');

const facts = fc.record({
  isNative: fc.boolean(),
  channelCurrency: fc.constantFrom('USD', 'EUR', 'JPY'),
  orders: fc.array(
    fc.record({
      customer: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
      purchasedAt: instants,
      lines: fc.array(
        fc.record({
          isNamed: fc.constantFrom(true, true, true, false),
          status: fc.constantFrom('Shipped', 'Shipped', 'Pending', 'Canceled'),
          itemPrice: cents,
          currency,
        }),
        { minLength: 1, maxLength: 3 },
      ),
    }),
    { maxLength: 25, size: 'max' },
  ),
  spent: fc.uniqueArray(
    fc.record({
      date: fc
        .integer({ min: 26, max: 45 })
        .map((day) => new Date(Date.UTC(2025, 2, day)).toISOString().slice(0, 10)),
      cost: cents,
      currency,
    }),
    { selector: (row) => row.date, maxLength: 8 },
  ),
});
const questions = fc.record({
  zone: fc.constantFrom(
    'UTC',
    'Europe/London',
    'Australia/Lord_Howe',
    'America/St_Johns',
    'Asia/Kathmandu',
    'Pacific/Kiritimati',
  ),
  ends: fc.tuple(instants, instants),
  interval: fc.constantFrom('d', 'w', 'M', 'y'),
});
type Facts = typeof facts extends fc.Arbitrary<infer F> ? F : never;
type Question = typeof questions extends fc.Arbitrary<infer Q> ? Q : never;

const zonedAt = (zone: string, instant: number) =>
  Temporal.Instant.fromEpochMilliseconds(instant * 1000).toZonedDateTimeISO(zone);

/** The start of the calendar's bucket that a date lies in. */
function bucketStart(date: Temporal.PlainDate, interval: string): string {
  if (interval === 'd') return date.toString();
  if (interval === 'w') return date.subtract({ days: date.dayOfWeek - 1 }).toString();
  return date.with(interval === 'M' ? { day: 1 } : { month: 1, day: 1 }).toString();
}

/** The rows as they follow from going through customers and orders one by one. */
function expected(
  { orders, spent, channelCurrency: target }: Facts,
  { zone, ends, interval }: Question,
): string[] {
  const [from, to] = [Math.min(...ends), Math.max(...ends)];
  const dateOf = (instant: number) => zonedAt(zone, instant).toPlainDate();
  const bucketOf = (date: Temporal.PlainDate) => bucketStart(date, interval);
  const starts: string[] = [];
  for (
    let date = dateOf(from);
    Temporal.PlainDate.compare(date, dateOf(to)) <= 0;
    date = date.add({ days: 1 })
  ) {
    if (starts.at(-1) !== bucketOf(date)) starts.push(bucketOf(date));
  }

  const customers = new Map<string, { first: number; orders: number; revenue: Decimal }>();
  for (const { customer, purchasedAt, lines } of orders) {
    const counted = lines.filter(({ status }) => status !== 'Canceled');
    if (!counted.some(({ isNamed }) => isNamed)) continue;
    const known = customers.get(customer) ?? {
      first: purchasedAt,
      orders: 0,
      revenue: new Exact(0),
    };
    known.first = Math.min(known.first, purchasedAt);
    known.orders += 1;
    for (const { itemPrice, currency } of counted) {
      known.revenue = known.revenue.plus(
        converted(itemPrice, currency, target, dateOf(purchasedAt).toString()),
      );
    }
    customers.set(customer, known);
  }

  const places = target === 'JPY' ? 0 : 2;
  const sum = (values: readonly Decimal[]) =>
    values.reduce((total, value) => total.plus(value), new Exact(0));
  const ratio = (part: Decimal.Value, whole: Decimal.Value, places: number) =>
    new Exact(whole).gt(0) ? new Exact(part).div(whole).toFixed(places) : '';
  return starts.map((start, place) => {
    const cohort = [...customers.values()].filter(
      ({ first }) => first >= from && first <= to && bucketOf(dateOf(first)) === start,
    );
    const repeating = cohort.filter(({ orders }) => orders > 1);
    const revenue = sum(cohort.map((customer) => customer.revenue));
    const repeatRevenue = sum(repeating.map((customer) => customer.revenue));
    const placed = cohort.reduce((total, customer) => total + customer.orders, 0);
    const cost = sum(
      spent
        .filter(({ date }) => date >= dateOf(from).toString() && date <= dateOf(to).toString())
        .filter(({ date }) => bucketOf(Temporal.PlainDate.from(date)) === start)
        .map(({ date, cost, currency }) => converted(cost, currency, target, date)),
    );
    const begins =
      place === 0 ? zonedAt(zone, from) : Temporal.PlainDate.from(start).toZonedDateTime(zone);
    return [
      begins.toString({ timeZoneName: 'never', fractionalSecondDigits: 3 }),
      revenue.toFixed(places),
      repeatRevenue.toFixed(places),
      ratio(repeatRevenue.times(100), revenue, 2),
      cohort.length,
      repeating.length,
      ratio(repeating.length * 100, cohort.length, 2),
      ratio(revenue, cohort.length, places),
      ratio(repeatRevenue, repeating.length, places),
      cost.toFixed(places),
      ratio(cost, cohort.length, places),
      cohort.length === 0 ? '' : ratio(revenue, cost, 4),
      placed - cohort.length,
      ratio(placed, cohort.length, 4),
      target,
    ].join(' ');
  });
}

onRandomFacts('Lifetime value of random customers', (world) => {
  before(async () => {
    const rates = currencies.flatMap((currency) =>
      published[currency]!.map(([date, perEuro]) => ({ date, currency, perEuro })),
    );
    await importRows(
      world(),
      'exchangeRates',
      undefined,
      rates.filter(({ currency }) => currency !== 'EUR'),
    );
  });

  test('Foreign prices that add up to nothing are converted all the same; a price of nothing needs no rate', async () => {
    const tenant = await world().tenant();
    const order = (
      orderId: string,
      purchasedAt: string,
      itemPrice: string,
      currency: string,
      buyer: string,
    ) => ({
      ...{
        orderId,
        lineId: '1',
        purchasedAt,
        quantity: 1,
        itemPrice,
        currency,
        buyerEmail: `${buyer}@example.com`,
      },
    });
    await importRows(world(), 'orderLines', tenant.channelId, [
      order('1', '2025-02-10T12:00:00Z', '1.00', 'USD', 'ann'),
      order('2', '2025-03-28T12:01:00Z', '-10.00', 'GBP', 'ann'),
      order('3', '2025-03-28T12:14:00Z', '10.00', 'GBP', 'bob'),
      order('4', '2025-03-28T12:14:00Z', '0', 'CHF', 'cleo'),
    ]);
    // 10.00 GBP are 10.00 / 0.8437 x 1.0713 = 12.6976 USD.
    const found = named(
      await csvOf(world(), tenant, 'customerLifetimeValue', days('2025-02-01', '2025-03-31')),
    );
    assert.deepEqual(
      found.map(({ totalRevenue, totalCustomers }) => [totalRevenue, totalCustomers]),
      [
        ['-11.70', '1'],
        ['12.70', '2'],
      ],
    );
  });

  test('equals a plain recomputation, whatever the zone, the range, the cohorts and the currencies', async () => {
    await fc.assert(
      fc.asyncProperty(
        facts,
        fc.array(questions, { minLength: 3, maxLength: 3 }),
        async (drawn, askedList) => {
          const one = (code: string) => (drawn.isNative ? drawn.channelCurrency : code);
          const given: Facts = {
            ...drawn,
            orders: drawn.orders.map((order) => ({
              ...order,
              lines: order.lines.map((line) => ({ ...line, currency: one(line.currency) })),
            })) as Facts['orders'],
            spent: drawn.spent.map((row) => ({
              ...row,
              currency: one(row.currency),
            })) as Facts['spent'],
          };
          const tenant = await world().tenant({
            channel: { timezone: 'Europe/Rome', currency: given.channelCurrency },
          });
          const lines = given.orders.flatMap(({ customer, purchasedAt, lines }, order) =>
            lines.map(({ isNamed, ...line }, place) => ({
              ...line,
              orderId: `${order}`,
              lineId: `${place}`,
              purchasedAt,
              itemTax: '1.00',
              buyerEmail: isNamed ? `${customer}@example.com` : '',
            })),
          );
          if (lines.length > 0) await importRows(world(), 'orderLines', tenant.channelId, lines);
          const campaigns = given.spent.map((row) => ({ ...row, campaignId: '1' }));
          if (campaigns.length > 0)
            await importRows(world(), 'campaignDays', tenant.channelId, campaigns);
          for (const asked of askedList) {
            const [fromDate, toDate] = [Math.min(...asked.ends), Math.max(...asked.ends)];
            const found = await cohorts(world(), tenant, {
              fromDate,
              toDate,
              timezone: asked.zone,
              interval: asked.interval,
            });
            assert.deepEqual(found, expected(given, asked), JSON.stringify(asked));
          }
        },
      ),
      { numRuns: triesOn(world(), { embedded: 10, served: 4 }) },
    );
  });
});
