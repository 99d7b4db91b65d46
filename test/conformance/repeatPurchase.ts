/** Facts and rows of the report of repeat purchases, and its plain recomputation. */
import type { Decimal } from 'decimal.js';
import fc from 'fast-check';
import {
  customersByPages,
  repeatPurchase,
} from '../../src/endpoints/reports/create/repeatPurchase/report.ts';
import { rowsOf } from '../table.ts';
import { byBytes, type Currency, converted, exact, placesOf, ratio, sumOf } from './exact.ts';
import { catalogue, cents, inputOfOrders, instants, productsOf } from './random.ts';
import type { Drawn, Recomputation } from './recomputation.ts';
import { conformanceOf } from './report.ts';
import { dateOf, isIn, optionsOf, type Span } from './windows.ts';

/** Order lines with a tax of 1.00, each of an order of its own unless it names one. */
export const orderLines = (csv: string) =>
  rowsOf(csv).map((row, place) => ({
    orderId: `order-${place}`,
    lineId: '1',
    quantity: 1,
    itemTax: '1.00',
    ...row,
  }));

/** Purchases of customers, and how they are shown. */
export const repeatConformance = {
  ...conformanceOf('repeatPurchase', {}, { orderLines }),
  table: repeatPurchase,
  byPages: customersByPages,
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
type Input = Drawn<typeof inputOfOrders>;
type Line = Given['orders'][number]['lines'][number];

/** The rows as they follow from going through products, customers and orders one by one. */
function expected(
  { products, ...given }: Given,
  { timezone, includeTax, spans }: Input,
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
export const repeatRecomputation: Recomputation<Given, Input> = {
  reportType: 'repeatPurchase',
  table: customersByPages(2),
  given,
  input: inputOfOrders,
  facts: ({ products, orders }) => ({
    products,
    orderLines: orders.flatMap(({ at, buyer, lines }, index) =>
      lines.map(({ isNamed, ...line }, place) => ({
        ...line,
        purchasedAt: at,
        orderId: `O${index}`,
        lineId: String(place),
        quantity: 1,
        buyerEmail: isNamed ? `${buyer}@example.com` : '',
      })),
    ),
  }),
  options: ({ spans, ...more }) => ({ ...optionsOf(spans), ...more }),
  expected,
};
