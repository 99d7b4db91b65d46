/** Facts and rows of the report of repeat purchases, and its plain recomputation. */
import type { Decimal } from 'decimal.js';
import fc from 'fast-check';
import {
  customersByPages,
  repeatPurchase,
} from '../../src/endpoints/reports/create/repeatPurchase/report.ts';
import { rowsOf } from '../table.ts';
import { byBytes, type Currency, converted, exact, placesOf, ratio, sumOf } from './exact.ts';
import { askedOfOrders, catalogue, cents, instants, productsOf } from './random.ts';
import type { Drawn, Recomputation } from './recomputation.ts';
import { type Conformance, marchInNewYork } from './report.ts';
import { dateOf, isIn, optionsOf, type Span } from './windows.ts';

/** Order lines with a tax of 1.00, each of an order of its own unless it names one. */
export const orderLines = (csv: string) =>
  rowsOf(csv).map((row, place) => ({
    ...{ orderId: `order-${place}`, lineId: '1', quantity: 1, itemTax: '1.00' },
    ...row,
  }));

/** Purchases of customers, and how they are shown. */
export const repeatConformance: Conformance = {
  reportType: 'repeatPurchase',
  table: repeatPurchase,
  byPages: customersByPages,
  facts: {
    products: rowsOf(`
      sku, productId, title
      L-2, B0LAMP,    "Lamp, ""small"""
      L-1, B0LAMP,    ""
      M-1, ,          =Mug
      C-1, B0C,       C
      E-1, B0E,       E`),
    // ann comes twice in March, for two offers of one product, and for the first time in its first
    // second; bob once in March and once before: neither new nor a repeat customer; of cleo one
    // order of two lines is one order, and another line of it names the buyer. Cancelled lines,
    // those of no known buyer and one after the period count nowhere. bob bought three times in
    // February, not for the first time, and never in March. The last ones are known by the
    // catalogue, by nothing, by their product alone, and not at all.
    orderLines: orderLines(`
      buyerEmail,         purchasedAt,               sku,    itemPrice, productId, status,   orderId, lineId
      ann@example.com,    2025-03-01T00:00:00-05:00, L-1,    20.00,     B0LAMP,
      " ANN@Example.com", 2025-03-31T23:59:59-04:00, L-2,    25.00,     B0LAMP,
      bob@example.com,    2025-02-28T23:59:59-05:00, L-1,    20.00,     B0LAMP,
      bob@example.com,    2025-03-10T12:00:00Z,      L-1,    22.50,     B0LAMP,
      cleo@example.com,   2025-03-12T12:00:00Z,      L-1,    10.00,     B0LAMP,    ,         two,     "1"
      "",                 2025-03-12T12:00:00Z,      L-1,    12.50,     B0LAMP,    ,         two,     "2"
      cleo@example.com,   2025-03-20T12:00:00Z,      L-1,    1000.00,   B0LAMP,    Canceled,
      cleo@example.com,   2025-01-20T12:00:00Z,      L-1,    1000.00,   B0LAMP,    Canceled,
      "",                 2025-03-20T12:00:00Z,      L-1,    1000.00,   B0LAMP,
      "",                 2025-03-20T12:00:00Z,      nobody, 1000.00,
      cleo@example.com,   2025-04-01T00:00:00-04:00, L-1,    1000.00,   B0LAMP,
      bob@example.com,    2025-01-31T23:59:59-05:00, M-1,    5.00,
      bob@example.com,    2025-02-01T00:00:00-05:00, M-1,    5.00,      ,          Pending,
      bob@example.com,    2025-02-02T00:00:00Z,      M-1,    5.00,      ,          Pending,
      bob@example.com,    2025-02-03T00:00:00Z,      M-1,    5.00,      ,          Pending,
      ann@example.com,    2025-03-05T00:00:00Z,      C-1,    7.00,
      ann@example.com,    2025-03-06T00:00:00Z,      D-1,    8.00,
      ann@example.com,    2025-03-06T00:00:00Z,      "",     9.00,      B0E,
      ann@example.com,    2025-03-07T00:00:00Z,      "",     9.00,`),
  },
  columns:
    'productSku,title,totalSales,priorTotalSales,repeatCustomerSales,priorRepeatCustomerSales,' +
    'repeatSalesPercentage,priorRepeatSalesPercentage,totalCustomers,priorTotalCustomers,' +
    'newCustomers,priorNewCustomers,repeatCustomers,priorRepeatCustomers,' +
    'repeatCustomersPercentage,priorRepeatCustomersPercentage,salesPerCustomer,' +
    'salesPerRepeatCustomer,currency',
  questions: [
    {
      options: marchInNewYork,
      // 45.00 of ann, 22.50 of bob, 22.50 of cleo; ann and cleo are new, ann came back.
      rows: `
        B0LAMP|Lamp, "small"|90.00|20.00|45.00|0.00|50.00|0.00|3|1|2|1|1|0|33.33|0.00|30.00|45.00|USD
        B0C|C|7.00|0.00|0.00|0.00|0.00||1|0|1|0|0|0|0.00||7.00||USD
        B0E|E|9.00|0.00|0.00|0.00|0.00||1|0|1|0|0|0|0.00||9.00||USD
        D-1||8.00|0.00|0.00|0.00|0.00||1|0|1|0|0|0|0.00||8.00||USD
        M-1|'=Mug|0.00|15.00|0.00|15.00||100.00|0|1|0|0|0|1||100.00|||USD`,
      before: ['M-1|'],
    },
    {
      options: { ...marchInNewYork, includeTax: true },
      // Five lines of lamps in March: 47.00 of ann, 23.50 of bob and 24.50 of cleo.
      rows: `
        B0LAMP|Lamp, "small"|95.00|21.00|47.00|0.00|49.47|0.00|3|1|2|1|1|0|33.33|0.00|31.67|47.00|USD
        B0C|C|8.00|0.00|0.00|0.00|0.00||1|0|1|0|0|0|0.00||8.00||USD
        B0E|E|10.00|0.00|0.00|0.00|0.00||1|0|1|0|0|0|0.00||10.00||USD
        D-1||9.00|0.00|0.00|0.00|0.00||1|0|1|0|0|0|0.00||9.00||USD
        M-1|'=Mug|0.00|18.00|0.00|18.00||100.00|0|1|0|0|0|1||100.00|||USD`,
      before: ['M-1|'],
    },
  ],
};

