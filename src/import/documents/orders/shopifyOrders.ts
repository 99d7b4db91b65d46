/**
 * Orders of a Shopify shop: bodies of the Admin REST API, and the bulk export of the GraphQL Admin API, where a line is an order or a part of
 * one that names its order. Amounts are in the shop's own currency. Names differ between the two, so both are first made one.
 */
import { type Desk, type DocumentKind, listIn, part } from '../kind.ts';
import { differenceOf, sumOf, timesOf } from './orderAmounts.ts';

/** How many orders of an export are held open for more of their parts. */
const ordersOpenMax = 2000;
/** Of how many orders of an export is remembered what their later parts need to know. */
const ordersToldMax = 100_000;
const unpaid = new Set(['pending', 'authorized']);

/** An item of an order, under one name for both interfaces; amounts as they were told. */
type Item = {
  readonly id: unknown;
  readonly sku: unknown;
  readonly productId: unknown;
  readonly title: unknown;
  readonly vendor: unknown;
  readonly quantity: unknown;
  readonly unitPrice: unknown;
  readonly taxes: readonly unknown[];
  readonly discounts: readonly unknown[];
  readonly isGiftCard: boolean;
};

/** What the items of an order need to know of it. */
type Terms = { readonly taxesIncluded: boolean; readonly currency: unknown; shipping: unknown };

/** An order of an export whose parts are being gathered. */
type Open = {
  readonly order: unknown;
  readonly lines: number[];
  readonly items: Item[];
  readonly shipping: unknown[];
};

type Products = Map<string, { readonly product: Record<string, unknown>; readonly line: number }>;

/** Shopify orders of either interface. */
export const shopifyOrders: DocumentKind = {
  name: 'shopifyOrders',
  about:
    'Shopify orders with their line items (Admin REST API, JSON; or bulk export of the GraphQL Admin API, JSONL)',
  tables: ['order_record', 'order_line', 'products'],
  ofChannel: true,
  recognises: (value) => isOrder((bodyOf(value) ?? [value])[0]),
  rowsOf: bodyOf,
  read(desk) {
    const products: Products = new Map();
    const open = new Map<string, Open>();
    const told = new Map<string, Terms | 'refused'>();

    function close(id: string, { order, lines, items, shipping }: Open): void {
      open.delete(id);
      const terms = termsOf(order, shipping);
      // An export without line items, or one whose line items are yet to come, tells of the order alone.
      const isTaken = tell(order, lines, items.length > 0 ? items : undefined, terms, desk);
      if (isTaken) for (const item of items) noteProduct(item, lines[0]!, products);
      if (told.size >= ordersToldMax) told.delete(told.keys().next().value!);
      told.set(id, isTaken ? terms : 'refused');
    }

    function takePart(value: unknown, parentId: string, line: number): void {
      const type = typeOf(part(value, 'id'));
      // An item that was exported without its id is one all the same: the order is refused, as it cannot be told again.
      const isItem =
        type === 'LineItem' || (type === undefined && part(value, 'quantity') !== undefined);
      const order = open.get(parentId);
      if (order) {
        order.lines.push(line);
        if (isItem) order.items.push(itemOfGraph(value));
        else if (type === 'ShippingLine') order.shipping.push(value);
        return;
      }
      // Parts of other things, and of parts, are passed over.
      if (!isItem && type !== 'ShippingLine') return;
      const terms = told.get(parentId);
      if (terms === 'refused') desk.reject(line, 'belongs to an order that was refused');
      else if (terms === undefined || !isItem)
        desk.reject(
          line,
          'comes too long after its order, or without it: export with grouped objects',
        );
      else {
        const item = itemOfGraph(value);
        noteProduct(item, line, products);
        desk.orders.items(idOf(parentId), item.isGiftCard ? [] : [contractItem(item, terms)], line);
      }
    }

    return {
      value(value, line) {
        const parentId = part(value, '__parentId');
        if (typeof parentId === 'string') {
          takePart(value, parentId, line);
        } else if (!isOrder(value)) {
          desk.reject(line, 'is no order');
        } else if (isGraph(value)) {
          open.set(String(part(value, 'id')), {
            order: value,
            lines: [line],
            items: connected(value, 'lineItems').map(itemOfGraph),
            shipping: connected(value, 'shippingLines'),
          });
          if (open.size > ordersOpenMax) close(...open.entries().next().value!);
        } else {
          const items = listIn(value, 'line_items')?.map(itemOfRest);
          if (
            tell(value, [line], items, termsOf(value, listIn(value, 'shipping_lines') ?? []), desk)
          ) {
            for (const item of items ?? []) noteProduct(item, line, products);
          }
        }
      },
      async end() {
        for (const [id, order] of open) close(id, order);
        await desk.orders.settle();
        const held = await desk.productsHeld([...products.keys()]);
        for (const [sku, { product, line }] of products)
          if (!held.has(sku)) desk.byTheWay('products').object(product, line);
      },
    };
  },
};

