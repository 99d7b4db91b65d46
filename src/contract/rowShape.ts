/** Row-shaped answers: the columns of their lists, and the path to the rows. */
import { type Contract, isReading } from './endpoint.ts';
import type { JsonSchema } from './jsonSchema.ts';

/** A column: the path to its value in a row, and whether its cells are numbers. */
export type RowColumn = {
  readonly path: readonly string[];
  readonly type: 'text' | 'number';
};

/** The path to the rows in an answer, and their columns. */
export type RowShape = {
  readonly path: readonly string[];
  readonly columns: readonly RowColumn[];
};

/**
 * The rows of an operation that reads a list; undefined for every other operation. The list is the
 * answer itself, one of its fields or a field in its `data`. Each field of an object in a row is a
 * column; a list in a row is one column.
 */
export function rowShapeOf(contract: Contract): RowShape | undefined {
  if (!isReading(contract) || contract.streamedAnswer === true) return undefined;
  const found = listIn(contract.answer as JsonSchema, []);
  return found && { path: found.path, columns: columnsOf(found.row, []) };
}

type Found = { readonly path: readonly string[]; readonly row: JsonSchema };

function listIn(schema: JsonSchema, path: readonly string[]): Found | undefined {
  if (schema.type === 'array')
    return schema.items?.properties === undefined ? undefined : { path, row: schema.items };
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (field.type !== 'array' && !(name === 'data' && path.length === 0)) continue;
    const found = listIn(field, [...path, name]);
    if (found) return found;
  }
  return undefined;
}

function columnsOf({ properties = {} }: JsonSchema, path: readonly string[]): RowColumn[] {
  return Object.entries(properties).flatMap(([name, given]) => {
    const own = [...path, name];
    const schema = withoutNull(given);
    if (schema.properties !== undefined) return columnsOf(schema, own);
    const isNumber = ['number', 'integer'].includes(schema.type ?? '') || schema.isFigure === true;
    return [{ path: own, type: isNumber ? 'number' : 'text' }];
  });
}

/** The only schema other than null, if there is just one. */
function withoutNull(schema: JsonSchema): JsonSchema {
  const others = (schema.anyOf ?? []).filter((one) => one.type !== 'null');
  return others.length === 1 ? others[0]! : schema;
}
