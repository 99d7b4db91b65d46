/**
 * Orders of a Shopify shop: bodies of the Admin REST API, and the bulk export of the GraphQL Admin
 * API, in which a line is an order or a part that refers to its order. Amounts are in the shop's
 * own currency. The two APIs use different names, so orders and items are first converted to one
 * shape.
 */
import { listIn, part } from '../../cells/json.ts';
import type { ImportSession } from '../../session.ts';
import { type InferredProduct, inferProducts } from '../inferred.ts';
import type { DocumentKind } from '../kind.ts';
import { isOwnCurrency } from '../marketplaces.ts';
import { LatestOrders, OpenOrders } from './openOrders.ts';
import { addressOf } from './orderFields.ts';
import {
  contractItem,
  type Item,
  isProduct,
  itemOfGraph,
  itemOfRest,
  type Terms,
  termsOf,
} from './shopifyItems.ts';
import {
  connected,
  idOf,
  isGraph,
  isOrder,
  isShopDocument,
  nodeOf,
  reasonOf,
  shopAmount,
  shopPaths,
  typeOf,
} from './shopifyShapes.ts';

/**
 * The number of orders of an export that may be open for more parts, and of closed ones to
 * remember.
 */
const ordersMax = { open: 2000, closed: 100_000 };
const neverPaid = new Set(['voided', 'expired']);
const unpaid = new Set(['pending', 'authorized', 'partially_paid']);

/** An order of an export, with the parts found so far. */
type Open = {
  readonly order: unknown;
  readonly lines: number[];
  readonly items: Item[];
  readonly shipping: unknown[];
};

/** Shopify orders of either API. */
export const shopifyOrders: DocumentKind = {
  name: 'shopifyOrders',
  about:
    'Shopify orders with their line items (Admin REST API, JSON; or bulk export of the GraphQL Admin API, JSONL)',
  tables: ['order_record', 'order_line', 'products'],
  ofChannel: true,
  recognises: isShopDocument,
  rowPaths: shopPaths,
  read: (session) => {
    const reader = new ShopReader(session);
    return { value: (value, line) => reader.take(value, line), end: () => reader.end() };
  },
};

class ShopReader {
  readonly #session: ImportSession;
  readonly #products = new Map<string, InferredProduct>();
  readonly #orders: OpenOrders<Open, Terms | 'rejected'>;

  constructor(session: ImportSession) {
    this.#session = session;
    const closed = new LatestOrders<Terms | 'rejected'>(ordersMax.closed);
    this.#orders = new OpenOrders(
      ordersMax.open,
      closed,
      (_, { order, lines, items, shipping }) => {
        const terms = termsOf(order, shipping);
        // An order without line items changes no items: they are missing from the export, or come
        // later.
        return this.#takeOrder(order, lines, items.length > 0 ? items : undefined, terms)
          ? terms
          : 'rejected';
      },
    );
  }

  take(row: unknown, line: number): void {
    const value = nodeOf(row);
    const parentId = part(value, '__parentId');
    if (typeof parentId === 'string') this.#takePart(value, parentId, line);
    else if (!isOrder(value)) this.#session.reject(line, reasonOf(value));
    else if (isGraph(value)) {
      this.#orders.set(String(part(value, 'id')), {
        order: value,
        lines: [line],
        items: connected(value, 'lineItems').map(itemOfGraph),
        shipping: connected(value, 'shippingLines'),
      });
    } else {
      const items = listIn(value, 'line_items')?.map(itemOfRest);
      this.#takeOrder(value, [line], items, termsOf(value, listIn(value, 'shipping_lines') ?? []));
    }
  }

  async end(): Promise<void> {
    this.#orders.closeAll();
    await this.#session.orders.flushAll();
    await inferProducts(this.#session, this.#products);
  }

  #takePart(value: unknown, parentId: string, line: number): void {
    const { reject, orders } = this.#session;
    const type = typeOf(part(value, 'id'));
    // An item without an id still counts as an item: its order is rejected, because its lines could
    // not be replaced.
    const isItem =
      type === 'LineItem' || (type === undefined && part(value, 'quantity') !== undefined);
    const order = this.#orders.get(parentId);
    if (order) {
      order.lines.push(line);
      if (isItem) order.items.push(itemOfGraph(value));
      else if (type === 'ShippingLine') order.shipping.push(value);
      return;
    }
    // Skips parts of other objects, and parts of parts.
    if (!isItem && type !== 'ShippingLine') return;
    const terms = this.#orders.closed(parentId);
    if (terms === 'rejected') reject(line, 'belongs to a rejected order');
    else if (terms === undefined || !isItem)
      reject(line, 'comes too late after its order, or without it: export with grouped objects');
    else {
      const item = itemOfGraph(value);
      this.#noteProduct(item, line);
      orders.items(idOf(parentId), isProduct(item) ? [contractItem(item, terms)] : [], line, {
        prices: 'net',
      });
    }
  }

  /** Takes an order, with its items if they are known. Returns false if it is rejected. */
  #takeOrder(
    order: unknown,
    lines: readonly number[],
    items: readonly Item[] | undefined,
    terms: Terms,
  ): boolean {
    if (part(order, 'test') === true) {
      for (const line of lines) this.#session.reject(line, 'is a test order');
      return false;
    }
    const isOwn = lines.map(() => isOwnCurrency(terms.currency, this.#session)).every(Boolean);
    if (!isOwn) return false;
    const sold = items?.filter(isProduct).map((item) => contractItem(item, terms));
    const isTaken = this.#session.orders.order(
      { ...contractOrder(order, terms), ...(sold && { Items: sold }) },
      lines,
      { lenient: false, prices: 'net' },
    );
    if (isTaken) for (const item of items ?? []) this.#noteProduct(item, lines[0]!);
    return isTaken;
  }

  /** Notes the product of an item. The last item of a product counts. */
  #noteProduct({ sku, productId, title, vendor }: Item, line: number): void {
    if (typeof sku !== 'string' || sku === '') return;
    this.#products.set(sku, { product: { sku, productId, title, brand: vendor }, line });
  }
}

