/** Questions: `.sql` bodies with typed parameters `{name:Type}`, which either engine answers. */
import { readFileSync } from 'node:fs';
import { factTables } from '../../schema/warehouse/tables.ts';
import type { Parameters, Row } from './values.ts';
import { type ParameterType, parametersRead } from './vocabulary.ts';

/** A question: its body and its parameters. `R` is the shape of one row of its answer. */
export type Question<R extends Row = Row> = {
  readonly name: string;
  /** The body without its comments; the words of the vocabulary stand as written. */
  readonly sql: string;
  /** The parameters of the body, with those that its words read by themselves. */
  readonly parameters: Readonly<Record<string, ParameterType>>;
  /** The fact tables and rollups that it reads. */
  readonly tables: readonly string[];
  /** Whether the working set caches its answers. */
  readonly isCached: boolean;
  /** Only a type: the shape of a row. */
  readonly row?: R;
};

/**
 * The filling of each `{name}` of a body: the name of a table or column, a list, or the rows of
 * another file. A list of columns, sums or terms of an order is joined by commas, and
 * `{alias.name}` puts the alias before each of them.
 */
export type Places = Readonly<Record<string, string | readonly string[] | Part>>;

/** The body of a file whose rows stand, in parentheses, where a table may, and its own places. */
export type Part = { readonly rows: string; readonly places: Places };

const parameterPattern = /\{(\w+):([\w()]+)\}/g;
const placePattern = /\{(?:(\w+)\.)?(\w+)\}/g;
const filePattern = /\{([\w./-]+\.sql)\}/g;
/** Besides lists and files, a place takes no SQL but the name of a table or column. */
const namePattern = /^\w+$/;

/** Where a body reads a fact table or rollup: after FROM or JOIN. */
export const tablePattern = new RegExp(
  `\\b(FROM|JOIN)\\s+(${factTables.map((table) => table.name).join('|')})\\b`,
  'g',
);

/**
 * Makes a question of a body. A question that reads facts must name its channels, in the parameter
 * `channel` or `channels`.
 */
export function question<R extends Row>(
  name: string,
  body: string,
  places: Places = {},
): Question<R> {
  const sql = withPlaces(name, withoutComments(body), places);
  const parameters: Record<string, ParameterType> = { ...parametersRead(sql) };
  for (const [, parameter, type] of sql.matchAll(parameterPattern))
    parameters[parameter!] = type as ParameterType;
  const tables = [...new Set([...sql.matchAll(tablePattern)].map((match) => match[2]!))];
  if (tables.length > 0 && !('channel' in parameters) && !('channels' in parameters))
    throw new Error(`The question ${name} reads ${tables.join(', ')} but names no channel`);
  return { name, sql, parameters, tables, isCached: true };
}

/** Declares that answers are large and rarely requested twice, so that none is cached. */
export function uncached<R extends Row>(original: Question<R>): Question<R> {
  return { ...original, isCached: false };
}

/** The channels that a question names. */
export function channelsOf({ channels = [], channel }: Parameters): readonly number[] {
  const one = channel === undefined ? [] : [channel as number];
  return [...(channels as readonly number[]), ...one];
}

/** Reads a question from a `.sql` file: `questionFile(import.meta.url, 'NAME.sql')`. */
export function questionFile<R extends Row>(
  moduleUrl: string,
  file: string,
  places: Places = {},
): Question<R> {
  return question<R>(questionName(file), bodyFile(moduleUrl, file), places);
}

/** Reads a `.sql` file without its comments, and the files that it names as `{NAME.sql}`. */
export function bodyFile(moduleUrl: string, file: string): string {
  const url = new URL(file, moduleUrl);
  const body = withoutComments(readFileSync(url, 'utf8'));
  return body.replace(filePattern, (_, named: string) => bodyFile(url.href, named));
}

/** Reads a part of questions from a `.sql` file: `partFile(import.meta.url, 'NAME.sql')`. */
export function partFile(moduleUrl: string, file: string, places: Places = {}): Part {
  return { rows: bodyFile(moduleUrl, file), places };
}

/** The name of a question that is read from a file. */
export function questionName(file: string): string {
  return file.replace(/\.sql$/, '');
}

/** The body with every parameter replaced by the text that `write` returns for it. */
export function replaceParameters(
  sql: string,
  write: (name: string, type: ParameterType) => string,
): string {
  return sql.replace(parameterPattern, (_, name: string, type: string) =>
    write(name, type as ParameterType),
  );
}

/** The body without its lines of comments. */
function withoutComments(body: string): string {
  return body
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('--'))
    .join('\n')
    .trim();
}

/** Fills the places of a body, and the places within the filled-in parts. */
function withPlaces(name: string, sql: string, places: Places): string {
  return sql.replace(placePattern, (place, alias: string | undefined, key: string) => {
    if (!Object.hasOwn(places, key)) throw new Error(`The question ${name} lacks ${place}`);
    const filling = places[key]!;
    if (typeof filling !== 'string' && !('rows' in filling))
      return filling.map((one) => (alias ? `${alias}.${one}` : one)).join(', ');
    if (alias) throw new Error(`The question ${name} has ${place}, but ${key} is no list`);
    if (typeof filling !== 'string')
      return `(\n${withPlaces(name, filling.rows, { ...places, ...filling.places })}\n)`;
    if (!namePattern.test(filling))
      throw new Error(`The question ${name} needs a name for ${place} instead of ${filling}`);
    return filling;
  });
}
