/** Parts of orders that several documents share, in the shape of the contract. */
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

/** The orders of a body: its list `orders`, or its single `order`. Undefined if it has neither. */
export function ordersIn(body: unknown): readonly unknown[] | undefined {
  const order = part(body, 'order');
  return order === undefined ? listIn(body, 'orders') : [order];
}
