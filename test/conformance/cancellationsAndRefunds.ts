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
import { askedOfOrders, catalogue, cents, few, instants, productsOf } from './random.ts';
import type { Drawn, Recomputation } from './recomputation.ts';
import { type Conformance, marchInNewYork } from './report.ts';
import { dateOf, isIn, optionsOf, type Span } from './windows.ts';

/** Order lines, each of an order of its own. */
export const orderLines = (csv: string) =>
  rowsOf(csv).map((row, place) => ({ orderId: `order-${place}`, lineId: '1', ...row }));

/** Refunds of an item's price, unless they say otherwise. */
export const refunds = (csv: string) =>
  rowsOf(csv).map((row, place) => ({
    ...{ eventId: `event-${place}`, line: 'refunds', code: 'Principal' },
    ...row,
  }));

/** Orders and refunds of a seller, and how they are shown. */
export const refundsConformance: Conformance = {
  reportType: 'cancellationsAndRefunds',
  table: cancellationsAndRefunds,
  byPages: refundsByPages,
  facts: {
    // The product of B0E was sold without a SKU.
    products: rowsOf(`
      sku, productId, title,               linkUrl,               imageUrl
      A-1, B0A,       "Lamp, ""small""",   https://x.example/a,
      A-2, B0A,       Other,               ,                      https://x.example/a2.jpg
      C-1, B0C,       =C,                  ,
      E-1, B0E,       E,                   ,`),
    // 3 + 2 units for 60 + 40, of which 2 units for 40 cancelled; and another SKU of the product.
    // The last second of February, an hour later in UTC than in summer, and the first. Then what
    // the catalogue knows, what nothing knows, what is known by its product alone, and not at all.
    // The last two are outside of both periods.
    orderLines: orderLines(`
      purchasedAt,               sku, quantity, itemPrice, itemTax, productId, status
      2025-03-01T00:00:00-05:00, A-1, 3,        60.00,     6.00,    B0A,
      2025-03-12T10:00:00Z,      A-1, 2,        40.00,     4.00,    B0A,       Canceled
      2025-03-31T23:59:59-04:00, A-2, 1,        25.00,     ,        B0A,
      2025-02-28T23:59:59-05:00, A-1, 4,        80.00,     ,        B0A,
      2025-02-01T00:00:00-05:00, A-2, 1,        25.00,     ,        B0A,       Canceled
      2025-03-05T00:00:00Z,      C-1, 2,        10.00,     ,        ,
      2025-03-05T00:00:00Z,      D-1, 1,        7.50,      ,        ,
      2025-03-05T00:00:00Z,      "",  1,        3.00,      ,        B0E,
      2025-03-05T00:00:00Z,      "",  1,        2.00,      ,        ,          Canceled
      2025-04-01T00:00:00-04:00, A-1, 1000,     1000.00,   ,        B0A,
      2025-01-31T23:59:59-05:00, A-1, 1000,     1000.00,   ,        B0A,`),
    // Of 60 that stayed, 20 and tax of 2 came back, less 1.50 of a promotion. Then what was ordered
    // before both periods, and what is not of any product. The last one is no refund.
    financeEvents: refunds(`
      postedAt,                  sku, quantity, amount,  tax,   code,      line
      2025-03-20T00:00:00Z,      A-1, 1,        -20.00,  -2.00, ,
      2025-03-20T00:00:00Z,      A-1, 0,        1.50,    ,      Promotion,
      2025-02-10T00:00:00Z,      A-2, 1,        -25.00,  ,      ,
      2025-03-31T23:59:59-04:00, F-1, 2,        -30.00,  ,      ,
      2025-03-31T00:00:00Z,      "",  0,        -4.00,   ,      ,
      2025-04-01T00:00:00-04:00, A-1, 500,      -500.00, ,      ,
      2025-03-20T00:00:00Z,      A-1, 9,        999.00,  ,      ,          sales`),
  },
  columns:
    'productId,asin,title,imageUrl,linkUrl,grossSales,priorGrossSales,' +
    'cancelledSales,priorCancelledSales,cancelRate,priorCancelRate,netSales,priorNetSales,' +
    'grossQty,priorGrossQty,refundedSales,priorRefundedSales,unitsRefunded,priorUnitsRefunded,' +
    'refundRate,priorRefundRate,refundRateUnits,priorRefundRateUnits,unitsCancelled,' +
    'priorUnitsCancelled,currency',
  questions: [
    {
      options: marchInNewYork,
      // 40 of 100 cancelled, 18.50 of 60 refunded, 1 of 3 units; before: 80, all of which stayed.
      // Without any product: 2.00, all of it cancelled, and a refund of 4.00.
      rows: `
        A-1|B0A|Lamp, "small"|https://x.example/a2.jpg|https://x.example/a|100.00|80.00|40.00|0.00|40.00|0.00|60.00|80.00|5|4|18.50|0.00|1|0|30.83|0.00|33.33|0.00|2|0|USD
        C-1|B0C|'=C|||10.00|0.00|0.00|0.00|0.00||10.00|0.00|2|0|0.00|0.00|0|0|0.00||0.00||0|0|USD
        |||||2.00|0.00|2.00|0.00|100.00||0.00|0.00|1|0|4.00|0.00|0|0|||||1|0|USD
        A-2|B0A|Other|https://x.example/a2.jpg|https://x.example/a|25.00|25.00|0.00|25.00|0.00|100.00|25.00|0.00|1|1|0.00|25.00|0|1|0.00||0.00||0|1|USD
        B0E|B0E|E|||3.00|0.00|0.00|0.00|0.00||3.00|0.00|1|0|0.00|0.00|0|0|0.00||0.00||0|0|USD
        D-1|||||7.50|0.00|0.00|0.00|0.00||7.50|0.00|1|0|0.00|0.00|0|0|0.00||0.00||0|0|USD
        F-1|||||0.00|0.00|0.00|0.00|||0.00|0.00|0|0|30.00|0.00|2|0|||||0|0|USD`,
    },
    {
      options: {
        ...{ fromDate: marchInNewYork.priorFromDate, toDate: marchInNewYork.priorToDate },
        timezone: marchInNewYork.timezone,
      },
      rows: `
        A-1|B0A|Lamp, "small"|https://x.example/a2.jpg|https://x.example/a|80.00||0.00||0.00||80.00||4||0.00||0||0.00||0.00||0||USD
        A-2|B0A|Other|https://x.example/a2.jpg|https://x.example/a|25.00||25.00||100.00||0.00||1||25.00||1||||||1||USD`,
    },
  ],
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
type Asked = Drawn<typeof askedOfOrders>;
type Item = { readonly at: number; readonly currency: Currency };

/** A part of a row of the report: an amount and units of a SKU or else of a product. */
type Counted = { at: number; name: string; amount: Decimal; quantity: number };

/** The rows as they follow from going through orders and refunds one by one. */
function expected(
  { products, ...given }: Given,
  { timezone, includeTax, spans }: Asked,
  target: Currency,
): string[] {
  const places = placesOf(target);
  const inAny = <Fact extends Item>(all: readonly Fact[]) =>
    all.filter(({ at }) => spans.some((span) => isIn(span, at)));
  const lines = inAny(given.lines);
  const refunded = inAny(given.events).filter(({ line }) => line === 'refunds');
  const knownAs = productsOf(lines, products);
  const items = [
    ...lines.map(({ sku, productId }) => ({ sku, productId, name: sku || productId })),
    ...refunded.map(({ sku }) => ({ sku, productId: '', name: sku })),
  ];
  const bySku = [...products].sort((a, b) => byBytes(a.sku, b.sku));
  const inTarget = (amount: string, tax: string, { currency, at }: Item) =>
    converted(exact(amount).plus(includeTax ? tax : 0), currency, target, dateOf(at, timezone));
  const priced = lines.map((one) => ({
    ...one,
    name: one.sku || one.productId,
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
  const cellsOf = (name: string, span: Span<number> | undefined): string[] => {
    if (span === undefined) return Array(10).fill('');
    const gross = counted(priced, name, span);
    const canceled = counted(canceledOnes, name, span);
    const back = counted(paidBack, name, span);
    const net = gross.amount.minus(canceled.amount);
    const percent = (part: Decimal.Value, whole: Decimal.Value) =>
      ratio(exact(part).times(100), whole, 2);
    return [
      ...[plain(gross.amount, places), plain(canceled.amount, places)],
      ...[percent(canceled.amount, gross.amount), plain(net, places), String(gross.units)],
      ...[plain(back.amount, places), String(back.units), percent(back.amount, net)],
      ...[percent(back.units, gross.units - canceled.units), String(canceled.units)],
    ];
  };
  const asinOf = (name: string) =>
    items
      .filter((item) => item.name === name)
      .map(({ sku, productId }) => (sku === '' ? productId : knownAs(sku)))
      .sort(byBytes)
      .at(-1)!;
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
export const refundsRecomputation: Recomputation<Given, Asked> = {
  reportType: 'cancellationsAndRefunds',
  table: refundsByPages(2),
  given,
  asked: askedOfOrders,
  facts: ({ products, lines, events }) => ({
    products,
    orderLines: lines.map(({ at, ...one }, index) => ({
      ...{ ...one, purchasedAt: at, orderId: `O${index}`, lineId: '1' },
    })),
    financeEvents: events.map(({ at, ...one }, index) => ({
      ...{ ...one, postedAt: at, eventId: `E${index}`, code: 'x' },
    })),
  }),
  options: ({ spans, ...more }) => ({ ...optionsOf(spans), ...more }),
  expected,
};
