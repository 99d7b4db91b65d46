/**
 * Checks what is asked against a contract. What is right passes one compiled check; what is wrong is then walked field by field, so
 * that every failing rule is said at once and in the client's words.
 */
import Type, { type TObject, type TProperties } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import type { Contract, Rule } from './endpoint.ts';
import type { FieldOptions } from './shapes.ts';

/** How many failing rules one answer lists. */
export const failuresMax = 50;

/** What the texts of a named format must pass, such as `timezone`. */
export type Formats = Readonly<Record<string, (text: string) => boolean>>;

/** A request as it came. */
export type RawRequest = {
  readonly path?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
};

/** One failing rule; `order` is the place of its field in the contract. */
export type Failure = { readonly order: number; readonly text: string };

/** What a check found. `asked` may be relied on only where `failures` is empty. */
export type Checked = {
  /** The fields of path, query and body that the contract knows, with their defaults. */
  readonly input: Record<string, unknown>;
  readonly failures: readonly Failure[];
  /** Whether the field at a path such as `reportOptions.toDate`, all within it and all around it keep their own rules. */
  readonly isValid: (path: string) => boolean;
};

/** A contract's check, compiled once: when it is first asked, so that a start does not wait for operations that may never be. */
export type Check = {
  readonly run: (given: RawRequest) => Checked;
  /** The place of a field in the contract, for failures that others add. */
  readonly orderOf: (path: string) => number;
};

/** The failing rules in request order, separated by commas. */
export function sayFailures(failures: readonly Failure[]): string {
  const texts = failures.toSorted((a, b) => a.order - b.order).map((failure) => failure.text);
  return texts.length > failuresMax
    ? [...texts.slice(0, failuresMax), 'and more'].join(', ')
    : texts.join(', ');
}

/** Compiles the check of a contract. */
export function compileCheck(
  {
    pathParameters,
    query,
    body,
    rules = [],
  }: Pick<Contract, 'pathParameters' | 'query' | 'body' | 'rules'>,
  formats: Formats,
): Check {
  const properties: TProperties = {
    ...pathParameters?.properties,
    ...query?.properties,
    ...body?.properties,
  };
  const schema = Type.Object(properties) as TObject & JsonSchema;
  let compiled: Validator | undefined;
  const readPath = objectReader(pathParameters as JsonSchema | undefined, true);
  const readQuery = objectReader(query as JsonSchema | undefined, true);
  const readBody = objectReader(body as JsonSchema | undefined, false);
  const orders = new Map<string, number>();
  const root = fieldOf(schema, '', true, orders);
  const firstOfBody =
    body === undefined ? 0 : (orders.get(Object.keys(body.properties)[0] ?? '') ?? 0);
  const bodyNames = new Set(Object.keys(body?.properties ?? {}));
  const formatted = formattedFields(root).map(({ steps, format }) => {
    const passes = formats[format];
    if (passes === undefined)
      throw new Error(`${steps.join('.')} is of the format ${format}, which has no check`);
    return { steps, passes };
  });

  function run(given: RawRequest): Checked {
    const asked: Record<string, unknown> = {};
    readPath(given.path, asked);
    readQuery(given.query, asked);
    const hasBody = given.body === undefined || isObject(given.body);
    readBody(hasBody ? (given.body ?? {}) : {}, asked);
    compiled ??= Compile(schema);
    const isWhole =
      hasBody &&
      compiled.Check(asked) &&
      formatted.every(({ steps, passes }) => textsAt(asked, steps).every(passes)) &&
      isKept(asked);
    if (isWhole && !rules.some((rule) => rule.check(asked) !== undefined))
      return { input: asked, failures: [], isValid: () => true };
    return explain(asked, hasBody, isWhole);
  }

  function explain(asked: Record<string, unknown>, hasBody: boolean, isWhole: boolean): Checked {
    const failures: Failure[] = [];
    const failed = new Set<string>();
    const fail = (field: Field, text: string) => {
      failed.add(field.path);
      if (failures.length <= failuresMax) failures.push({ order: field.order, text });
    };
    if (!hasBody) {
      failures.push({ order: firstOfBody, text: 'the body must be a JSON object' });
      for (const name of bodyNames) failed.add(name);
    }
    if (!isWhole) {
      for (const [name, field] of root.fields) {
        if (hasBody || !bodyNames.has(name)) walk(field, asked[name], name, formats, fail);
      }
      // The walk speaks all keywords that contracts use; should one be missed, what is wrong still does not pass.
      if (failures.length === 0)
        failures.push({ order: 0, text: 'the request does not keep the rules of this operation' });
    }
    const isValid = (path: string) =>
      ![...failed].some((other) => within(other, path) || within(path, other));
    for (const rule of rules) applyRule(rule, asked, isValid, orders, failures);
    return { input: asked, failures, isValid };
  }

  return { run, orderOf: (path) => orders.get(path) ?? 0 };
}

