/** Requests at the routes of contracts. */

/** Shapes whose fields may all be absent. */
export type Partly<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { readonly [Field in keyof Value]?: Partly<Value[Field]> }
    : Value;

/** A request as the API takes it. */
export type ApiRequest = {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly body: object | undefined;
};

/** The request at a route such as `GET /targets`, with its input in the path, query or body. */
export function requestAt(route: string, input: object): ApiRequest {
  const [method, pattern] = route.split(' ') as [string, string];
  const rest: Record<string, unknown> = { ...input };
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_match, field: string) => {
    const value = String(rest[field]);
    delete rest[field];
    return encodeURIComponent(value);
  });
  if (method !== 'GET') return { method, path, body: rest };
  const query = new URLSearchParams();
  for (const [field, value] of Object.entries(rest))
    for (const one of [value].flat()) if (one !== undefined) query.append(field, String(one));
  const text = query.toString();
  return { method, path: text === '' ? path : `${path}?${text}`, body: undefined };
}
