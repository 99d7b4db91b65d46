/** Facts and rows of the report of customer lifetime value, and its plain recomputation. */
import type { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { customerLifetimeValue } from '../../src/endpoints/reports/create/customerLifetimeValue/report.ts';
import { wallTime } from '../randomFacts.ts';
import { rowsOf } from '../table.ts';
import { days, startOfPeriod } from '../world.ts';
import { type Currency, converted, exact, placesOf, ratio, sumOf } from './exact.ts';
import { cents } from './random.ts';
import type { Drawn, Recomputation } from './recomputation.ts';
import type { Conformance } from './report.ts';
import { optionsOf } from './windows.ts';

/** Order lines of a tax of 3.00, at noon in UTC unless they have a time. */
export const orderLines = (csv: string) =>
  rowsOf(csv).map((row, place) => ({
    ...{ orderId: `order-${place}`, lineId: '1', quantity: 1, itemTax: '3.00', ...row },
    purchasedAt: row.purchasedAt.includes('T') ? row.purchasedAt : `${row.purchasedAt}T12:00:00Z`,
  }));

/** The options of a period from the start of a date through the end of another one. */
export const localDays = (first: string, last: string, timezone = 'America/New_York') =>
  days(first, last, timezone);

/** When customers bought, and how that is shown. */
export const lifetimeConformance: Conformance = {
  reportType: 'customerLifetimeValue',
  table: customerLifetimeValue,
  channel: { timezone: 'Asia/Tokyo' },
  facts: {
    // Who buys once, who comes back, and when, in the shape of a sample of customers as it is used
    // to teach lifetime value. The last of ann's three orders is after every period that is asked
    // for; the first of cleo is in New York still of the last of January; dan is there a customer
    // since the last second of the year before; eve's first order came to nothing, and one line of
    // her second one; of gus one line names the buyer of an order, and another has other letters.
    orderLines: orderLines(`
      buyerEmail,          purchasedAt,          itemPrice, status,   orderId, lineId
      ann@example.com,     2025-01-05,           10.00,
      ann@example.com,     2025-02-10,           20.00,     Pending,
      ann@example.com,     2025-06-01,           30.00,
      bob@example.com,     2025-01-20,           15.50,
      cleo@example.com,    2025-02-01T03:00:00Z, 4.50,
      cleo@example.com,    2025-03-01,           5.50,
      dan@example.com,     2025-01-01T04:59:59Z, 100.00,
      dan@example.com,     2025-01-15,           50.00,
      eve@example.com,     2025-01-10,           70.00,     Canceled,
      eve@example.com,     2025-03-02,           40.00,     ,         two,     "1"
      eve@example.com,     2025-03-02,           99.00,     Canceled, two,     "2"
      fay@example.com,     2025-03-03,           70.00,     Canceled,
      "",                  2025-01-11,           77.00,
      gus@example.com,     2025-03-15,           12.34,     ,         half,    "1"
      "",                  2025-03-15,           7.66,      ,         half,    "2"
      " GUS@Example.com ", 2025-03-20,           1.00,`),
    campaignDays: rowsOf(`
      date,       campaignId, cost,  impressions, clicks
      2024-12-31, "1",        99.00, 10,          1
      2025-01-01, "1",        30.00, 10,          1
      2025-01-31, "1",        4.00,  10,          1
      2025-01-31, "2",        6.00,  10,          1
      2025-03-31, "1",        5.00,  10,          1
      2025-04-30, "1",        8.00,  10,          1
      2025-05-01, "1",        99.00, 10,          1`),
  },
  columns:
    'startTime,totalRevenue,repeatCustomersRevenue,repeatRevenuePercentage,totalCustomers,' +
    'repeatCustomers,repeatCustomersPercentage,averageLTV,averageRepeatLTV,adSpend,cac,' +
    'ltvCacRatio,repeatPurchases,purchaseFrequency,currency',
  questions: [
    {
      options: localDays('2025-01-01', '2025-04-30'),
      // ann 60.00 in 3 orders, bob 15.50 in 1, cleo 10.00 in 2; eve 40.00 in 1, gus 21.00 in 2.
      rows: `
        2025-01-01T00:00:00.000-05:00|85.50|70.00|81.87|3|2|66.67|28.50|35.00|40.00|13.33|2.1375|3|2.0000|USD
        2025-02-01T00:00:00.000-05:00|0.00|0.00||0|0||||0.00|||0||USD
        2025-03-01T00:00:00.000-05:00|61.00|21.00|34.43|2|1|50.00|30.50|21.00|5.00|2.50|12.2000|1|1.5000|USD
        2025-04-01T00:00:00.000-04:00|0.00|0.00||0|0||||8.00|||0||USD`,
    },
    {
      // The first and the last cohort are clipped: who came before in the same month is in none.
      options: localDays('2025-01-10', '2025-03-14'),
      // bob 15.50 in 1, cleo 10.00 in 2; 10.00 were spent from the 10th on.
      rows: `
        2025-01-10T00:00:00.000-05:00|25.50|10.00|39.22|2|1|50.00|12.75|10.00|10.00|5.00|2.5500|1|1.5000|USD
        2025-02-01T00:00:00.000-05:00|0.00|0.00||0|0||||0.00|||0||USD
        2025-03-01T00:00:00.000-05:00|40.00|0.00|0.00|1|0|0.00|40.00||0.00|0.00||0|1.0000|USD`,
    },
    {
      // Cohorts may be of other lengths, and belong to the calendar of the zone that is asked for.
      options: { ...localDays('2024-01-01', '2025-12-31', 'UTC'), interval: 'year' },
      // All six: 60.00, 15.50, 10.00, 150.00, 40.00, 21.00 in 3, 1, 2, 2, 1, 2 orders; 152.00 were
      // spent.
      rows: `
        2024-01-01T00:00:00.000+00:00|0.00|0.00||0|0||||99.00|||0||USD
        2025-01-01T00:00:00.000+00:00|296.50|241.00|81.28|6|4|66.67|49.42|60.25|152.00|25.33|1.9507|5|1.8333|USD`,
    },
    {
      options: { ...localDays('2025-01-01', '2025-01-14'), interval: 'w' },
      // ann alone, with 30.00 spent in her week.
      rows: `
        2025-01-01T00:00:00.000-05:00|60.00|60.00|100.00|1|1|100.00|60.00|60.00|30.00|30.00|2.0000|2|3.0000|USD
        2025-01-06T00:00:00.000-05:00|0.00|0.00||0|0||||0.00|||0||USD
        2025-01-13T00:00:00.000-05:00|0.00|0.00||0|0||||0.00|||0||USD`,
    },
  ],
  // A channel without any order has a row for each cohort all the same.
  empty: `
    2025-01-01T00:00:00.000-05:00|0.00|0.00||0|0||||0.00|||0||USD
    2025-02-01T00:00:00.000-05:00|0.00|0.00||0|0||||0.00|||0||USD
    2025-03-01T00:00:00.000-05:00|0.00|0.00||0|0||||0.00|||0||USD
    2025-04-01T00:00:00.000-04:00|0.00|0.00||0|0||||0.00|||0||USD
  `,
  // In UTC dan came in that year, with 150.00 in 2 orders, and cleo in February.
  zone: {
    options: localDays('2025-01-01', '2025-04-30', 'UTC'),
    first: '2025-01-01T00:00:00.000+00:00|225.50|210.00|93.13|3|2|',
  },
};

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

const given = (currency: fc.Arbitrary<Currency>) =>
  fc.record({
    orders: fc.array(
      fc.record({
        customer: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
        purchasedAt: instants,
        lines: fc.array(
          fc.record({
            isNamed: fc.constantFrom(true, true, true, false),
            status: fc.constantFrom('Shipped', 'Shipped', 'Pending', 'Canceled'),
            itemPrice: cents(),
            currency,
          }),
          { minLength: 1, maxLength: 3 },
        ),
      }),
      { minLength: 8, maxLength: 25, size: 'max' },
    ),
    spent: fc.uniqueArray(
      fc.record({
        date: fc
          .integer({ min: 26, max: 45 })
          .map((day) => new Date(Date.UTC(2025, 2, day)).toISOString().slice(0, 10)),
        cost: cents(),
        currency,
      }),
      { selector: (row) => row.date, minLength: 2, maxLength: 8 },
    ),
  });
const asked = fc.record({
  zone: fc.constantFrom(
    ...['UTC', 'Europe/London', 'Australia/Lord_Howe', 'America/St_Johns', 'Asia/Kathmandu'],
    'Pacific/Kiritimati',
  ),
  span: fc.tuple(instants, instants).map((ends) => [Math.min(...ends), Math.max(...ends)] as const),
  interval: fc.constantFrom('d', 'w', 'M', 'y'),
});

type Given = Drawn<typeof given>;
type Asked = Drawn<typeof asked>;

/** The rows as they follow from going through customers and orders one by one. */
function expected(
  { orders, spent }: Given,
  { zone, span: [from, to], interval }: Asked,
  target: Currency,
): string[] {
  const dateOf = (instant: number) => wallTime(zone, instant).toPlainDate();
  const bucketOf = (date: Temporal.PlainDate) => startOfPeriod(interval, date).toString();
  const starts: string[] = [];
  const count = dateOf(from).until(dateOf(to)).days + 1;
  for (let days = 0; days < count; days++) {
    const start = bucketOf(dateOf(from).add({ days }));
    if (starts.at(-1) !== start) starts.push(start);
  }

  const customers = new Map<string, { first: number; orders: number; revenue: Decimal }>();
  for (const { customer, purchasedAt, lines } of orders) {
    const counted = lines.filter(({ status }) => status !== 'Canceled');
    if (!counted.some(({ isNamed }) => isNamed)) continue;
    const fresh = { first: purchasedAt, orders: 0, revenue: exact(0) };
    const known = customers.get(customer) ?? fresh;
    known.first = Math.min(known.first, purchasedAt);
    known.orders += 1;
    const date = dateOf(purchasedAt).toString();
    for (const { itemPrice, currency } of counted)
      known.revenue = known.revenue.plus(converted(itemPrice, currency, target, date));
    customers.set(customer, known);
  }

  const places = placesOf(target);
  return starts.map((start, place) => {
    const cohort = [...customers.values()].filter(
      ({ first }) => first >= from && first <= to && bucketOf(dateOf(first)) === start,
    );
    const repeating = cohort.filter(({ orders }) => orders > 1);
    const revenue = sumOf(cohort.map((customer) => customer.revenue));
    const repeatRevenue = sumOf(repeating.map((customer) => customer.revenue));
    const placed = cohort.reduce((total, customer) => total + customer.orders, 0);
    const cost = sumOf(
      spent
        .filter(({ date }) => date >= dateOf(from).toString() && date <= dateOf(to).toString())
        .filter(({ date }) => bucketOf(Temporal.PlainDate.from(date)) === start)
        .map(({ date, cost, currency }) => converted(cost, currency, target, date)),
    );
    const begins =
      place === 0 ? wallTime(zone, from) : Temporal.PlainDate.from(start).toZonedDateTime(zone);
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
    ].join('|');
  });
}

/** Lifetime value of random customers. */
export const lifetimeRecomputation: Recomputation<Given, Asked> = {
  reportType: 'customerLifetimeValue',
  table: customerLifetimeValue,
  given,
  asked,
  facts: ({ orders, spent }) => ({
    orderLines: orders.flatMap(({ customer, purchasedAt, lines }, order) =>
      lines.map(({ isNamed, ...line }, place) => ({
        ...{ ...line, orderId: `${order}`, lineId: `${place}`, purchasedAt, itemTax: '1.00' },
        buyerEmail: isNamed ? `${customer}@example.com` : '',
      })),
    ),
    campaignDays: spent.map((row) => ({ ...row, campaignId: '1' })),
  }),
  options: ({ zone: timezone, span, interval }) => ({ ...optionsOf([span]), timezone, interval }),
  expected,
};
