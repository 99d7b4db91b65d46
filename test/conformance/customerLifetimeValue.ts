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
import { conformanceOf } from './report.ts';
import { optionsOf } from './windows.ts';

/** Order lines of a tax of 3.00, at noon in UTC unless they have a time. */
export const orderLines = (csv: string) =>
  rowsOf(csv).map((row, place) => ({
    orderId: `order-${place}`,
    lineId: '1',
    quantity: 1,
    itemTax: '3.00',
    ...row,
    purchasedAt: row.purchasedAt.includes('T') ? row.purchasedAt : `${row.purchasedAt}T12:00:00Z`,
  }));

/** The options of a period from the start of a date through the end of another one. */
export const localDays = (first: string, last: string, timezone = 'America/New_York') =>
  days(first, last, timezone);

/** When customers bought, and how that is shown. */
export const lifetimeConformance = {
  ...conformanceOf(
    'customerLifetimeValue',
    { channel: { timezone: 'Asia/Tokyo' } },
    { orderLines },
  ),
  table: customerLifetimeValue,
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
const input = fc.record({
  zone: fc.constantFrom(
    ...['UTC', 'Europe/London', 'Australia/Lord_Howe', 'America/St_Johns', 'Asia/Kathmandu'],
    'Pacific/Kiritimati',
  ),
  span: fc.tuple(instants, instants).map((ends) => [Math.min(...ends), Math.max(...ends)] as const),
  interval: fc.constantFrom('d', 'w', 'M', 'y'),
});

type Given = Drawn<typeof given>;
type Input = Drawn<typeof input>;

/** The rows as they follow from going through customers and orders one by one. */
function expected(
  { orders, spent }: Given,
  { zone, span: [from, to], interval }: Input,
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
export const lifetimeRecomputation: Recomputation<Given, Input> = {
  reportType: 'customerLifetimeValue',
  table: customerLifetimeValue,
  given,
  input,
  facts: ({ orders, spent }) => ({
    orderLines: orders.flatMap(({ customer, purchasedAt, lines }, order) =>
      lines.map(({ isNamed, ...line }, place) => ({
        ...line,
        orderId: `${order}`,
        lineId: `${place}`,
        purchasedAt,
        itemTax: '1.00',
        buyerEmail: isNamed ? `${customer}@example.com` : '',
      })),
    ),
    campaignDays: spent.map((row) => ({ ...row, campaignId: '1' })),
  }),
  options: ({ zone: timezone, span, interval }) => ({ ...optionsOf([span]), timezone, interval }),
  expected,
};
