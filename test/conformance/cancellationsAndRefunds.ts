/** Facts and rows of the report of cancellations and refunds, and its plain recomputation. */
import type { Decimal } from 'decimal.js';
import fc from 'fast-check';
import {
  cancellationsAndRefunds,
  refundsByPages,
} from '../../src/endpoints/reports/create/cancellationsAndRefunds/report.ts';
import { rowsOf } from '../table.ts';
import {
  byBytes,
  type Currency,
  converted,
  exact,
  placesOf,
  plain,
  ratio,
  sumOf,
} from './exact.ts';
import { catalogue, cents, few, inputOfOrders, instants, ownSkuOf, productsOf } from './random.ts';
import type { Drawn, Recomputation } from './recomputation.ts';
import { conformanceOf } from './report.ts';
import { dateOf, isIn, optionsOf, type Span } from './windows.ts';

/** Order lines, each of an order of its own. */
export const orderLines = (csv: string) =>
  rowsOf(csv).map((row, place) => ({ orderId: `order-${place}`, lineId: '1', ...row }));

/** Refunds of an item's price, unless they say otherwise. */
export const refunds = (csv: string) =>
  rowsOf(csv).map((row, place) => ({
    eventId: `event-${place}`,
    line: 'refunds',
    code: 'Principal',
    ...row,
  }));

/** Orders and refunds of a seller, and how they are shown. */
export const refundsConformance = {
  ...conformanceOf('cancellationsAndRefunds', {}, { orderLines, financeEvents: refunds }),
  table: cancellationsAndRefunds,
  byPages: refundsByPages,
};

const productIds = fc.constantFrom('P1', 'P2', 'a', '');
const skus = fc.constantFrom('a', 'B', 'É', '');

const given = (currency: fc.Arbitrary<Currency>) =>
  fc.record({
    products: catalogue(productIds),
    lines: fc.array(
      fc.record({
        at: instants,
        sku: skus,
        productId: productIds,
        status: fc.constantFrom('Shipped', 'Pending', 'Canceled'),
        quantity: few,
        itemPrice: cents(),
        itemTax: cents(),
        currency,
      }),
      { minLength: 5, maxLength: 15, size: 'max' },
    ),
    events: fc.array(
      fc.record({
        at: instants,
        sku: skus,
        line: fc.constantFrom('refunds', 'refunds', 'sales'),
        quantity: few,
        amount: cents(-99_999),
        tax: cents().map((amount) => `-${amount}`),
        currency,
      }),
      { minLength: 3, maxLength: 10, size: 'max' },
    ),
  });

type Given = Drawn<typeof given>;
type Input = Drawn<typeof inputOfOrders>;
type Item = { readonly at: number; readonly currency: Currency };

/** A part of a row of the report: an amount and units of a SKU or else of a product. */
type Counted = { at: number; name: string; amount: Decimal; quantity: number };

