/**
 * Bodies of the Orders API v0: getOrders, getOrder and getOrderItems, as one JSON document or one
 * body per line.
 */
import { listIn, part, payloadPath } from '../../cells/json.ts';
import { TextNumbers } from '../../cells/textNumbers.ts';
import type { ImportSession } from '../../session.ts';
import type { DocumentKind } from '../kind.ts';
import { soldInChannel } from '../marketplaces.ts';

/** Orders API v0. */
export const ordersApi: DocumentKind = {
  name: 'ordersApi',
  about: 'Orders API v0 bodies (getOrders, getOrder, getOrderItems; JSON, or one body a line)',
  tables: ['order_record', 'order_line'],
  ofChannel: true,
  recognises: (value) => {
    const body = part(value, 'payload') ?? value;
    return (
      Array.isArray(part(body, 'Orders')) ||
      Array.isArray(part(body, 'OrderItems')) ||
      typeof part(body, 'AmazonOrderId') === 'string'
    );
  },
  rowPaths(value) {
    const path = [...payloadPath(value), 'Orders'];
    return Array.isArray(part(value, ...path)) ? [path] : undefined;
  },
  read(session) {
    const reader = new OrderBodies(session);
    return {
      value: (value, line, name) => reader.take(value, line, name !== undefined),
      end: () => session.orders.flushAll(),
    };
  },
};

class OrderBodies {
  readonly #session: ImportSession;
  readonly #isOfChannel: ReturnType<typeof soldInChannel>;
  /** Orders of other stores, whose items may follow. */
  readonly #skipped = new TextNumbers();

  constructor(session: ImportSession) {
    this.#session = session;
    this.#isOfChannel = soldInChannel(session);
  }

  /** Takes an order of a list, or a body. */
  take(value: unknown, line: number, isListed: boolean): void {
    const { reject } = this.#session;
    const body = isListed ? value : (part(value, 'payload') ?? value);
    const items = listIn(body, 'OrderItems');
    const orderId = part(body, 'AmazonOrderId');
    // A body that contains only buyers (getOrderItemsBuyerInfo) would clear the items.
    if (items?.some((item) => part(item, 'QuantityOrdered') === undefined))
      reject(line, 'QuantityOrdered is required in every item');
    else if (isListed || (typeof orderId === 'string' && part(body, 'PurchaseDate') !== undefined))
      this.#takeOrder(body, items, line);
    else if (items === undefined) this.#takeOrder(body, items, line);
    else if (typeof orderId !== 'string') reject(line, 'AmazonOrderId is required');
    else this.#takeItems(orderId, items, line);
  }

  #takeOrder(order: unknown, items: readonly unknown[] | undefined, line: number): void {
    const { reject, orders } = this.#session;
    const orderId = part(order, 'AmazonOrderId');
    if (typeof orderId !== 'string') {
      reject(line, 'is not a body of getOrders, getOrder or getOrderItems');
      return;
    }
    if (!this.#isOfChannel(part(order, 'SalesChannel'), part(order, 'MarketplaceId'), line))
      this.#skipped.set(orderId, line);
    else
      orders.order({ ...asContract(order), ...(items && { Items: items }) }, line, {
        lenient: true,
        prices: 'stated',
      });
  }

  #takeItems(orderId: string, items: readonly unknown[], line: number): void {
    const { orders, otherStores } = this.#session;
    if (this.#skipped.get(orderId) === undefined)
      orders.items(orderId, items, line, { prices: 'stated' });
    else otherStores.skip('another store', 'its own', {});
  }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** The order under the names of the contract. */
function asContract(order: unknown): Record<string, unknown> {
  if (typeof order !== 'object' || order === null) return {};
  const {
    AmazonOrderId,
    PaymentMethodDetails,
    AutomatedShippingSettings: automated,
    ...rest
  } = order as Record<string, unknown>;
  return {
    ...rest,
    PlatformOrderId: AmazonOrderId,
    PaymentMethodDetails: isTexts(PaymentMethodDetails)
      ? PaymentMethodDetails.join(',')
      : PaymentMethodDetails,
    AutomatedShippingSettings: automated && {
      HasAutomatedShippingSettings: part(automated, 'HasAutomatedShippingSettings'),
      AutomatedShipMethodName:
        part(automated, 'AutomatedShipMethod') ?? part(automated, 'AutomatedShipMethodName'),
      AutomatedCarrierName:
        part(automated, 'AutomatedCarrier') ?? part(automated, 'AutomatedCarrierName'),
    },
  };
}
