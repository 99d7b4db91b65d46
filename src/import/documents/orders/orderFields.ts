/** Parts of orders that several documents share, in the shape of the contract. */
import { listIn, part, rowsAt } from '../../cells/json.ts';

/** An address under the names of the contract. */
export function addressOf(
  StateOrRegion: unknown,
  PostalCode: unknown,
  City: unknown,
  CountryCode: unknown,
): Record<string, unknown> {
  return { StateOrRegion, PostalCode, City, CountryCode };
}

/**
 * Where a body has its orders: a list `orders`, or a single `order`. Undefined if it has neither.
 */
export function orderPaths(body: unknown): readonly (readonly string[])[] | undefined {
  if (part(body, 'order') !== undefined) return [['order']];
  return listIn(body, 'orders') && [['orders']];
}

/** The first order of a body; the value itself if it is not a body. */
export function firstOrder(value: unknown): unknown {
  const [path] = orderPaths(value) ?? [[]];
  return rowsAt(value, path!)[0];
}
