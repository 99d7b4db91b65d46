/** Documents of orders as tests write them, and the order records that a channel has. */
import type { MemoryChannel } from './documents.ts';
import { fixture, jsonLines } from './facts.ts';

/** The columns of an order line that most tests compare. */
export const lineColumns =
  'order_id, line_id, status, sku, product_id, quantity, item_price, item_tax, promotion_discount, shipping_price, currency';

/** The order of a lamp and a bulb in the fixtures. */
export const lampOrder = '701-0000001-0000001';

const utc = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');

/** The order records of a channel by their ids. */
export function recordsOf(channel: MemoryChannel): Record<string, Record<string, unknown>> {
  const rows = channel.held('order_record', 'order_id, purchased_at, updated_at, status, record');
  return Object.fromEntries(
    rows.map(([id, purchasedAt, updatedAt, OrderStatus, record]) => {
      const fields = { PlatformOrderId: id, PurchaseDate: utc(Number(purchasedAt)), OrderStatus };
      const updated = Number(updatedAt) > 0 && { LastUpdateDate: utc(Number(updatedAt)) };
      return [id, { ...fields, ...updated, ...JSON.parse(record as string) }];
    }),
  );
}

/** The header and some orders' rows of the flat file, with some texts replaced. */
export function flatFile(
  orders: readonly string[],
  ...changes: readonly (readonly [string, string])[]
): string {
  const [header, ...rows] = fixture('orders.allOrders.txt').slice(0, -1).split('\n');
  const chosen = rows.filter((row) => orders.some((order) => row.startsWith(order)));
  const changed = changes.reduce(
    (text, [from, to]) => text.replaceAll(from, to),
    chosen.join('\n'),
  );
  return `${header}\n${changed}\n`;
}

/** The lamp's order in the flat file, updated on a day of March, with a price of the lamp. */
export function flatLamp(day: string, price: string): string {
  return flatFile(
    [lampOrder],
    ['2025-03-03T10', `2025-03-${day}T10`],
    ['\t20.00\t', `\t${price}\t`],
  );
}

/** The same order from the Orders API: one body with the order, one with its items. */
export function apiBodies(updated: string, status: string, lampPrice: string): string {
  const order = {
    AmazonOrderId: lampOrder,
    PurchaseDate: '2025-03-02T07:30:00Z',
    LastUpdateDate: updated,
    OrderStatus: status,
    IsPrime: true,
    OrderTotal: { Amount: '30.00', CurrencyCode: 'USD' },
    BuyerInfo: { BuyerEmail: 'hidden@marketplace.example' },
  };
  const item = (
    OrderItemId: string,
    SellerSKU: string,
    QuantityOrdered: number,
    Amount: string,
  ) => ({ OrderItemId, SellerSKU, QuantityOrdered, ItemPrice: { Amount, CurrencyCode: 'USD' } });
  const OrderItems = [item('111', 'LAMP-1', 2, lampPrice), item('222', 'BULB-1', 1, '4.01')];
  return jsonLines(
    { payload: { Orders: [order] } },
    { payload: { AmazonOrderId: lampOrder, OrderItems } },
  );
}
