/** Finds the fields of a request that its contract does not know. */
import { isObject, type JsonSchema } from './jsonSchema.ts';

/** The most unknown fields that an answer names. */
export const unknownMax = 20;

/** An unknown field. */
type UnknownField = {
  /** The path of the object around it, `''` for the request itself. */
  readonly within: string;
  readonly name: string;
  /** The known fields of this object. */
  readonly known: readonly string[];
};

/** Adds the unknown fields of a value to `found`. */
type Find = (value: unknown, path: string, found: UnknownField[]) => void;

/** Finds the unknown fields in the query and the body of a request. */
export type UnknownFinder = {
  /** The paths of the unknown fields, in a form that a header may hold. */
  readonly paths: (query: unknown, body: unknown) => string[];
  /** A failing rule for each unknown field. */
  readonly failures: (query: unknown, body: unknown) => string[];
};

/** Makes the finder for a contract's query and body. */
export function unknownFinder(
  query: JsonSchema | undefined,
  body: JsonSchema | undefined,
): UnknownFinder {
  const inQuery = findIn(query?.properties ?? {}, true);
  const inBody = findIn(body?.properties ?? {}, false);
  const paths = [...pathsOf(query), ...pathsOf(body)];
  const find = (sentQuery: unknown, sentBody: unknown) => {
    const found: UnknownField[] = [];
    inQuery(sentQuery, '', found);
    inBody(sentBody, '', found);
    return found;
  };
  return {
    paths: (...sent) =>
      find(...sent)
        .slice(0, unknownMax)
        .map(shownPath),
    failures: (...sent) => {
      const found = find(...sent);
      const texts = found.slice(0, unknownMax).map((field) => failureOf(field, paths));
      return found.length > unknownMax ? [...texts, 'more fields are not known'] : texts;
    },
  };
}

function findIn(properties: Readonly<Record<string, JsonSchema>>, isQuery: boolean): Find {
  const known = Object.keys(properties);
  const inside = new Map<string, Find | undefined>();
  for (const [name, schema] of Object.entries(properties)) {
    inside.set(name, findInside(schema));
    // A list may also be sent as `a[]=1`.
    if (isQuery && schema.type === 'array') inside.set(`${name}[]`, undefined);
  }
  return (value, within, found) => {
    if (!isObject(value)) return;
    for (const name of Object.keys(value)) {
      if (found.length > unknownMax) return;
      if (inside.has(name)) inside.get(name)?.(value[name], joined(within, name), found);
      else found.push({ within, name, known });
    }
  };
}

/** The search within the value of a field; undefined if the value holds no objects. */
function findInside({ properties, items, additionalProperties }: JsonSchema): Find | undefined {
  if (additionalProperties === true) return undefined;
  if (properties !== undefined) return findIn(properties, false);
  const inEntry = items && findInside(items);
  return (
    inEntry &&
    ((value, path, found) => {
      if (!Array.isArray(value)) return;
      for (const [index, entry] of value.entries()) {
        if (found.length > unknownMax) return;
        inEntry(entry, `${path}[${index}]`, found);
      }
    })
  );
}

function joined(within: string, name: string): string {
  return within === '' ? name : `${within}.${name}`;
}

/** The paths of all fields of a schema. */
function pathsOf(schema: JsonSchema | undefined, within = ''): string[] {
  return Object.entries(schema?.properties ?? {}).flatMap(([name, property]) => {
    const path = joined(within, name);
    return [path, ...pathsOf(property, path)];
  });
}

/** The path; a name that does not look like one may be a misplaced secret. */
function shownPath({ within, name }: UnknownField): string {
  return joined(within, isShown(name) ? name : '(withheld)');
}

function isShown(name: string): boolean {
  return /^(?=.{1,40}$)[A-Za-z]\w*(?:-\w+)?(?:\[\])?$/.test(name);
}

function failureOf(field: UnknownField, paths: readonly string[]): string {
  const meant = meantField(field, paths);
  const text = `${shownPath(field)} is not known`;
  return meant === undefined ? text : `${text}: did you mean ${meant}?`;
}

/**
 * The field that the client probably meant: one with a similar name, or one with this name in
 * another object.
 */
function meantField({ within, name, known }: UnknownField, paths: readonly string[]) {
  if (!isShown(name)) return undefined;
  const lower = name.toLowerCase();
  const [closest] = known
    .map((one) => ({ one, changes: changesBetween(lower, one.toLowerCase()) }))
    // Two letters that swapped places are two changes.
    .filter(({ one, changes }) => changes <= (one.length < 4 ? 1 : Math.max(2, one.length / 4)))
    .sort((a, b) => a.changes - b.changes);
  if (closest !== undefined) return joined(within, closest.one);
  return paths.find((path) => path === name || path.endsWith(`.${name}`));
}

/** How many letters must be changed, added or removed to turn one text into the other. */
function changesBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, length) => length);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (let place = 0; place < other.length; place++) {
      const changed = row[place]! + (letter === other[place] ? 0 : 1);
      next.push(Math.min(next[place]! + 1, row[place + 1]! + 1, changed));
    }
    row = next;
  }
  return row.at(-1)!;
}
