/**
 * Bodies of the Orders API v0: getOrders, getOrder and getOrderItems, as one JSON document or one
 * body per line.
 */
import { part, payloadPath } from '../../cells/json.ts';
import type { DocumentKind } from '../kind.ts';

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
  read: (session) => ({
    value(value, line, name) {
      const body = part(value, 'payload') ?? value;
      const items = part(body, 'OrderItems');
      const orderId = part(body, 'AmazonOrderId');
      if (name !== undefined) {
        session.orders.order(asContract(value), line, { lenient: true, prices: 'stated' });
      } else if (Array.isArray(items)) {
        if (typeof orderId !== 'string') session.reject(line, 'AmazonOrderId is required');
        // A body that contains only buyers (getOrderItemsBuyerInfo) would clear the items.
        else if (items.some((item) => part(item, 'QuantityOrdered') === undefined))
          session.reject(line, 'QuantityOrdered is required in every item');
        else session.orders.items(orderId, items, line, { prices: 'stated' });
      } else if (typeof orderId === 'string') {
        session.orders.order(asContract(body), line, { lenient: true, prices: 'stated' });
      } else {
        session.reject(line, 'is not a body of getOrders, getOrder or getOrderItems');
      }
    },
    end: () => session.orders.flushAll(),
  }),
};

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
