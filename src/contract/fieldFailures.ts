/**
 * Lists the failures of an input's fields. This file walks through objects and lists; TypeBox
 * judges their values.
 */
import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { Check, Errors } from 'typebox/value';
import { failureWords, keywords } from './failureWords.ts';
import { isObject, type JsonSchema } from './jsonSchema.ts';
import { isCollapsed, readEntries } from './repeats.ts';
import { isStorable } from './storable.ts';

/** How many failures of one list an answer shows. */
export const listedMax = 20;

/** A field that fails on its own. */
export type FieldFailure = {
  /**
   * The path of the field, such as `offers`. Failures of a list's length and of its entries have
   * the path `offers[]`.
   */
  readonly path: string;
  readonly text: string;
};

/** The place of a value in the input. */
type Place = {
  /** The path in the words of failures, such as `offers[2].price`. */
  readonly name: string;
  readonly path: string;
};

/** The failures of a value and of all values within it, in the order of the schema. */
export function* fieldFailures(
  schema: JsonSchema,
  value: unknown,
  place: Place = { name: '', path: '' },
): Generator<FieldFailure> {
  const { properties, items } = schema;
  if (properties !== undefined && isObject(value)) {
    yield* propertyFailures(schema, properties, value, place);
  } else if (items !== undefined && Array.isArray(value)) {
    yield* listFailures(schema, items, value, place);
  } else {
    const keyword = failingKeyword(schema, value);
    if (keyword !== undefined) yield failure(place, schema, keyword, value);
  }
}

function* propertyFailures(
  { required = [] }: JsonSchema,
  properties: Readonly<Record<string, JsonSchema>>,
  value: Readonly<Record<string, unknown>>,
  { name, path }: Place,
): Generator<FieldFailure> {
  for (const [property, schema] of Object.entries(properties)) {
    const place = {
      name: name === '' ? property : `${name}.${property}`,
      // All fields of a list's entries have the path of the entries.
      path: path === '' ? property : path.endsWith('[]') ? path : `${path}.${property}`,
    };
    const found = value[property];
    if (found !== undefined) yield* fieldFailures(schema, found, place);
    else if (required.includes(property)) yield failure(place, schema, 'required', found);
  }
}

/** The failures of a list: its length, and the first few failing entries. */
function* listFailures(
  schema: JsonSchema,
  items: JsonSchema,
  value: readonly unknown[],
  { name, path }: Place,
): Generator<FieldFailure> {
  const entries = path.endsWith('[]') ? path : `${path}[]`;
  const { items: _, ...own } = schema;
  const counted = isCollapsed(items)
    ? readEntries(value, (entry) => entry, Number.POSITIVE_INFINITY, false)
    : value;
  const keyword = firstOf(Errors(own as TSchema, counted).map((error) => error.keyword));
  if (keyword !== undefined) yield failure({ name, path: entries }, schema, keyword, value);
  let listed = 0;
  for (const [index, entry] of value.entries()) {
    if (isWhole(items, entry)) continue;
    for (const one of fieldFailures(items, entry, { name: `${name}[${index}]`, path: entries })) {
      if (listed === listedMax) {
        yield { path: entries, text: `${name} has more entries that fail` };
        return;
      }
      listed++;
      yield one;
    }
  }
}

function failure({ name, path }: Place, schema: JsonSchema, keyword: string, value: unknown) {
  return { path, text: `${name} ${failureWords(schema, keyword, value)}` };
}

/** The keyword that a value fails; the alternatives of a union fail as one. */
function failingKeyword(schema: JsonSchema, value: unknown): string | undefined {
  const failing: string[] =
    schema.anyOf === undefined
      ? Errors(schema as TSchema, value).map((error) => error.keyword)
      : Check(schema as TSchema, value)
        ? []
        : ['anyOf'];
  if (!isStorable(value)) failing.push('text');
  return firstOf(failing);
}

/** The one of several failing keywords that is reported. */
function firstOf(failing: readonly string[]): string | undefined {
  return keywords.find((keyword) => failing.includes(keyword)) ?? failing[0];
}

const compiled = new WeakMap<JsonSchema, Validator>();

/** Whether an entry of a list is valid; lists may be long, so the check is compiled. */
function isWhole(schema: JsonSchema, value: unknown): boolean {
  let check = compiled.get(schema);
  if (check === undefined) {
    check = Compile(schema as TSchema);
    compiled.set(schema, check);
  }
  return check.Check(value) && isStorable(value);
}