function bodyOf(value: unknown): readonly unknown[] | undefined {
  const order = part(value, 'order');
  return order === undefined ? listIn(value, 'orders') : [order];
}

/** Whether it is an order of either interface: those of other makers have neither of these fields. */
function isOrder(value: unknown): boolean {
  return (
    isGraph(value) ||
    (part(value, 'id') !== undefined &&
      (listIn(value, 'line_items') ?? part(value, 'financial_status')) !== undefined)
  );
}

function isGraph(value: unknown): boolean {
  return typeOf(part(value, 'id')) === 'Order';
}

/** What a global id (gid://shopify/Order/1) is of. */
function typeOf(id: unknown): string | undefined {
  return typeof id === 'string' ? /^gid:\/\/shopify\/(\w+)\//.exec(id)?.[1] : undefined;
}

/** The number of a global id, which is the id that the other interface gives. */
function idOf(id: unknown): string {
  return String(id ?? '')
    .replace(/^gid:\/\/shopify\/\w+\//, '')
    .replace(/\?.*$/, '');
}

/** What a connection holds that was not taken apart. */
function connected(value: unknown, name: string): unknown[] {
  const nodes =
    listIn(part(value, name), 'nodes') ??
    listIn(part(value, name), 'edges')?.map((edge) => part(edge, 'node'));
  return [...(nodes ?? [])];
}

/** The amount of a money set in the shop's currency, of either interface. */
function shopAmount(set: unknown): unknown {
  return part(set, 'shop_money', 'amount') ?? part(set, 'shopMoney', 'amount');
}

function shopCurrency(set: unknown): unknown {
  return part(set, 'shop_money', 'currency_code') ?? part(set, 'shopMoney', 'currencyCode');
}

function itemOfRest(item: unknown): Item {
  const allocations = listIn(item, 'discount_allocations') ?? [];
  return {
    id: part(item, 'id'),
    sku: part(item, 'sku'),
    productId: part(item, 'product_id'),
    title: part(item, 'title'),
    vendor: part(item, 'vendor'),
    quantity: part(item, 'quantity'),
    unitPrice: shopAmount(part(item, 'price_set')) ?? part(item, 'price'),
    taxes: (listIn(item, 'tax_lines') ?? []).map(
      (tax) => shopAmount(part(tax, 'price_set')) ?? part(tax, 'price'),
    ),
    discounts:
      allocations.length > 0
        ? allocations.map((one) => shopAmount(part(one, 'amount_set')) ?? part(one, 'amount'))
        : [shopAmount(part(item, 'total_discount_set')) ?? part(item, 'total_discount')],
    isGiftCard: part(item, 'gift_card') === true,
  };
}

function itemOfGraph(item: unknown): Item {
  const allocations = listIn(item, 'discountAllocations') ?? [];
  return {
    id: idOf(part(item, 'id')),
    sku: part(item, 'sku'),
    productId: part(item, 'product', 'id') && idOf(part(item, 'product', 'id')),
    title: part(item, 'title'),
    vendor: part(item, 'vendor'),
    quantity: part(item, 'quantity'),
    unitPrice: shopAmount(part(item, 'originalUnitPriceSet')) ?? part(item, 'originalUnitPrice'),
    taxes: (listIn(item, 'taxLines') ?? []).map(
      (tax) => shopAmount(part(tax, 'priceSet')) ?? part(tax, 'price'),
    ),
    discounts:
      allocations.length > 0
        ? allocations.map((one) => shopAmount(part(one, 'allocatedAmountSet')))
        : [shopAmount(part(item, 'totalDiscountSet')) ?? part(item, 'totalDiscount')],
    isGiftCard: part(item, 'isGiftCard') === true,
  };
}

/** What the buyer paid for shipping before discounts: told as a whole or by its lines. */
function termsOf(order: unknown, shippingLines: readonly unknown[]): Terms {
  const byLine = shippingLines
    .filter((line) => part(line, 'is_removed') !== true && part(line, 'isRemoved') !== true)
    .map(
      (line) =>
        shopAmount(part(line, 'price_set')) ??
        shopAmount(part(line, 'originalPriceSet')) ??
        part(line, 'price'),
    );
  const total =
    shopAmount(part(order, 'total_shipping_price_set')) ??
    shopAmount(part(order, 'totalShippingPriceSet'));
  return {
    taxesIncluded: part(order, 'taxes_included') === true || part(order, 'taxesIncluded') === true,
    currency:
      part(order, 'currency') ??
      part(order, 'currencyCode') ??
      shopCurrency(part(order, 'totalPriceSet')),
    shipping: byLine.length > 0 ? sumOf(byLine) : total === undefined ? undefined : sumOf([total]),
  };
}

/** Hands an order over, with its items where they are told, and says whether it was taken. */
function tell(
  order: unknown,
  lines: readonly number[],
  items: readonly Item[] | undefined,
  terms: Terms,
  desk: Desk,
): boolean {
  if (part(order, 'test') === true) {
    for (const line of lines) desk.reject(line, 'is a test order');
    return false;
  }
  const sold = items
    ?.filter(({ isGiftCard }) => !isGiftCard)
    .map((item) => contractItem(item, terms));
  return desk.orders.order(
    { ...contractOrder(order, terms), ...(sold && { Items: sold }) },
    lines,
    { lenient: false },
  );
}

/** An order's item under the names of the contract. The whole shipping of an order is that of its first item. */
function contractItem(item: Item, terms: Terms): Record<string, unknown> {
  const tax = sumOf(item.taxes);
  const gross = timesOf(item.unitPrice, item.quantity);
  const shipping = terms.shipping;
  terms.shipping = undefined;
  return {
    OrderItemId: item.id,
    SellerSKU: item.sku,
    ASIN: item.productId,
    Title: item.title,
    QuantityOrdered: item.quantity,
    // Where prices include taxes, the price without them is what is left beside the tax that was told.
    ItemPrice: {
      Amount: terms.taxesIncluded ? differenceOf(gross, tax) : gross,
      CurrencyCode: terms.currency,
    },
    ItemTax: tax,
    ShippingPrice: shipping,
    PromotionDiscount: sumOf(item.discounts),
  };
}

/** The order under the names of the contract. */
function contractOrder(order: unknown, { currency }: Terms): Record<string, unknown> {
  const told = (...names: readonly string[]) =>
    names
      .map((name) => part(order, name))
      .find((value) => value !== undefined && value !== null && value !== '');
  const address = told('shipping_address', 'shippingAddress');
  const email =
    told('email', 'contact_email') ??
    part(order, 'customer', 'email') ??
    part(order, 'customer', 'defaultEmailAddress', 'emailAddress');
  const gateways = told('payment_gateway_names', 'paymentGatewayNames');
  const total =
    shopAmount(part(order, 'total_price_set')) ??
    shopAmount(part(order, 'totalPriceSet')) ??
    told('total_price');
  return {
    PlatformOrderId: idOf(told('id')),
    MarketplaceId: 'Shopify',
    // When the order was placed, also where it was taken over from another shop later.
    PurchaseDate: told('processed_at', 'processedAt') ?? told('created_at', 'createdAt'),
    LastUpdateDate: told('updated_at', 'updatedAt'),
    OrderStatus: statusOf(order),
    SalesChannel: told('source_name', 'sourceName'),
    FulfillmentChannel: 'MFN',
    PaymentMethodDetails: Array.isArray(gateways) ? gateways.join(',') : undefined,
    ShippingAddress: address && {
      StateOrRegion:
        part(address, 'province_code') ??
        part(address, 'provinceCode') ??
        part(address, 'province'),
      PostalCode: part(address, 'zip'),
      City: part(address, 'city'),
      CountryCode:
        part(address, 'country_code') ??
        part(address, 'countryCodeV2') ??
        part(address, 'countryCode'),
    },
    OrderTotal: total === undefined ? undefined : { Amount: total, CurrencyCode: currency },
    BuyerInfo: email === undefined || email === null ? undefined : { BuyerEmail: email },
  };
}

/** The status in the contract's words. Refunds leave it as it is. */
function statusOf(order: unknown): string {
  const word = (...names: readonly string[]) =>
    String(
      names.map((name) => part(order, name)).find((one) => typeof one === 'string') ?? '',
    ).toLowerCase();
  if (word('cancelled_at', 'cancelledAt') !== '') return 'Canceled';
  const fulfillment = word('fulfillment_status', 'displayFulfillmentStatus');
  if (fulfillment === 'fulfilled') return 'Shipped';
  if (fulfillment === 'partial' || fulfillment === 'partially_fulfilled') return 'PartiallyShipped';
  return unpaid.has(word('financial_status', 'displayFinancialStatus')) ? 'Pending' : 'Unshipped';
}

/** Takes note of a product that an item tells by the way; of what is told several times the last counts. */
function noteProduct(
  { sku, productId, title, vendor }: Item,
  line: number,
  products: Products,
): void {
  if (typeof sku !== 'string' || sku === '') return;
  products.set(sku, { product: { sku, productId, title, brand: vendor }, line });
}
