/** Schemas as descriptions publish them: named, and without options for this service alone. */
import type { TObject } from 'typebox';

/** Schemas by their names in a description. */
export type Schemas = Record<string, unknown>;

type Change = (object: Record<string, unknown>) => Record<string, unknown>;

/**
 * The required fields for a client: a field with a default is optional, although checked input
 * always has it.
 */
export function requiredOf({
  properties,
  required = [],
}: Pick<TObject, 'properties'> & { required?: readonly string[] }): readonly string[] {
  return required.filter((name) => !('default' in properties[name]!));
}

/**
 * A schema as it applies to a client; named schemas either go to `schemas` and are referred to, or
 * stay in place.
 */
export function clientSchema(schema: unknown, schemas?: Schemas): unknown {
  return published(schema, schemas, ({ distinctMax, ...object }) => {
    if (distinctMax !== undefined) return { ...object, maxItems: distinctMax };
    if (object.type !== 'object' || object.properties === undefined) return object;
    const { required: _, ...others } = object;
    const required = requiredOf(object as unknown as TObject);
    return required.length > 0 ? { ...others, required } : others;
  });
}

/**
 * A schema of an answer; named schemas either go to `schemas` and are referred to, or stay in
 * place.
 */
export function plainSchema(schema: unknown, schemas?: Schemas): unknown {
  return published(schema, schemas, (object) => object);
}

const ownKeywords: ReadonlySet<string> = new Set([
  'component',
  'words',
  'trimmed',
  'letters',
  'isFigure',
  '~refine',
  '~kind',
  '~optional',
]);

function published(value: unknown, schemas: Schemas | undefined, change: Change): unknown {
  if (Array.isArray(value)) return value.map((one) => published(one, schemas, change));
  if (typeof value !== 'object' || value === null) return value;
  const changed = change(value as Record<string, unknown>);
  const schema = Object.fromEntries(
    Object.entries(changed)
      .filter(([keyword]) => !ownKeywords.has(keyword))
      .map(([keyword, one]) => [
        keyword,
        keyword === 'properties'
          ? publishedEach(one, schemas, change)
          : published(one, schemas, change),
      ]),
  );
  const { component } = changed;
  return typeof component === 'string' && schemas !== undefined
    ? referenceTo(component, schema, schemas)
    : schema;
}

/** Names under `properties` may equal keywords, so they are never removed. */
function publishedEach(properties: unknown, schemas: Schemas | undefined, change: Change): unknown {
  return Object.fromEntries(
    Object.entries(properties as Record<string, unknown>).map(([name, schema]) => [
      name,
      published(schema, schemas, change),
    ]),
  );
}

function referenceTo(name: string, schema: unknown, schemas: Schemas): object {
  const known = schemas[name];
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
    throw new Error(`two schemas are called ${name}`);
  schemas[name] = schema;
  return { $ref: `#/components/schemas/${name}` };
}
