/**
 * Checks requests against contracts. A valid request passes one compiled check; for an invalid one
 * TypeBox lists what fails, and this file reports it in the order of the contract.
 */
import Type, { type TObject, type TProperties } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import Format from 'typebox/format';
import { Settings } from 'typebox/system';
import { dayNumber } from '../calendar/period.ts';
import { knownZone } from '../calendar/zone.ts';
import { distinctRules } from './distinct.ts';
import type { Contract, Rule } from './endpoint.ts';
import { failureWords, keywords } from './failureWords.ts';
import { objectReader } from './input.ts';
import { isObject, type JsonSchema } from './jsonSchema.ts';

/** The most failing rules that one answer lists. */
export const failuresMax = 50;

// Lists are read up to one entry more than allowed, so a field cannot have many more errors than
// this.
Settings.Set({ maxErrors: 20_000 });
Format.Set('timezone', knownZone);
Format.Set('date', isDate);

/** A request as it arrived. */
export type RawRequest = {
  readonly path?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
};

/** One failing rule; `order` is the position of its field in the contract. */
export type Failure = { readonly order: number; readonly text: string };

/** The result of a check. */
export type Checked = {
  /** The fields that the contract knows, with their defaults; reliable only without failures. */
  readonly input: Record<string, unknown>;
  readonly failures: readonly Failure[];
  /** Whether the field at a path, with all fields inside it and around it, is valid by itself. */
  readonly isValid: (path: string) => boolean;
};

/** The check of a contract, compiled when it first runs. */
export type Check = {
  readonly run: (request: RawRequest) => Checked;
  /** The position of a field in the contract, for failures that others add. */
  readonly orderOf: (path: string) => number;
};

/** The failing rules in the order of the contract, separated by commas. */
export function sayFailures(failures: readonly Failure[]): string {
  const texts = failures.toSorted((a, b) => a.order - b.order).map((failure) => failure.text);
  return texts.length > failuresMax
    ? [...texts.slice(0, failuresMax), 'and more'].join(', ')
    : texts.join(', ');
}

/** Makes the check of a contract. */
export function compileCheck({
  pathParameters,
  query,
  body,
  rules: ownRules = [],
}: Pick<Contract, 'pathParameters' | 'query' | 'body' | 'rules'>): Check {
  const properties: TProperties = {
    ...pathParameters?.properties,
    ...query?.properties,
    ...body?.properties,
  };
  const schema = Type.Object(properties) as TObject & JsonSchema;
  const rules = [...distinctRules(schema), ...ownRules];
  let compiled: Validator | undefined;
  const readPath = objectReader(pathParameters as JsonSchema | undefined, true);
  const readQuery = objectReader(query as JsonSchema | undefined, true);
  const readBody = objectReader(body as JsonSchema | undefined, false);
  const orders = ordersOf(schema);
  const orderOf = (path: string) => orders.get(path) ?? 0;
  const bodyNames = new Set(Object.keys(body?.properties ?? {}));

  function run(request: RawRequest): Checked {
    const input: Record<string, unknown> = {};
    readPath(request.path, input);
    readQuery(request.query, input);
    const hasBody = request.body === undefined || isObject(request.body);
    readBody(hasBody ? (request.body ?? {}) : {}, input);
    compiled ??= Compile(schema);
    const isWhole = hasBody && compiled.Check(input) && isStorable(input);
    if (isWhole && !rules.some((rule) => rule.check(input) !== undefined))
      return { input, failures: [], isValid: () => true };
    return explain(input, hasBody, isWhole);
  }

  function explain(input: Record<string, unknown>, hasBody: boolean, isWhole: boolean): Checked {
    const failures: Failure[] = [];
    const failed = new Set<string>();
    if (!hasBody) {
      const [first = ''] = bodyNames;
      failures.push({ order: orderOf(first), text: 'the body must be a JSON object' });
      for (const name of bodyNames) failed.add(name);
    }
    if (!isWhole) {
      for (const { path, text } of fieldFailures(compiled!, input)) {
        if (!hasBody && bodyNames.has(path)) continue;
        failed.add(path);
        // Beyond the limit, a field still counts as failed but its failure is not listed.
        if (failures.length <= failuresMax) failures.push({ order: orderOf(path), text });
      }
      // Should a keyword be missed, an invalid request is still refused.
      if (failures.length === 0)
        failures.push({ order: 0, text: 'the request does not keep the rules of this operation' });
    }
    const isValid = (path: string) =>
      ![...failed].some((other) => within(other, path) || within(path, other));
    failures.push(...ruleFailures(rules, input, isValid, orderOf));
    return { input, failures, isValid };
  }

  return { run, orderOf };
}

/** The failures of rules whose fields are valid. */
function ruleFailures(
  rules: readonly Rule[],
  input: unknown,
  isValid: (path: string) => boolean,
  orderOf: (path: string) => number,
): Failure[] {
  return rules.flatMap((rule) => {
    if (![rule.at, ...(rule.reads ?? [])].every(isValid)) return [];
    const text = rule.check(input);
    // Half a position later: a rule between fields follows the rules of its own field.
    return text === undefined ? [] : [{ order: orderOf(rule.at) + 0.5, text }];
  });
}

