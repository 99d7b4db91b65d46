/** Distinguishes orders of Shopify in either API from other JSON documents of shops. */
import { asObject, listIn, part, rowsAt } from '../../cells/json.ts';
import { orderPaths } from './orderFields.ts';

/** The fields that only orders have in the REST API. */
const orderMarks = ['financial_status', 'order_number', 'processed_at', 'cancelled_at'];
const connections = [
  ['data', 'orders'],
  ['orders'],
  ['data', 'draftOrders'],
  ['data', 'abandonedCheckouts'],
] as const;
const otherLists = ['draft_orders', 'checkouts'];
const notOrders: Readonly<Record<string, string>> = {
  DraftOrder: 'is a draft order, which sells nothing yet: export the orders of the shop',
  AbandonedCheckout: 'is an abandoned checkout, which sold nothing: export the orders of the shop',
  Cart: 'is a cart, which sold nothing: export the orders of the shop',
};
const rowsInstead = 'import its orders as rows of the dataset orderLines';

/** Where a body has its orders; undefined if it is an order itself. */
export function shopPaths(body: unknown): readonly (readonly string[])[] | undefined {
  for (const path of connections)
    for (const list of ['nodes', 'edges'])
      if (Array.isArray(part(body, ...path, list))) return [[...path, list]];
  if (part(body, 'data', 'order') !== undefined) return [['data', 'order']];
  const other = otherLists.find((name) => listIn(body, name) !== undefined);
  return orderPaths(body) ?? (other === undefined ? undefined : [[other]]);
}

/** The order in an edge of a connection; the value itself if it is not an edge. */
export function nodeOf(value: unknown): unknown {
  const node = part(value, 'node');
  return asObject(node) === undefined ? value : node;
}

/** Whether the document has orders of any shop, Shopify or not. */
export function isShopDocument(value: unknown): boolean {
  const [path] = shopPaths(value) ?? [[]];
  const first = nodeOf(rowsAt(value, path!)[0]);
  if (isOrder(first)) return true;
  const hasItems = listIn(first, 'line_items') ?? listIn(first, 'lineItems');
  return typeOf(part(first, 'id')) !== undefined
    ? foreignReason(first) !== undefined
    : hasItems !== undefined;
}

/** Whether this is an order of either API of Shopify. */
export function isOrder(value: unknown): boolean {
  if (isGraph(value)) return true;
  return (
    part(value, 'id') !== undefined &&
    typeOf(part(value, 'id')) === undefined &&
    orderMarks.some((name) => part(value, name) !== undefined) &&
    foreignReason(value) === undefined
  );
}

/** Why a value is not an order of Shopify; undefined for orders, parts and unknown shapes. */
export function foreignReason(value: unknown): string | undefined {
  const has = (name: string) => part(value, name) !== undefined;
  const type = typeOf(part(value, 'id'));
  if (type !== undefined) return notOrders[type];
  if (has('invoice_sent_at') || has('invoice_url')) return notOrders.DraftOrder;
  if (has('abandoned_checkout_url') || (has('cart_token') && !has('financial_status')))
    return notOrders.AbandonedCheckout;
  if (has('token') && has('items_subtotal_price')) return notOrders.Cart;
  if (has('date_created') && !has('status_id'))
    return `is an order of WooCommerce, not of Shopify: ${rowsInstead}`;
  if (has('location_id') && has('state') && !has('financial_status'))
    return `is an order of Square, not of Shopify: ${rowsInstead}`;
  return undefined;
}

/** The reason to reject a value that is not an order of Shopify. */
export function reasonOf(value: unknown): string {
  const hasItems = listIn(value, 'line_items') !== undefined;
  return (
    foreignReason(value) ??
    (hasItems
      ? `is not an order of Shopify, which has a financial_status: ${rowsInstead}`
      : 'is not an order')
  );
}

/** Whether this is an order of the GraphQL API. */
export function isGraph(value: unknown): boolean {
  return typeOf(part(value, 'id')) === 'Order';
}

/** The type of a global id (gid://shopify/Order/1). */
export function typeOf(id: unknown): string | undefined {
  return typeof id === 'string' ? /^gid:\/\/shopify\/(\w+)\//.exec(id)?.[1] : undefined;
}

/** The number in a global id, which is the id in the REST API. */
export function idOf(id: unknown): string {
  return String(id ?? '')
    .replace(/^gid:\/\/shopify\/\w+\//, '')
    .split('?', 1)[0]!;
}

/** The nodes of a connection that the export nested in its order. */
export function connected(value: unknown, name: string): unknown[] {
  const nodes =
    listIn(part(value, name), 'nodes') ??
    listIn(part(value, name), 'edges')?.map((edge) => part(edge, 'node'));
  return [...(nodes ?? [])];
}

/** The amount of a money set in the shop's currency, in either API. */
export function shopAmount(set: unknown): unknown {
  return part(set, 'shop_money', 'amount') ?? part(set, 'shopMoney', 'amount');
}

/** The currency of a money set of the shop, in either API. */
export function shopCurrency(set: unknown): unknown {
  return part(set, 'shop_money', 'currency_code') ?? part(set, 'shopMoney', 'currencyCode');
}
