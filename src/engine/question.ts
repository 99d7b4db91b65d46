/** Questions: `.sql` files with typed parameters `{name:Type}`, written once and asked of either engine. */
import { readFileSync } from 'node:fs';
import { factTables } from '../../schema/warehouse/tables.ts';
import type { Row } from './warehouse.ts';

/** The types that a parameter may have. */
export type ParameterType =
  | 'Int32'
  | 'Int64'
  | 'Float64'
  | 'String'
  | 'Date'
  | 'Array(Int32)'
  | 'Array(Int64)'
  | 'Array(Float64)'
  | 'Array(String)'
  | 'Array(Date)';

/** A question: its body and what it is asked with. `R` is the shape of one row of its answer. */
export type Question<R extends Row = Row> = {
  readonly name: string;
  /** The body as written, without its comments. */
  readonly sql: string;
  readonly parameters: Readonly<Record<string, ParameterType>>;
  /** The fact tables and rollups that it reads. */
  readonly tables: readonly string[];
  /** Only a type: the rows' shape. */
  readonly row?: R;
};

const parameterPattern = /\{(\w+):([\w()]+)\}/g;

/** Where a fact table or rollup is read in a body: after FROM or JOIN. */
export const tablePattern = new RegExp(
  `\\b(FROM|JOIN)\\s+(${factTables.map((table) => table.name).join('|')})\\b`,
  'g',
);

/** Makes a question of a body. Every question that reads facts must say whose: by the parameter `channel` or `channels`. */
export function question<R extends Row>(name: string, body: string): Question<R> {
  const sql = body
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('--'))
    .join('\n')
    .trim();
  const parameters: Record<string, ParameterType> = {};
  for (const [, parameter, type] of sql.matchAll(parameterPattern))
    parameters[parameter!] = type as ParameterType;
  const tables = [...new Set([...sql.matchAll(tablePattern)].map((match) => match[2]!))];
  if (tables.length > 0 && !('channel' in parameters) && !('channels' in parameters)) {
    throw new Error(
      `The question ${name} reads ${tables.join(', ')} without saying whose facts it asks for`,
    );
  }
  return { name, sql, parameters, tables };
}

/** Reads a question from the `.sql` file beside the module that asks it: `questionFile(import.meta.url, 'NAME.sql')`. */
export function questionFile<R extends Row>(moduleUrl: string, file: string): Question<R> {
  return question<R>(file.replace(/\.sql$/, ''), readFileSync(new URL(file, moduleUrl), 'utf8'));
}

/** The body with every parameter replaced by what `place` returns for it. */
export function replaceParameters(
  sql: string,
  place: (name: string, type: ParameterType) => string,
): string {
  return sql.replace(parameterPattern, (_, name: string, type: string) =>
    place(name, type as ParameterType),
  );
}