/** The order under the names of the contract. */
function contractOrder(order: unknown, { currency }: Terms): Record<string, unknown> {
  const first = (...names: readonly string[]) =>
    names
      .map((name) => part(order, name))
      .find((value) => value !== undefined && value !== null && value !== '');
  const address = first('shipping_address', 'shippingAddress');
  const email =
    first('email', 'contact_email') ??
    part(order, 'customer', 'email') ??
    part(order, 'customer', 'defaultEmailAddress', 'emailAddress');
  const gateways = first('payment_gateway_names', 'paymentGatewayNames');
  const total =
    shopAmount(part(order, 'total_price_set')) ??
    shopAmount(part(order, 'totalPriceSet')) ??
    first('total_price');
  return {
    PlatformOrderId: idOf(first('id')),
    MarketplaceId: 'Shopify',
    // The time when the order was placed, even if it was imported from another shop later.
    PurchaseDate: first('processed_at', 'processedAt') ?? first('created_at', 'createdAt'),
    LastUpdateDate: first('updated_at', 'updatedAt'),
    OrderStatus: statusOf(order),
    SalesChannel: first('source_name', 'sourceName'),
    FulfillmentChannel: 'MFN',
    PaymentMethodDetails: Array.isArray(gateways) ? gateways.join(',') : undefined,
    ShippingAddress:
      address &&
      addressOf(
        part(address, 'province_code') ??
          part(address, 'provinceCode') ??
          part(address, 'province'),
        part(address, 'zip'),
        part(address, 'city'),
        part(address, 'country_code') ??
          part(address, 'countryCodeV2') ??
          part(address, 'countryCode'),
      ),
    OrderTotal: total === undefined ? undefined : { Amount: total, CurrencyCode: currency },
    BuyerInfo: email === undefined || email === null ? undefined : { BuyerEmail: email },
  };
}

/** The status in the contract's terms. Refunds do not change it. */
function statusOf(order: unknown): string {
  const word = (...names: readonly string[]) =>
    String(
      names.map((name) => part(order, name)).find((one) => typeof one === 'string') ?? '',
    ).toLowerCase();
  const payment = word('financial_status', 'displayFinancialStatus');
  // Such a payment was never taken.
  if (word('cancelled_at', 'cancelledAt') !== '' || neverPaid.has(payment)) return 'Canceled';
  const fulfillment = word('fulfillment_status', 'displayFulfillmentStatus');
  if (fulfillment === 'fulfilled') return 'Shipped';
  if (fulfillment === 'partial' || fulfillment === 'partially_fulfilled') return 'PartiallyShipped';
  return unpaid.has(payment) ? 'Pending' : 'Unshipped';
}
