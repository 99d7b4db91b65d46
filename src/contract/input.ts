/** Reads the fields that a contract knows from a request, with their defaults. */
import { isObject, type JsonSchema } from './jsonSchema.ts';
import { isCollapsed, readEntries } from './repeats.ts';
import { listLengthMax } from './shapes.ts';

type Reader = (value: unknown) => unknown;

/** Copies the known fields of an object into `target`. */
export type ObjectReader = (value: unknown, target: Record<string, unknown>) => void;

/**
 * Makes the reader of a schema. `fromText` is true for paths and queries, whose values are text.
 * With `withRepeats` equal entries of lists stay separate; otherwise they count as one.
 */
export function objectReader(
  schema: JsonSchema | undefined,
  fromText: boolean,
  withRepeats = false,
): ObjectReader {
  const fields = Object.entries(schema?.properties ?? {}).map(([name, property]) => ({
    name,
    isList: fromText && property.type === 'array',
    read: readerOf(property, fromText, withRepeats),
    byDefault: property.default,
    isNullable: isNullable(schema!, name, property),
  }));
  return (value, target) => {
    const source = value as Record<string, unknown>;
    for (const { name, isList, read, byDefault, isNullable } of fields) {
      const found = isList ? gathered(source[name], source[`${name}[]`]) : source[name];
      if (found !== undefined && (found !== null || isNullable)) target[name] = read(found);
      else if (byDefault !== undefined) target[name] = byDefault;
    }
  };
}

/** Whether null is a value in its own right; for any other optional field it means no value. */
function isNullable({ required = [] }: JsonSchema, name: string, property: JsonSchema): boolean {
  const isOptional = !required.includes(name) || property.default !== undefined;
  return !isOptional || [property, ...(property.anyOf ?? [])].some(({ type }) => type === 'null');
}

function readerOf(schema: JsonSchema, fromText: boolean, withRepeats: boolean): Reader {
  if (schema.type === 'object' && schema.additionalProperties !== true) {
    const read = objectReader(schema, false, withRepeats);
    return (value) => {
      if (!isObject(value)) return value;
      const target = {};
      read(value, target);
      return target;
    };
  }
  const list = [schema, ...(schema.anyOf ?? [])].find((one) => one.type === 'array');
  if (list !== undefined) return listReader(list, fromText, withRepeats);
  const read =
    schema.type === 'string'
      ? textReader(schema)
      : fromText
        ? (conversions[schema.type ?? ''] ?? asIs)
        : asIs;
  return fromText ? (value) => (Array.isArray(value) ? markRepeated(value) : read(value)) : read;
}

/**
 * One entry more than allowed is enough to refuse a list, so the rest of a long list is not read.
 * Lists with a low limit are read further, for the rules about their entries.
 */
function listReader(
  { items = {}, maxItems = Infinity }: JsonSchema,
  fromText: boolean,
  withRepeats: boolean,
): Reader {
  const read = readerOf(items, fromText, withRepeats);
  const readMax = Math.max(maxItems, listLengthMax) + 1;
  return (value) => {
    if (!Array.isArray(value)) return value;
    if (isCollapsed(items)) return readEntries(value, read, readMax, withRepeats);
    const entries = value.length > readMax ? value.slice(0, readMax) : value;
    return read === asIs ? entries : entries.map(read);
  };
}

function textReader({ trimmed, letters }: JsonSchema): Reader {
  if (!trimmed && letters === undefined) return asIs;
  return (value) => {
    if (typeof value !== 'string') return value;
    const text = trimmed ? value.trim() : value;
    if (letters === undefined) return text;
    // Only ASCII letters are capitalised: the capital of another letter may be several letters, or
    // an ASCII letter.
    return letters === 'upper'
      ? text.replace(/[a-z]+/g, (part) => part.toUpperCase())
      : text.toLowerCase();
  };
}

const asIs: Reader = (value) => value;

// Other text stays text and then fails the check of its type.
const conversions: Readonly<Record<string, Reader>> = {
  integer: (value) =>
    typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value,
  number: (value) =>
    typeof value === 'string' && /^-?\d{1,15}(\.\d{1,15})?$/.test(value) ? Number(value) : value,
  boolean: (value) => (value === 'true' ? true : value === 'false' ? false : value),
};

const repeated = Symbol('repeated');

/** Marks the values of a query parameter that was sent more than once. */
function markRepeated(values: unknown[]): unknown[] {
  return Object.assign(values, { [repeated]: true });
}

/**
 * Whether a value is a query parameter that was sent more than once; in a body it is a plain array.
 */
export function isRepeated(value: unknown): boolean {
  return Array.isArray(value) && (value as { [repeated]?: boolean })[repeated] === true;
}

/** `a=1&a=2`, `a[]=1&a[]=2` and `a=1,2` are the same list. */
function gathered(plain: unknown, bracketed: unknown): string[] | undefined {
  if (plain === undefined && bracketed === undefined) return undefined;
  return [plain, bracketed]
    .flat()
    .filter((text) => typeof text === 'string')
    .flatMap((text) => text.split(','))
    .filter((text) => text !== '');
}
