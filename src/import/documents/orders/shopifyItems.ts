/** Items of Shopify's orders in either API, under the names of the contract. */
import { amount, amountText, CellError, millionthsOf } from '../../cells/fields.ts';
import { listIn, part } from '../../cells/json.ts';
import { sumOf, unitsIn } from '../../cells/money.ts';
import { share } from '../../orders/prices.ts';
import { connected, idOf, shopAmount, shopCurrency } from './shopifyShapes.ts';

/** 1 in millionths. */
const one = 1_000_000n;
const failed = new Set(['failure', 'error']);

/** A tax of an item or of shipping; its share of the price if the document states it. */
type Tax = { readonly amount: unknown; readonly rate: unknown };

/** An item of an order of either API. Amounts are as written. */
export type Item = {
  readonly id: unknown;
  readonly sku: unknown;
  readonly productId: unknown;
  readonly title: unknown;
  readonly vendor: unknown;
  readonly quantity: unknown;
  /** The units that are neither removed by an edit nor refunded, if the document states them. */
  readonly currentQuantity: unknown;
  readonly unitPrice: unknown;
  /** For all units; some exports have only this. */
  readonly totalPrice: unknown;
  readonly taxes: readonly Tax[];
  readonly discounts: readonly unknown[];
  readonly isGiftCard: boolean;
  readonly isTip: boolean;
};

/** Shipping of an order, with its taxes. */
type Shipping = { readonly price: unknown; readonly taxes: readonly Tax[] };

/** The values on which an order's items depend. The first item takes the order's shipping. */
export type Terms = {
  readonly taxesIncluded: boolean;
  readonly currency: unknown;
  /** The units that refunds took back, by item; undefined if the document has no refunds. */
  readonly refunded: ReadonlyMap<string, number> | undefined;
  /** Whether money was given back, as far as the payment status shows. */
  readonly isRefunded: boolean;
  shipping: readonly Shipping[] | undefined;
};

/** Whether an item is a product. Tips and gift cards are not. */
export function isProduct({ isGiftCard, isTip }: Item): boolean {
  return !isGiftCard && !isTip;
}

/** An item of the REST API. */
export function itemOfRest(item: unknown): Item {
  const allocations = listIn(item, 'discount_allocations') ?? [];
  return {
    ...shared(item),
    id: part(item, 'id'),
    productId: part(item, 'product_id'),
    currentQuantity: part(item, 'current_quantity'),
    unitPrice: shopAmount(part(item, 'price_set')) ?? part(item, 'price'),
    totalPrice: undefined,
    taxes: taxesOf(item),
    discounts:
      allocations.length > 0
        ? allocations.map((one) => shopAmount(part(one, 'amount_set')) ?? part(one, 'amount'))
        : [shopAmount(part(item, 'total_discount_set')) ?? part(item, 'total_discount')],
    isGiftCard: part(item, 'gift_card') === true,
    isTip: isTip(item, part(item, 'product_id')),
  };
}

/** An item of the GraphQL API. */
export function itemOfGraph(item: unknown): Item {
  const allocations = listIn(item, 'discountAllocations') ?? [];
  const productId = part(item, 'product', 'id');
  return {
    ...shared(item),
    id: idOf(part(item, 'id')),
    productId: productId && idOf(productId),
    currentQuantity: part(item, 'currentQuantity'),
    unitPrice: shopAmount(part(item, 'originalUnitPriceSet')) ?? part(item, 'originalUnitPrice'),
    totalPrice: shopAmount(part(item, 'originalTotalSet')) ?? part(item, 'originalTotal'),
    taxes: taxesOf(item),
    discounts:
      allocations.length > 0
        ? allocations.map((one) => shopAmount(part(one, 'allocatedAmountSet')))
        : [shopAmount(part(item, 'totalDiscountSet')) ?? part(item, 'totalDiscount')],
    isGiftCard: part(item, 'isGiftCard') === true,
    isTip: isTip(item, productId),
  };
}

