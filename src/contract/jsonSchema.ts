/** The parts of JSON Schema that contracts use. */
import type { FieldOptions } from './shapes.ts';

/** A schema, with the options that only this service reads. */
export type JsonSchema = FieldOptions & {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  /** True for an object of any fields. */
  readonly additionalProperties?: boolean;
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

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
