/** Schemas of inputs in as few words as assistants need; the service checks the rest. */
import type { TObject } from 'typebox';
import { isObject, type JsonSchema } from '../contract/jsonSchema.ts';
import { requiredOf } from '../contract/publishedSchemas.ts';
import { pageIndexMax } from '../contract/shapes.ts';
import { isDate } from './dates.ts';
import { isOfPrior } from './priors.ts';

const dateWords = 'YYYY-MM-DD or epoch seconds.';
const epochWords = ' Unix epoch time in whole seconds.';

/** How much a schema says of its fields: the first sentence, or all. */
export type Detail = 'brief' | 'full';

/** The schema of an input; dates may be ISO 8601, and comparison periods are never required. */
export function leanSchema(schema: JsonSchema, detail: Detail): Record<string, unknown> {
  const { type, properties, items, anyOf, enum: values, maxItems, distinctMax } = schema;
  const description = descriptionOf(schema, detail);
  if (isDate(schema)) return { type: ['string', 'integer'], ...description };
  const bounds = ['minimum', 'maximum'] as const;
  const limits = bounds
    .map((name) => [name, schema[name]] as const)
    .filter(([, limit]) => limit !== undefined && limit !== 0 && limit < pageIndexMax);
  const most = distinctMax ?? maxItems;
  return {
    ...(type !== undefined && { type }),
    ...(values !== undefined && { enum: values }),
    ...(schema.default !== undefined && { default: schema.default }),
    ...Object.fromEntries(limits),
    ...(most !== undefined && { maxItems: most }),
    ...description,
    ...(items !== undefined && { items: leanSchema(items, detail) }),
    ...(anyOf !== undefined && { anyOf: anyOf.map((one) => leanSchema(one, detail)) }),
    ...(properties !== undefined && fieldsOf(schema as JsonSchema & TObject, detail)),
  };
}

function fieldsOf(schema: TObject & JsonSchema, detail: Detail) {
  const required = requiredOf(schema).filter((name) => !isOfPrior(name));
  const fields = Object.entries(schema.properties as Record<string, JsonSchema>);
  return {
    properties: Object.fromEntries(fields.map(([name, one]) => [name, leanSchema(one, detail)])),
    ...(required.length > 0 && { required }),
  };
}

function descriptionOf(schema: JsonSchema, detail: Detail): { description?: string } {
  const { description } = schema;
  if (typeof description !== 'string') return {};
  const said = isDate(schema) ? description.replace(epochWords, ` ${dateWords}`) : description;
  if (detail === 'full') return { description: said };
  const [first = ''] = description.split(/(?<=\.) (?=[A-Z])/);
  return { description: isDate(schema) ? first.replace(/\.$/, `: ${dateWords}`) : first };
}

/** The meaning of each field of an answer by its path; `[]` stands for each entry of a list. */
export function meaningsOf(schema: unknown, path = ''): Record<string, string> {
  if (!isObject(schema)) return {};
  const { properties, items, anyOf } = schema as JsonSchema;
  const parts = [
    ...Object.entries(properties ?? {}).map(([name, field]) => {
      const within = path === '' ? name : `${path}.${name}`;
      const { description } = field;
      const own = typeof description === 'string' ? { [within]: description } : {};
      return { ...own, ...meaningsOf(field, within) };
    }),
    ...(items === undefined ? [] : [meaningsOf(items, `${path}[]`)]),
    ...(anyOf ?? []).map((one) => meaningsOf(one, path)),
  ];
  return Object.assign({}, ...parts);
}
