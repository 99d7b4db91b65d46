/** The rule that limits how many different entries a list may have. */
import type { Rule } from './endpoint.ts';
import type { JsonSchema } from './jsonSchema.ts';

/** The rules of all lists in a schema that have a `distinctMax`. */
export function distinctRules(schema: JsonSchema, path = ''): Rule[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const at = path === '' ? name : `${path}.${name}`;
    return property.distinctMax === undefined
      ? distinctRules(property, at)
      : [distinctRule(at, property.distinctMax)];
  });
}

function distinctRule(at: string, max: number): Rule {
  const names = at.split('.');
  const entriesOf = (input: unknown) =>
    names.reduce((value, name) => (value as Record<string, unknown>)?.[name], input);
  return {
    at,
    reads: [`${at}[]`],
    check: (input) =>
      new Set(entriesOf(input) as readonly unknown[] | undefined).size > max
        ? `${at} must have at most ${max} different entries`
        : undefined,
  };
}
