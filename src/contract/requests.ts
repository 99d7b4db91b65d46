/** Makes requests from contracts, for the callers of the service. */
import type { Contract } from './endpoint.ts';

/** The path with its query, and the fields of the body; undefined if the contract has none. */
export type ContractRequest = {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>> | undefined;
};

/** A request to the public API. */
export type ApiRequest = {
  readonly method: string;
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

/** An answer of the public API as it was received. */
export type ApiAnswer = {
  readonly status: number;
  /** A header by its name in lower case. */
  readonly header: (name: string) => string | undefined;
  readonly bytes: Buffer;
};

/** The path with its query, and the body, of a request with this input. */
export function requestOf(
  contract: Contract,
  input: Readonly<Record<string, unknown>>,
): ContractRequest {
  const path = contract.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(input[name])),
  );
  const given = (schema: Contract['query']) =>
    Object.keys(schema?.properties ?? {}).filter((name) => input[name] !== undefined);
  const query = new URLSearchParams(
    given(contract.query).map((name): [string, string] => [name, String(input[name])]),
  );
  const body =
    contract.body && Object.fromEntries(given(contract.body).map((name) => [name, input[name]]));
  return { path: query.size === 0 ? path : `${path}?${query}`, body };
}