function shared(item: unknown) {
  return {
    sku: part(item, 'sku'),
    title: part(item, 'title'),
    vendor: part(item, 'vendor'),
    quantity: part(item, 'quantity'),
  };
}

/** Only the REST API marks a tip; elsewhere it is an item with that name and without a product. */
function isTip(item: unknown, productId: unknown): boolean {
  const isNamed = /^tip$/i.test(String(part(item, 'title') ?? part(item, 'name') ?? ''));
  return (part(item, 'tip') ?? undefined) !== undefined
    ? true
    : isNamed && !productId && !part(item, 'sku');
}

function taxesOf(item: unknown): Tax[] {
  return (listIn(item, 'tax_lines') ?? listIn(item, 'taxLines') ?? []).map((tax) => ({
    amount:
      shopAmount(part(tax, 'price_set')) ?? shopAmount(part(tax, 'priceSet')) ?? part(tax, 'price'),
    rate: part(tax, 'rate'),
  }));
}

/**
 * The terms of an order. Shipping is what the buyer paid before discounts, from the shipping lines
 * or else from the order's total.
 */
export function termsOf(order: unknown, shippingLines: readonly unknown[]): Terms {
  const byLine = shippingLines
    .filter((line) => part(line, 'is_removed') !== true && part(line, 'isRemoved') !== true)
    .map((line) => ({
      price:
        shopAmount(part(line, 'price_set')) ??
        shopAmount(part(line, 'originalPriceSet')) ??
        part(line, 'price'),
      taxes: taxesOf(line),
    }));
  const total =
    shopAmount(part(order, 'total_shipping_price_set')) ??
    shopAmount(part(order, 'totalShippingPriceSet'));
  const whole = total === undefined ? undefined : [{ price: total, taxes: [] }];
  const paid = part(order, 'financial_status') ?? part(order, 'displayFinancialStatus') ?? null;
  return {
    taxesIncluded: part(order, 'taxes_included') === true || part(order, 'taxesIncluded') === true,
    currency:
      part(order, 'currency') ??
      part(order, 'currencyCode') ??
      shopCurrency(part(order, 'totalPriceSet')),
    refunded: refundedUnits(order),
    isRefunded: paid === null || /refunded$/i.test(String(paid)),
    shipping: byLine.length > 0 ? byLine : whole,
  };
}

/** The units of each item that refunds took back. A refund made by an edit takes nothing back. */
function refundedUnits(order: unknown): ReadonlyMap<string, number> | undefined {
  const refunds = listIn(order, 'refunds');
  if (refunds === undefined) return undefined;
  const units = new Map<string, number>();
  for (const refund of refunds) {
    const gaveMoney = hasMoney(refund);
    const items = listIn(refund, 'refund_line_items') ?? connected(refund, 'refundLineItems');
    for (const item of items) {
      const restock = part(item, 'restock_type') ?? part(item, 'restockType');
      if (!gaveMoney && !/^return$/i.test(String(restock))) continue;
      const id = idOf(part(item, 'line_item_id') ?? part(item, 'lineItem', 'id'));
      units.set(id, (units.get(id) ?? 0) + unitsIn(part(item, 'quantity')));
    }
  }
  return units;
}

/** Whether a refund gave money back; true if the document does not say. */
function hasMoney(refund: unknown): boolean {
  const total = shopAmount(part(refund, 'totalRefundedSet'));
  if (total !== undefined) return Number(total) !== 0;
  const transactions = listIn(refund, 'transactions');
  return (
    transactions === undefined ||
    transactions.some((one) => !failed.has(String(part(one, 'status')).toLowerCase()))
  );
}

/** The units of an item that were sold: edits count, returns do not. */
function soldUnits(item: Item, { refunded, isRefunded }: Terms): number {
  const ordered = unitsIn(item.quantity);
  const current = item.currentQuantity ?? undefined;
  if (current === undefined || (refunded === undefined && isRefunded)) return ordered;
  return Math.min(ordered, unitsIn(current) + (refunded?.get(idOf(item.id)) ?? 0));
}

