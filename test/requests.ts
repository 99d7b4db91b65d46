/** Requests of operations, made from values of fields by the contract. */
import type { Contract } from '../src/contract/endpoint.ts';
import { isObject } from '../src/contract/jsonSchema.ts';

/** Values of fields by their paths, such as `reportOptions.toDate`; undefined removes a field. */
export type Fields = Readonly<Record<string, unknown>>;

/** The address of a request, and its body if the operation takes one. */
export type Request = { readonly path: string; readonly body?: unknown };

/** The fields as an object that holds objects. */
export function nested(fields: Fields): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(fields)) {
    const [first = '', second] = path.split('.');
    const within: Record<string, unknown> =
      second === undefined ? made : { ...(isObject(made[first]) ? made[first] : {}) };
    if (value === undefined) delete within[second ?? first];
    else within[second ?? first] = value;
    if (second !== undefined) made[first] = within;
  }
  return made;
}

/** A request with the fields that the operation has. */
export function requestOf(contract: Contract, fields: Fields): Request {
  const query = new URLSearchParams();
  const body: Record<string, unknown> = {};
  let path = contract.path;
  for (const [name, value] of Object.entries(nested(fields))) {
    if (name in (contract.pathParameters?.properties ?? {}))
      path = path.replace(`{${name}}`, String(value));
    if (name in (contract.query?.properties ?? {}))
      for (const one of [value].flat()) query.append(name, String(one));
    if (name in (contract.body?.properties ?? {})) body[name] = value;
  }
  return { path: `${path}?${query}`, ...(contract.body && { body }) };
}