function within(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}.`);
}

/** Positions of fields by path. Fields of list entries have the path of the list. */
function ordersOf(schema: JsonSchema): Map<string, number> {
  const orders = new Map<string, number>();
  const visit = ({ properties = {} }: JsonSchema, path: string): void => {
    orders.set(path, orders.size);
    for (const [name, property] of Object.entries(properties))
      visit(property, path === '' ? name : `${path}.${name}`);
  };
  visit(schema, '');
  return orders;
}

/** A failing keyword at a place of the input. */
type FieldFailure = {
  /** The path of the field, such as `offers.price`; list entries have the path of the list. */
  readonly path: string;
  readonly text: string;
};

/** The failures of fields by themselves, in the order of the contract; one for each place. */
function fieldFailures(compiled: Validator, input: Record<string, unknown>): FieldFailure[] {
  const schema = compiled.Type() as JsonSchema;
  const keywordsByPointer = new Map<string, string>();
  const add = (pointer: string, keyword: string) => {
    const known = keywordsByPointer.get(pointer);
    if (known === undefined || keywords.indexOf(keyword) < keywords.indexOf(known))
      keywordsByPointer.set(pointer, keyword);
  };
  for (const error of compiled.Errors(input)) {
    const [outside, ...alternatives] = error.schemaPath.split('/anyOf/');
    // The alternatives of a union are reported as one failure of the union.
    if (alternatives.length > 0) {
      const depth = outside!.match(/\/(?:properties|items)(?=\/|$)/g)?.length ?? 0;
      add(
        error.instancePath
          .split('/')
          .slice(0, depth + 1)
          .join('/'),
        'anyOf',
      );
    } else if (error.keyword === 'required')
      for (const name of error.params.requiredProperties)
        add(`${error.instancePath}/${name}`, 'required');
    else add(error.instancePath, error.keyword);
  }
  for (const pointer of unstorableTexts(input)) add(pointer, 'text');
  const places = [...keywordsByPointer].map(([pointer, keyword]) => ({
    keyword,
    ...placeOf(schema, input, pointer),
  }));
  places.sort((a, b) => comparePositions(a.positions, b.positions));
  const failures: FieldFailure[] = [];
  let last: readonly number[] | undefined;
  for (const { keyword, schema: at, value, name, path, positions } of places) {
    // Nothing is said about the inside of a value that fails as a whole.
    if (last?.every((position, depth) => position === positions[depth])) continue;
    last = positions;
    failures.push({ path, text: `${name} ${failureWords(at, keyword, value)}` });
  }
  return failures;
}

/** A value of the input, with its schema. */
type Place = {
  readonly schema: JsonSchema;
  readonly value: unknown;
  /** As failures name it, such as `offers[2].price`. */
  readonly name: string;
  readonly path: string;
  /** The position at each step of the pointer, by which failures are sorted. */
  readonly positions: readonly number[];
};

/** The place of a JSON pointer. */
function placeOf(root: JsonSchema, input: unknown, pointer: string): Place {
  let place: Place = { schema: root, value: input, name: '', path: '', positions: [] };
  for (const step of pointer.split('/').slice(1)) place = placeWithin(place, step);
  return place;
}

function placeWithin({ schema, value, name, path, positions }: Place, step: string): Place {
  if (Array.isArray(value)) {
    const index = Number(step);
    return {
      schema: schema.items ?? {},
      value: value[index],
      name: `${name}[${step}]`,
      path,
      positions: [...positions, index],
    };
  }
  const { properties = {} } = schema;
  const isInList = name.includes('[');
  return {
    schema: properties[step] ?? {},
    value: (value as Record<string, unknown>)[step],
    name: name === '' ? step : `${name}.${step}`,
    path: isInList ? path : path === '' ? step : `${path}.${step}`,
    positions: [...positions, Object.keys(properties).indexOf(step)],
  };
}

function comparePositions(a: readonly number[], b: readonly number[]): number {
  for (const [depth, position] of a.entries()) {
    const other = b[depth];
    if (other === undefined) return 1;
    if (position !== other) return position - other;
  }
  return a.length - b.length;
}

/**
 * Whether every store keeps all texts as they are: none keeps half a character, PostgreSQL no NUL.
 */
function isStorable(value: unknown): boolean {
  for (const { value: one } of partsOf(value)) if (!isStorableText(one)) return false;
  return true;
}

/** JSON pointers of the texts that are not storable. */
function* unstorableTexts(value: unknown): Generator<string> {
  for (const part of partsOf(value)) {
    if (isStorableText(part.value)) continue;
    const steps: string[] = [];
    for (let at: Part | undefined = part; at?.parent !== undefined; at = at.parent)
      steps.push(at.step);
    yield steps
      .reverse()
      .map((step) => `/${step}`)
      .join('');
  }
}

function isStorableText(value: unknown): boolean {
  return typeof value !== 'string' || (value.isWellFormed() && !value.includes('\0'));
}

/** A value within another one. */
type Part = { readonly value: unknown; readonly parent: Part | undefined; readonly step: string };

/**
 * A value and all values within it. Not recursive, because a body may be nested deeper than the
 * stack is.
 */
function* partsOf(value: unknown): Generator<Part> {
  const parts: Part[] = [{ value, parent: undefined, step: '' }];
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    yield part;
    if (typeof part.value !== 'object' || part.value === null) continue;
    for (const [step, one] of Object.entries(part.value))
      parts.push({ value: one, parent: part, step });
  }
}

function isDate(text: string): boolean {
  try {
    dayNumber(text);
    return true;
  } catch {
    return false;
  }
}