function applyRule(
  rule: Rule,
  asked: unknown,
  isValid: (path: string) => boolean,
  orders: Map<string, number>,
  failures: Failure[],
): void {
  if (![rule.at, ...(rule.reads ?? [])].every(isValid)) return;
  const text = rule.check(asked);
  // Half a place further, because a rule between fields follows those of its field alone.
  if (text !== undefined) failures.push({ order: (orders.get(rule.at) ?? 0) + 0.5, text });
}

function within(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}.`);
}

/** The parts of JSON Schema that contracts use. */
export type JsonSchema = FieldOptions & {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
};

type Field = {
  readonly path: string;
  readonly order: number;
  readonly schema: JsonSchema;
  readonly required: boolean;
  readonly fields: ReadonlyMap<string, Field>;
  readonly item?: Field;
};

/** The fields of a list's entries have the list's own path and stand where the list stands. */
function fieldOf(
  schema: JsonSchema,
  path: string,
  required: boolean,
  orders: Map<string, number>,
  order?: number,
): Field {
  const own = order ?? orders.size;
  if (order === undefined) orders.set(path, own);
  const fields = new Map<string, Field>();
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const isRequired = schema.required?.includes(name) ?? false;
    if (order === undefined)
      fields.set(
        name,
        fieldOf(property, path === '' ? name : `${path}.${name}`, isRequired, orders),
      );
    else fields.set(name, fieldOf(property, path, isRequired, orders, order));
  }
  if (schema.items === undefined) return { path, order: own, schema, required, fields };
  return {
    path,
    order: own,
    schema,
    required,
    fields,
    item: fieldOf(schema.items, path, true, orders, own),
  };
}

function walk(
  field: Field,
  value: unknown,
  name: string,
  formats: Formats,
  fail: (field: Field, text: string) => void,
): void {
  if (value === undefined) {
    if (field.required) fail(field, `${name} is required`);
    return;
  }
  const { schema } = field;
  const broken = brokenKeyword(schema, value, formats);
  if (broken !== undefined) {
    fail(field, `${name} ${schema.words?.[broken] ?? wordsFor(schema, broken, value)}`);
    return;
  }
  if (isObject(value))
    for (const [inner, innerField] of field.fields)
      walk(innerField, value[inner], `${name}.${inner}`, formats, fail);
  if (field.item !== undefined && Array.isArray(value)) {
    for (const [position, entry] of value.entries())
      walk(field.item, entry, `${name}[${position}]`, formats, fail);
  }
}

function brokenKeyword(schema: JsonSchema, value: unknown, formats: Formats): string | undefined {
  if (schema.anyOf !== undefined)
    return schema.anyOf.some((one) => brokenKeyword(one, value, formats) === undefined)
      ? undefined
      : 'anyOf';
  if (schema.type !== undefined && !isOfType(schema.type, value)) return 'type';
  if (schema.enum !== undefined && !schema.enum.includes(value)) return 'enum';
  if (schema.const !== undefined && schema.const !== value) return 'const';
  if (typeof value === 'string') return brokenKeywordOfText(schema, value, formats);
  if (typeof value === 'number') {
    if (schema.minimum !== undefined && value < schema.minimum) return 'minimum';
    if (schema.maximum !== undefined && value > schema.maximum) return 'maximum';
  }
  if (Array.isArray(value)) {
    if (schema.minItems !== undefined && value.length < schema.minItems) return 'minItems';
    if (schema.maxItems !== undefined && value.length > schema.maxItems) return 'maxItems';
    if (schema.uniqueItems === true && new Set(value).size < value.length) return 'uniqueItems';
  }
  return undefined;
}

function brokenKeywordOfText(
  schema: JsonSchema,
  value: string,
  formats: Formats,
): string | undefined {
  // Letters outside the basic plane count once, as they do in the compiled check.
  const length = value.length > 10_000 ? value.length : [...value].length;
  if (schema.minLength !== undefined && length < schema.minLength) return 'minLength';
  if (schema.maxLength !== undefined && length > schema.maxLength) return 'maxLength';
  if (schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value))
    return 'pattern';
  if (schema.format !== undefined && formats[schema.format]?.(value) === false) return 'format';
  return isKept(value) ? undefined : 'text';
}

/** Whether every store keeps the texts as they came: none takes half a character, and PostgreSQL does not take NUL. */
function isKept(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (Array.isArray(value)) return value.every(isKept);
  return !isObject(value) || Object.values(value).every(isKept);
}

const typeWords: Readonly<Record<string, string>> = {
  integer: 'an integer',
  number: 'a number',
  string: 'a string',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null',
};

function wordsFor(schema: JsonSchema, keyword: string, value: unknown): string {
  switch (keyword) {
    case 'type':
      // Only a query can name a single value several times; in a body that is an array like any other.
      return Array.isArray(value) && (value as Repeated)[repeated]
        ? 'must be given once'
        : `must be ${typeWords[schema.type!] ?? schema.type}`;
    case 'anyOf':
      return `must be ${schema.anyOf!.map(alternativeWords).join(' or ')}`;
    case 'enum':
      return `must be one of ${schema.enum!.join(', ')}`;
    case 'const':
      return `must be ${schema.const}`;
    case 'minLength':
      return schema.minLength === 1
        ? 'must not be empty'
        : `must have at least ${schema.minLength} characters`;
    case 'maxLength':
      return `must have at most ${schema.maxLength} characters`;
    case 'minimum':
      return `must be at least ${schema.minimum}`;
    case 'maximum':
      return `must be at most ${schema.maximum}`;
    case 'minItems':
      return schema.minItems === 1
        ? 'must not be empty'
        : `must have at least ${schema.minItems} entries`;
    case 'maxItems':
      return `must have at most ${schema.maxItems} entries`;
    case 'uniqueItems':
      return 'must not hold an entry twice';
    case 'format':
      return `must be a ${schema.format}`;
    case 'text':
      return 'must be whole characters without NUL';
    default:
      return 'does not have the expected form';
  }
}

function alternativeWords(schema: JsonSchema): string {
  if (schema.const !== undefined) return String(schema.const);
  if (schema.words?.type !== undefined) return schema.words.type.replace(/^must be /, '');
  return typeWords[schema.type ?? ''] ?? 'another value';
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return Number.isFinite(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'null':
      return value === null;
    default:
      return typeof value === type;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Reader = (value: unknown) => unknown;

/** Copies the known fields of an object into `target`, so that nothing else of a request travels on. */
function objectReader(
  schema: JsonSchema | undefined,
  fromText: boolean,
): (value: unknown, target: Record<string, unknown>) => void {
  const fields = Object.entries(schema?.properties ?? {}).map(([name, property]) => ({
    name,
    isList: fromText && property.type === 'array',
    read: readerOf(property, fromText),
    byDefault: property.default,
  }));
  return (value, target) => {
    const source = value as Record<string, unknown>;
    for (const { name, isList, read, byDefault } of fields) {
      const found = isList ? gathered(source[name], source[`${name}[]`]) : source[name];
      if (found !== undefined) target[name] = read(found);
      else if (byDefault !== undefined) target[name] = byDefault;
    }
  };
}

function readerOf(schema: JsonSchema, fromText: boolean): Reader {
  if (schema.type === 'object') {
    const read = objectReader(schema, false);
    return (value) => {
      if (!isObject(value)) return value;
      const target = {};
      read(value, target);
      return target;
    };
  }
  if (schema.type === 'array') {
    const read = readerOf(schema.items ?? {}, fromText);
    const most = schema.maxItems ?? Number.POSITIVE_INFINITY;
    // A list that is too long is refused for its length, so its entries need not be read.
    return read === asIs
      ? asIs
      : (value) => (Array.isArray(value) && value.length <= most ? value.map(read) : value);
  }
  const convert =
    schema.type === 'string'
      ? textReader(schema)
      : fromText
        ? (conversions[schema.type ?? ''] ?? asIs)
        : asIs;
  return fromText
    ? (value) => (Array.isArray(value) ? markRepeated(value) : convert(value))
    : convert;
}

function textReader({ trimmed, letters }: JsonSchema): Reader {
  if (!trimmed && letters === undefined) return asIs;
  return (value) => {
    if (typeof value !== 'string') return value;
    const text = trimmed ? value.trim() : value;
    if (letters === undefined) return text;
    // Only the letters of ASCII are raised: the capitals of others can be several letters, or ones of ASCII.
    return letters === 'upper'
      ? text.replace(/[a-z]+/g, (part) => part.toUpperCase())
      : text.toLowerCase();
  };
}

const asIs: Reader = (value) => value;

// Texts that are not of the type stay as they are and are then refused for it.
const conversions: Readonly<Record<string, Reader>> = {
  integer: (value) =>
    typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value,
  number: (value) =>
    typeof value === 'string' && /^-?\d{1,15}(\.\d{1,15})?$/.test(value) ? Number(value) : value,
  boolean: (value) => (value === 'true' ? true : value === 'false' ? false : value),
};

const repeated = Symbol('repeated');
type Repeated = unknown[] & { [repeated]?: boolean };

function markRepeated(values: unknown[]): unknown[] {
  return Object.assign(values, { [repeated]: true });
}

/** `a=1&a=2`, `a[]=1` and `a=1,2` are one list. */
function gathered(plain: unknown, bracketed: unknown): string[] | undefined {
  if (plain === undefined && bracketed === undefined) return undefined;
  return [plain, bracketed]
    .flat()
    .filter((text) => typeof text === 'string')
    .flatMap((text) => text.split(','))
    .filter((text) => text !== '');
}

type Formatted = { readonly steps: readonly string[]; readonly format: string };

/** The fields whose texts are of a named format, each by the names that lead to it; the compiled check does not know the formats. */
function formattedFields(field: Field, steps: readonly string[] = []): Formatted[] {
  const own = field.schema.format === undefined ? [] : [{ steps, format: field.schema.format }];
  const inner = [...field.fields].flatMap(([name, one]) => formattedFields(one, [...steps, name]));
  return [
    ...own,
    ...inner,
    ...(field.item === undefined ? [] : formattedFields(field.item, steps)),
  ];
}

function textsAt(value: unknown, steps: readonly string[]): string[] {
  if (Array.isArray(value)) return value.flatMap((entry) => textsAt(entry, steps));
  if (steps.length === 0) return typeof value === 'string' ? [value] : [];
  return isObject(value) ? textsAt(value[steps[0]!], steps.slice(1)) : [];
}