/** An item under the names of the contract. The first item of an order takes all of its shipping. */
export function contractItem(item: Item, terms: Terms): Record<string, unknown> {
  const { shipping, taxesIncluded } = terms;
  terms.shipping = undefined;
  const ordered = unitsIn(item.quantity);
  const sold = soldUnits(item, terms);
  const ofSold = (value: unknown) =>
    sold === ordered || ordered === 0
      ? value
      : exactly(value, (whole) => share(whole, BigInt(sold), BigInt(ordered)));
  const { unitPrice } = item;
  const price =
    unitPrice === undefined || unitPrice === null || unitPrice === ''
      ? ofSold(item.totalPrice)
      : exactly(unitPrice, (each) => each * BigInt(sold));
  const discount = ofSold(sumOf(item.discounts));
  const tax = ofSold(sumOf(item.taxes.map((one) => one.amount)));
  const rate = taxesIncluded ? rateOf(item.taxes, price, discount, tax) : 0n;
  const net = exactly(price, (whole) => share(whole, one, one + rate));
  return {
    OrderItemId: item.id,
    SellerSKU: item.sku,
    ASIN: item.productId,
    Title: item.title,
    // As written where it need not change, so that the checks see it.
    QuantityOrdered: sold === ordered ? item.quantity : sold,
    ItemPrice: { Amount: net, CurrencyCode: terms.currency },
    ItemTax: taxesIncluded ? exactly(price, (whole) => whole - (read(net) ?? whole)) : tax,
    ShippingPrice: shipping && sumOf(shipping.map((line) => netShipping(line, taxesIncluded))),
    PromotionDiscount: exactly(discount, (whole) => share(whole, one, one + rate)),
  };
}

function netShipping({ price, taxes }: Shipping, taxesIncluded: boolean): unknown {
  if (!taxesIncluded) return price;
  const rate = rateOf(taxes, price, '0', sumOf(taxes.map((tax) => tax.amount)));
  return exactly(price, (whole) => share(whole, one, one + rate));
}

/**
 * The rate of the tax in a price, in millionths: as the tax lines state it, or else computed from
 * their amounts and the discounted price.
 */
function rateOf(taxes: readonly Tax[], price: unknown, discount: unknown, tax: unknown): bigint {
  const paid = (read(price) ?? 0n) - (read(discount) ?? 0n);
  const taken = read(tax) ?? 0n;
  if (taxes.length === 0 || (taken === 0n && paid > 0n)) return 0n;
  const rates = taxes.map(({ rate }) => read(rate));
  // Taxes on taxes amount to more than their rates.
  if (rates.every((rate) => rate !== undefined) && !isCompound(paid, taken, rates))
    return rates.reduce((sum, rate) => sum + rate, 0n);
  return paid > taken ? share(taken, one, paid - taken) : 0n;
}

/** Whether one of several taxes is also a tax on the others, according to their amounts. */
function isCompound(paid: bigint, taken: bigint, rates: readonly bigint[]): boolean {
  if (rates.length < 2 || paid <= 0n) return false;
  const { sum, product } = rates.reduce(
    (all, rate) => ({ sum: all.sum + rate, product: share(all.product, one + rate, one) }),
    { sum: 0n, product: one },
  );
  const distance = (rate: bigint) => {
    const difference = taken - share(paid, rate, one + rate);
    return difference < 0n ? -difference : difference;
  };
  return distance(product - one) < distance(sum);
}

/** Computes with an amount. An unreadable one stays as it is, for the checks to refuse. */
function exactly(value: unknown, use: (millionths: bigint) => bigint): unknown {
  const known = read(value);
  return known === undefined ? value : amountText(use(known));
}

function read(value: unknown): bigint | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const decimal = amount.read(value);
  return decimal instanceof CellError ? undefined : millionthsOf(String(decimal));
}