/** The rows as they follow from going through orders and refunds one by one. */
function expected(
  { products, ...given }: Given,
  { timezone, includeTax, spans }: Input,
  target: Currency,
): string[] {
  const places = placesOf(target);
  const inAny = <Fact extends Item>(all: readonly Fact[]) =>
    all.filter(({ at }) => spans.some((span) => isIn(span, at)));
  const lines = inAny(given.lines);
  const refunded = inAny(given.events).filter(({ line }) => line === 'refunds');
  const knownAs = productsOf(lines, products);
  const nameOf = (one: Given['lines'][number]) => ownSkuOf(one, products) || one.productId;
  const items = [
    ...lines.map((one) => ({ ...one, name: nameOf(one) })),
    ...refunded.map(({ sku }) => ({ sku, productId: '', name: sku })),
  ];
  const bySku = [...products].sort((a, b) => byBytes(a.sku, b.sku));
  const inTarget = (amount: string, tax: string, { currency, at }: Item) =>
    converted(exact(amount).plus(includeTax ? tax : 0), currency, target, dateOf(at, timezone));
  const priced = lines.map((one) => ({
    ...one,
    name: nameOf(one),
    amount: inTarget(one.itemPrice, one.itemTax, one),
  }));
  const canceledOnes = priced.filter(({ status }) => status === 'Canceled');
  const paidBack = refunded.map((one) => {
    const amount = inTarget(one.amount, one.tax, one).neg();
    return { ...one, name: one.sku, amount };
  });
  const counted = (all: readonly Counted[], name: string, span: Span<number>) => {
    const own = all.filter((one) => isIn(span, one.at) && one.name === name);
    const units = own.reduce((sum, { quantity }) => sum + quantity, 0);
    return { amount: sumOf(own.map(({ amount }) => amount)), units };
  };
  const firstDates = given.lines.map(({ at }) => dateOf(at, timezone)).sort();
  const isUncovered = ([, to]: Span<number>) => !(firstDates[0]! <= dateOf(to, timezone));
  const cellsOf = (name: string, span: Span<number> | undefined): string[] => {
    if (span === undefined) return Array(10).fill('');
    const gross = counted(priced, name, span);
    const canceled = counted(canceledOnes, name, span);
    const back = counted(paidBack, name, span);
    const net = gross.amount.minus(canceled.amount);
    const percent = (part: Decimal.Value, whole: Decimal.Value) =>
      ratio(exact(part).times(100), whole, 2);
    const refunds = [plain(back.amount, places), String(back.units)];
    // Where no order line is known yet, nor is any sale.
    if (isUncovered(span)) return [...Array(5).fill(''), ...refunds, '', '', ''];
    return [
      ...[plain(gross.amount, places), plain(canceled.amount, places)],
      ...[percent(canceled.amount, gross.amount), plain(net, places), String(gross.units)],
      ...[...refunds, percent(back.amount, net)],
      ...[percent(back.units, gross.units - canceled.units), String(canceled.units)],
    ];
  };
  const asinOf = (name: string) => {
    const own = items.filter((item) => item.name === name);
    const others = own.filter(({ sku }) => sku === '').map(({ productId }) => productId);
    const withSku = own.find(({ sku }) => sku !== '');
    return (withSku && knownAs(withSku.sku)) || (others.sort(byBytes).at(-1) ?? '');
  };
  const titleOf = (name: string) => {
    const own = bySku.filter(({ sku }) => sku === name && items.some((item) => item.sku === sku));
    const others = bySku.filter(({ productId }) => productId !== '' && productId === asinOf(name));
    return [...own, ...others].find(({ title }) => title !== '')?.title ?? '';
  };
  return [...new Set(items.map(({ name }) => name))]
    .map((name) => ({ name, ...counted(priced, name, spans[0]!) }))
    .sort((a, b) => b.units - a.units || byBytes(a.name, b.name))
    .map(({ name }) => {
      const [now, before] = [cellsOf(name, spans[0]), cellsOf(name, spans[1])];
      const compared = now.flatMap((cell, place) => [cell, before[place]!]);
      return [name, asinOf(name), titleOf(name), '', '', ...compared, target].join('|');
    });
}

/** Cancellations and refunds of random orders. */
export const refundsRecomputation: Recomputation<Given, Input> = {
  reportType: 'cancellationsAndRefunds',
  table: refundsByPages(2),
  given,
  input: inputOfOrders,
  facts: ({ products, lines, events }) => ({
    products,
    orderLines: lines.map(({ at, ...one }, index) => ({
      ...one,
      purchasedAt: at,
      orderId: `O${index}`,
      lineId: '1',
    })),
    financeEvents: events.map(({ at, ...one }, index) => ({
      ...one,
      postedAt: at,
      eventId: `E${index}`,
      code: 'x',
    })),
  }),
  options: ({ spans, ...more }) => ({ ...optionsOf(spans), ...more }),
  expected,
};
