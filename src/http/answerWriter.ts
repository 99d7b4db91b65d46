/** Writes answers as JSON, by the schemas of their contracts. */
import writerOf from 'fast-json-stringify';
import type { JsonSchema } from '../contract/jsonSchema.ts';

type Writer = (answer: unknown) => string;

/**
 * The writer of a schema. It is made when the operation first answers: making all of them would
 * slow the start down.
 */
export function answerWriter({ schema }: { schema?: unknown }): Writer {
  let write: Writer | undefined;
  return (answer) => {
    write ??= writerOf(writable(schema as JsonSchema));
    return write(answer);
  };
}

/**
 * The schema without choices between a value and null: the writer would validate each value against
 * both.
 */
function writable(schema: JsonSchema): object {
  const { anyOf: [one, other, ...more] = [], properties, items, ...rest } = schema;
  if (one?.type !== undefined && other?.type === 'null' && more.length === 0)
    return { ...writable(one), nullable: true };
  const fields = Object.entries(properties ?? {});
  return {
    ...rest,
    ...(schema.anyOf && { anyOf: schema.anyOf.map(writable) }),
    ...(properties && {
      properties: Object.fromEntries(fields.map(([name, field]) => [name, writable(field)])),
    }),
    ...(items && { items: writable(items) }),
  };
}
