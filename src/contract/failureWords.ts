/** The words in which a failing keyword of a schema is reported. */
import { isRepeated } from './input.ts';
import type { JsonSchema } from './jsonSchema.ts';

const typeWords: Readonly<Record<string, string>> = {
  integer: 'an integer',
  number: 'a number',
  string: 'a string',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null',
};

const wordsByKeyword: Readonly<Record<string, (schema: JsonSchema, value: unknown) => string>> = {
  required: () => 'is required',
  type: (schema, value) =>
    isRepeated(value)
      ? 'must be given once'
      : `must be ${typeWords[schema.type ?? ''] ?? schema.type}`,
  anyOf: ({ anyOf = [] }) => `must be ${anyOf.map(alternativeWords).join(' or ')}`,
  enum: (schema) => `must be ${schema.enum!.join(' or ')}`,
  const: (schema) => `must be ${schema.const}`,
  minLength: ({ minLength }) =>
    minLength === 1 ? 'must not be empty' : `must have at least ${minLength} characters`,
  maxLength: ({ maxLength }) => `must have at most ${maxLength} characters`,
  minimum: ({ minimum }) => `must be at least ${minimum}`,
  maximum: ({ maximum }) => `must be at most ${maximum}`,
  minItems: ({ minItems }) =>
    minItems === 1 ? 'must not be empty' : `must have at least ${minItems} entries`,
  maxItems: ({ maxItems }) => `must have at most ${maxItems} entries`,
  uniqueItems: () => 'must not hold an entry twice',
  format: ({ format }) => `must be a ${format}`,
  text: () => 'must be whole characters without NUL',
};

/** Keywords in order of precedence: of several failing keywords, only the first is reported. */
export const keywords: readonly string[] = [
  'required',
  'anyOf',
  'type',
  'enum',
  'const',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'text',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'uniqueItems',
];

/** The failure of a keyword, without the name of the field. */
export function failureWords(schema: JsonSchema, keyword: string, value: unknown): string {
  return (
    schema.words?.[keyword] ??
    wordsByKeyword[keyword]?.(schema, value) ??
    'does not have the expected form'
  );
}

function alternativeWords(schema: JsonSchema): string {
  if (schema.const !== undefined) return String(schema.const);
  if (schema.words?.type !== undefined) return schema.words.type.replace(/^must be /, '');
  return typeWords[schema.type ?? ''] ?? 'another value';
}
