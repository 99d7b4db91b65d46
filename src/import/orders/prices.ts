/**
 * The prices of order lines, which do not include tax. Documents of marketplaces state them with or
 * without it. The document decides which, if it can, otherwise the channel.
 */
import { amountText, type ColumnValue, millionthsOf } from '../cells/fields.ts';
import { canceled, type Item, type OrderLine } from './lines.ts';

/**
 * How the tax of an order line was read: `document` if the source says what is tax, `included`
 * or `added` if the channel decided, `unstated` if prices include a tax that the document does not
 * state. Lines of earlier versions, and rows of `orderLines`, have "".
 */
type TaxBasis = 'document' | 'included' | 'added' | 'unstated';

/** No sales tax is higher, in percent. */
const percentMax = 45n;
/** A cent in millionths. */
const cent = 10_000n;

/** How a document states prices: `net` without tax, `stated` perhaps with tax in them. */
export type Prices = 'net' | 'stated';

/** An order whose prices are to be read. */
type Order = {
  readonly items: readonly Item[];
  /** The order's total, in millionths, if it is known. */
  readonly total: bigint | undefined;
  /** Whether prices include tax if the document leaves it open. */
  readonly channelIncludes: boolean;
};

/**
 * The columns of each item of an order as an order line has them, with prices without tax; or the
 * reason to reject the order, if the tax of an item cannot be in its price.
 */
export function pricedItems({ items, total, channelIncludes }: Order): readonly Item[] | string {
  if (items.every(({ stated }) => stated === undefined)) return items;
  const byTotal = total === undefined ? undefined : includesByTotal(items, total);
  // If an order states the tax of one item, it states the tax of all: the others have none.
  const hasTax = items.some(({ stated }) => stated?.hasTax);
  const priced: Item[] = [];
  for (const [place, item] of items.entries()) {
    const prices = pricesOf(item, hasTax, byTotal ?? channelIncludes, byTotal);
    if (prices === undefined && !item.isCanceled)
      return `has a tax of item ${place + 1} that its price cannot include: set pricesIncludeTax of the channel to false if prices come without tax`;
    priced.push({ ...item, columns: { ...item.columns, ...prices } });
  }
  return priced;
}

/** Whether the prices of an order include tax, if its total equals only one of the two sums. */
function includesByTotal(items: readonly Item[], total: bigint): boolean | undefined {
  let sum = 0n;
  let taxes = 0n;
  for (const { columns, isCanceled, stated } of items) {
    if (isCanceled) continue;
    const { ShippingDiscount, ShippingTax, GiftWrapPrice, GiftWrapTax } = stated?.amounts ?? {};
    sum += millionths(columns.item_price) + millionths(columns.shipping_price);
    sum += (GiftWrapPrice ?? 0n) - millionths(columns.promotion_discount);
    sum -= ShippingDiscount ?? 0n;
    taxes += millionths(columns.item_tax) + (ShippingTax ?? 0n) + (GiftWrapTax ?? 0n);
  }
  if (taxes === 0n || (sum !== total && sum + taxes !== total)) return undefined;
  return sum === total;
}

function pricesOf(
  { columns, stated }: Item,
  hasTax: boolean,
  mayInclude: boolean,
  byTotal: boolean | undefined,
): (Readonly<Record<string, ColumnValue>> & { readonly tax_basis?: TaxBasis }) | undefined {
  if (stated === undefined) return {};
  const { NetItemPrice: ownNet, NetShippingPrice, ShippingTax } = stated.amounts;
  const price = millionths(columns.item_price);
  const tax = millionths(columns.item_tax);
  // If the document has the price without tax, that is the price.
  const isOwnNet =
    ownNet !== undefined && ownNet > 0n && (ownNet < price || (ownNet === price && tax > 0n));
  const includes = isOwnNet ? ownNet < price : mayInclude;
  if (!includes) return { tax_basis: isOwnNet || byTotal === false ? 'document' : 'added' };
  const discount = millionths(columns.promotion_discount);
  // The tax of nothing says nothing about the tax in the price.
  const isFree = discount > 0n && discount >= price && tax === 0n;
  if (!isOwnNet && (!hasTax || isFree)) return { tax_basis: 'unstated' };
  if (!isOwnNet && price >= 0n && (tax < 0n || tax > price)) return undefined;
  const shipping = millionths(columns.shipping_price);
  const base = taxedPart(price, discount, tax, stated.amounts.PromotionDiscountTax ?? 0n);
  const net = isOwnNet ? ownNet : base > 0n ? share(price, base, base + tax) : price - tax;
  return {
    item_price: amountText(net),
    item_tax: amountText(price - net),
    promotion_discount: amountText(price > 0n ? share(discount, net, price) : discount),
    shipping_price: amountText(
      shipping === 0n ? 0n : (NetShippingPrice ?? shipping - (ShippingTax ?? 0n)),
    ),
    tax_basis: isOwnNet || byTotal ? 'document' : 'included',
  };
}

/**
 * The part of a price that its tax is based on: the price after the discount, or before it if the
 * document states the discount's tax separately, because the rate would otherwise be higher than
 * any.
 */
function taxedPart(price: bigint, discount: bigint, tax: bigint, discountTax: bigint): bigint {
  const after = price - discount - tax;
  const taxOfDiscount = price > 0n ? share(tax, discount, price) : 0n;
  const difference = taxOfDiscount - discountTax;
  const isStated = discountTax > 0n && (difference < 0n ? -difference : difference) <= cent;
  return isStated || tax * 100n > after * percentMax ? price - tax : after;
}

/** An amount times part / whole, rounded half away from zero to millionths. */
export function share(amount: bigint, part: bigint, whole: bigint): bigint {
  const product = 2n * amount * part;
  const rounded = ((product < 0n ? -product : product) + whole) / (2n * whole);
  return product < 0n ? -rounded : rounded;
}

/**
 * Why items without a price cannot be read; undefined if all may be. An order that is pending, and
 * a replacement, has items without a price.
 */
export function missingPrice(
  items: readonly Item[],
  { status, isReplacement }: { readonly status: string; readonly isReplacement: boolean },
): string | undefined {
  if (isReplacement || status === canceled || status.startsWith('Pending')) return undefined;
  const place = items.findIndex(
    ({ columns, isCanceled, hasPrice }) => !hasPrice && !isCanceled && columns.quantity !== 0,
  );
  if (place < 0) return undefined;
  return `has no price for item ${place + 1} of its order: only pending orders, cancelled items and items of quantity 0 may lack it`;
}

function millionths(amount: OrderLine[string] | undefined): bigint {
  return typeof amount === 'bigint' ? amount : millionthsOf(String(amount ?? 0));
}
