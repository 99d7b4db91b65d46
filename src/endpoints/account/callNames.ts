/** Operations as the account pages name them. */
import type { Contract } from '../../contract/endpoint.ts';

/**
 * Method and path of an operation by its name; the name alone when the operation no longer exists.
 */
export function callNames(contracts: readonly Contract[]): (operation: string) => string {
  const calls = new Map(
    contracts.map(({ operation, method, path }) => [operation, `${method} ${path}`]),
  );
  return (operation) => calls.get(operation) ?? operation;
}
