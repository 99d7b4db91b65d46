/** Parts of orders that several documents have, in the shape of the contract. */
import { listIn, part } from '../../cells/json.ts';

/** An address under the names of the contract. */
export function addressOf(
  StateOrRegion: unknown,
  PostalCode: unknown,
  City: unknown,
  CountryCode: unknown,
): Record<string, unknown> {
  return { StateOrRegion, PostalCode, City, CountryCode };
}

/** The orders of a body: the list `orders`, or the one `order`. Undefined where it has neither. */
export function ordersIn(body: unknown): readonly unknown[] | undefined {
  const order = part(body, 'order');
  return order === undefined ? listIn(body, 'orders') : [order];
}
