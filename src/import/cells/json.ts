/** Reads parts of JSON documents, whose values may be of any type. */
import { dayIn } from './dates.ts';

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The value as a JSON object; undefined if it is not one. */
export function asObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}

/** The nested value under these names; undefined if there is none. */
export function part(value: unknown, ...path: readonly string[]): unknown {
  let at = value;
  for (const name of path) at = asObject(at)?.[name];
  return at;
}

/** The value under the first of these names that is present and not null. */
export function firstOf(row: JsonObject, names: readonly string[]): unknown {
  for (const name of names) if (row[name] !== undefined && row[name] !== null) return row[name];
  return undefined;
}

/** The list under a name, undefined if there is none. */
export function listIn(value: unknown, name: string): readonly unknown[] | undefined {
  const list = part(value, name);
  return Array.isArray(list) ? list : undefined;
}

/** The rows under a path: the entries of its list, or the single row there. */
export function rowsAt(value: unknown, path: readonly string[]): readonly unknown[] {
  const found = part(value, ...path);
  return Array.isArray(found) ? found : [found];
}

/** The path of the content of an API's body, which may be wrapped in a `payload`. */
export function payloadPath(body: unknown): readonly string[] {
  const payload = part(body, 'payload');
  return payload === undefined || payload === null ? [] : ['payload'];
}

/** The text under a name, "" if there is none. */
export function textAt(value: unknown, name: string): string {
  const text = part(value, name);
  return typeof text === 'string' ? text : '';
}

/** The day of the date or instant under a name; undefined if there is none. */
export function dayAt(value: unknown, name: string): number | undefined {
  const text = part(value, name);
  return typeof text === 'string' ? dayIn(text.slice(0, 10)) : undefined;
}