const given = (currency: fc.Arbitrary<Currency>) =>
  fc.record({
    products: catalogue(fc.constantFrom('P1', 'P2', '')),
    orders: fc.array(
      fc.record({
        at: instants,
        buyer: fc.constantFrom('u', 'v', 'w'),
        lines: fc.array(
          fc.record({
            isNamed: fc.constantFrom(true, true, false),
            sku: fc.constantFrom('a', 'B', 'É', ''),
            productId: fc.constantFrom('P1', 'P2', ''),
            status: fc.constantFrom('Shipped', 'Shipped', 'Pending', 'Canceled'),
            itemPrice: cents(),
            itemTax: cents(),
            currency,
          }),
          { minLength: 1, maxLength: 3 },
        ),
      }),
      { minLength: 5, maxLength: 20, size: 'max' },
    ),
  });

type Given = Drawn<typeof given>;
type Asked = Drawn<typeof askedOfOrders>;
type Line = Given['orders'][number]['lines'][number];

/** The rows as they follow from going through products, customers and orders one by one. */
function expected(
  { products, ...given }: Given,
  { timezone, includeTax, spans }: Asked,
  target: Currency,
): string[] {
  const places = placesOf(target);
  const until = Math.max(...spans.map(([, to]) => to));
  const orders = given.orders
    .map((one) => ({ ...one, lines: one.lines.filter(({ status }) => status !== 'Canceled') }))
    .filter(({ at }) => at <= until);
  const lines = orders.flatMap(({ at, lines }) => lines.map((one) => ({ ...one, at })));
  const knownAs = productsOf(lines, products);
  const productOf = ({ sku, productId }: Line) => (sku === '' ? productId : knownAs(sku) || sku);
  const bySku = [...products].sort((a, b) => byBytes(a.sku, b.sku));
  const titleOf = (name: string) => {
    const titled = bySku.filter(({ title }) => title !== '');
    const found = titled.find(({ productId }) => productId === name);
    return (found ?? titled.find(({ sku }) => sku === name))?.title ?? '';
  };
  const known = orders.filter(({ lines }) => lines.some(({ isNamed }) => isNamed));
  const buyers = [...new Set(known.map(({ buyer }) => buyer))];
  const paid = (at: number, { itemPrice, itemTax, currency }: Line) => {
    const amount = exact(itemPrice).plus(includeTax ? itemTax : 0);
    return converted(amount, currency, target, dateOf(at, timezone));
  };

  /** The orders of a product by a customer, each with its sales. */
  const boughtBy = (buyer: string, name: string) =>
    known
      .filter((one) => one.buyer === buyer)
      .map(({ at, lines }) => ({ at, lines: lines.filter((one) => productOf(one) === name) }))
      .filter(({ lines }) => lines.length > 0)
      .map(({ at, lines }) => ({ at, sales: sumOf(lines.map((one) => paid(at, one))) }));
  const figuresOf = (name: string, span: Span<number>) => {
    const figures = { customers: 0, fresh: 0, repeat: 0 };
    let [sales, repeatSales] = [exact(0), exact(0)];
    for (const buyer of buyers) {
      const bought = boughtBy(buyer, name);
      const inside = bought.filter(({ at }) => isIn(span, at));
      if (inside.length === 0) continue;
      const spent = sumOf(inside.map((one) => one.sales));
      figures.customers += 1;
      sales = sales.plus(spent);
      if (bought.every(({ at }) => at >= span[0])) figures.fresh += 1;
      if (inside.length < 2) continue;
      figures.repeat += 1;
      repeatSales = repeatSales.plus(spent);
    }
    return { ...figures, sales, repeatSales };
  };
  const percent = (part: Decimal.Value, whole: Decimal.Value) =>
    ratio(exact(part).times(100), whole, 2);
  const cellsOf = (name: string, span: Span<number> | undefined): string[] => {
    if (span === undefined) return Array(7).fill('');
    const { customers, fresh, repeat, sales, repeatSales } = figuresOf(name, span);
    return [
      ...[sales.toFixed(places), repeatSales.toFixed(places), percent(repeatSales, sales)],
      ...[String(customers), String(fresh), String(repeat), percent(repeat, customers)],
    ];
  };
  return [...new Set(lines.map(productOf).filter((name) => name !== ''))]
    .map((name) => ({ name, all: spans.map((span) => figuresOf(name, span)) }))
    .filter(({ all }) => all.some(({ customers }) => customers > 0))
    .sort((a, b) => b.all[0]!.customers - a.all[0]!.customers || byBytes(a.name, b.name))
    .map(({ name, all }) => {
      const [now, before] = [cellsOf(name, spans[0]), cellsOf(name, spans[1])];
      const { sales, customers, repeatSales, repeat } = all[0]!;
      return [
        ...[name, titleOf(name)],
        ...now.flatMap((cell, place) => [cell, before[place]!]),
        ...[ratio(sales, customers, places), ratio(repeatSales, repeat, places), target],
      ].join('|');
    });
}

/** Repeat purchases of random customers. */
export const repeatRecomputation: Recomputation<Given, Asked> = {
  reportType: 'repeatPurchase',
  table: customersByPages(2),
  given,
  asked: askedOfOrders,
  facts: ({ products, orders }) => ({
    products,
    orderLines: orders.flatMap(({ at, buyer, lines }, index) =>
      lines.map(({ isNamed, ...line }, place) => ({
        ...{ ...line, purchasedAt: at, orderId: `O${index}`, lineId: String(place) },
        ...{ quantity: 1, buyerEmail: isNamed ? `${buyer}@example.com` : '' },
      })),
    ),
  }),
  options: ({ spans, ...more }) => ({ ...optionsOf(spans), ...more }),
  expected,
};
