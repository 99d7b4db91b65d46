/** The names of operations on the account pages. */
import type { Contract } from '../../contract/endpoint.ts';

/** The method and path of an operation, or its name if the operation no longer exists. */
export function callNames(contracts: readonly Contract[]): (operation: string) => string {
  const calls = new Map(
    contracts.map(({ operation, method, path }) => [operation, `${method} ${path}`]),
  );
  return (operation) => calls.get(operation) ?? operation;
}
