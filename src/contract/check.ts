/**
 * Checks requests against contracts. A valid request passes one compiled check; the failures of an
 * invalid one are listed in the order of the contract.
 */
import Type, { type TObject, type TProperties } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import Format from 'typebox/format';
import { dayNumber } from '../calendar/period.ts';
import { knownZone } from '../calendar/zone.ts';
import { distinctRules } from './distinct.ts';
import type { Contract, RuleFailures, RuleFields } from './endpoint.ts';
import { fieldFailures, listedMax } from './fieldFailures.ts';
import { objectReader } from './input.ts';
import { isObject, type JsonSchema } from './jsonSchema.ts';
import { isStorable } from './storable.ts';
import { unknownFinder } from './unknownFields.ts';

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
  /** Whether all fields that a rule reads are valid by themselves. */
  readonly canCheck: (rule: RuleFields) => boolean;
  /** The paths of the fields that the contract does not know and that do not fail. */
  readonly ignored: readonly string[];
};

/** The check of a contract, compiled when it first runs. */
export type Check = {
  /** Checks a request; with `isStrict` unknown fields fail. */
  readonly run: (request: RawRequest, isStrict?: boolean) => Checked;
  /** The failures of a rule, at the position of its field. */
  readonly place: (rule: RuleFields, failures: RuleFailures) => Failure[];
};

/** The failing rules in the order of the contract, separated by commas. */
export function sayFailures(failures: readonly Failure[]): string {
  return failures
    .toSorted((a, b) => a.order - b.order)
    .map((failure) => failure.text)
    .join(', ');
}

/** The first failures of a rule about the entries of a list; undefined if there are none. */
export function firstFailures(texts: readonly string[], list: string): RuleFailures {
  if (texts.length === 0) return undefined;
  return texts.length > listedMax
    ? [...texts.slice(0, listedMax), `${list} has more entries that fail`]
    : texts;
}

type Parts = 'pathParameters' | 'query' | 'body';

/** Makes the check of a contract. */
export function compileCheck(contract: Pick<Contract, Parts | 'rules'>): Check {
  const { pathParameters, query, body, rules: ownRules = [] } = contract;
  const properties: TProperties = {
    ...pathParameters?.properties,
    ...query?.properties,
    ...body?.properties,
  };
  const schema = Type.Object(properties) as TObject & JsonSchema;
  const rules = [...distinctRules(schema), ...ownRules];
  let compiled: Validator | undefined;
  const read = requestReader(contract);
  // Failures name entries by their positions in the client's request.
  const readWritten = requestReader(contract, true);
  const unknown = unknownFinder(query as JsonSchema | undefined, body as JsonSchema | undefined);
  const orders = ordersOf(schema);
  const orderOf = (path: string) => orders.get(path.replace('[]', '')) ?? 0;
  const bodyNames = new Set(Object.keys(body?.properties ?? {}));

  function run(request: RawRequest, isStrict = false): Checked {
    const hasBody = request.body === undefined || isObject(request.body);
    const input = read(request);
    compiled ??= Compile(schema);
    const ignored = unknown.paths(request.query, request.body);
    const isKnown = !isStrict || ignored.length === 0;
    const isWhole = hasBody && compiled.Check(input) && isStorable(input);
    if (isKnown && isWhole && rules.every((rule) => rule.check(input) === undefined))
      return { input, failures: [], canCheck: () => true, ignored };
    const checked = explain(readWritten(request), hasBody, isWhole);
    if (isKnown) return { ...checked, ignored };
    const order = orders.size + 1;
    const refused = unknown.failures(request.query, request.body).map((text) => ({ order, text }));
    return { ...checked, failures: [...checked.failures, ...refused], ignored: [] };
  }

  function explain(input: Record<string, unknown>, hasBody: boolean, isWhole: boolean) {
    const failures: Failure[] = [];
    const failed = new Set<string>();
    if (!hasBody) {
      const [first = ''] = bodyNames;
      failures.push({ order: orderOf(first), text: 'the body must be a JSON object' });
      for (const name of bodyNames) failed.add(name);
    }
    if (!isWhole) {
      for (const { path, text } of fieldFailures(schema, input)) {
        if (!hasBody && bodyNames.has(path)) continue;
        failed.add(path);
        failures.push({ order: orderOf(path), text });
      }
      // If no failure was found, an invalid request is still refused.
      if (failures.length === 0)
        failures.push({ order: 0, text: 'the request does not keep the rules of this operation' });
    }
    const canCheck = ({ at, reads = [] }: RuleFields) =>
      [at, ...reads].every((path) => isValid(path, failed));
    for (const rule of rules) if (canCheck(rule)) failures.push(...place(rule, rule.check(input)));
    return { input, failures, canCheck };
  }

  function place({ at }: RuleFields, failures: RuleFailures): Failure[] {
    if (failures === undefined) return [];
    // Half a position later: a rule between fields follows the rules of its own field.
    const order = orderOf(at) + 0.5;
    return [failures].flat().map((text) => ({ order, text }));
  }

  return { run, place };
}

/** Makes the reader of a request's known fields; a body that is not an object has none. */
function requestReader(
  { pathParameters, query, body }: Pick<Contract, Parts>,
  withRepeats = false,
) {
  const readPath = objectReader(pathParameters as JsonSchema | undefined, true);
  const readQuery = objectReader(query as JsonSchema | undefined, true, withRepeats);
  const readBody = objectReader(body as JsonSchema | undefined, false, withRepeats);
  return (request: RawRequest): Record<string, unknown> => {
    const input: Record<string, unknown> = {};
    readPath(request.path, input);
    readQuery(request.query, input);
    readBody(isObject(request.body) ? request.body : {}, input);
    return input;
  };
}

/** Whether nothing failed at a path, within it or around it. */
function isValid(path: string, failed: ReadonlySet<string>): boolean {
  const field = path.replace('[]', '');
  return ![...failed].some(
    (other) =>
      other === path ||
      other === field ||
      field.startsWith(`${other}.`) ||
      other.startsWith(`${path}.`),
  );
}

/** The positions of fields by path. Fields of list entries have the path of the list. */
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

function isDate(text: string): boolean {
  try {
    dayNumber(text);
    return true;
  } catch {
    return false;
  }
}
