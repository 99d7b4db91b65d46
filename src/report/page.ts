/** Lists in any order, by pages. What no parameter can say is placed in the text of questions here and nowhere else. */
import { readFileSync } from 'node:fs';
import { type Question, question } from '../engine/question.ts';
import type { Ask, Parameters, Row } from '../engine/warehouse.ts';

/**
 * How a column is sorted by: as texts without regard to letter case and "" last, as plain texts in the order of their bytes, or as numbers.
 * `sql` is its value where the question is sorted; `key` is what is computed for it further in, in questions that compute that column alone.
 */
export type SortColumn = {
  readonly kind: 'text' | 'plain' | 'number';
  readonly sql: string;
  readonly key?: string;
};

/** Which way a list goes. */
export type SortOrder = 'asc' | 'desc';

/** A question whose answer comes in the order of one of its columns. */
export type SortedQuestion<R extends Row> = (column: string, order: SortOrder) => Question<R>;

const orderPlace = '{order}';
const keyPlace = '{key}';
const tablePlace = '{table}';

/**
 * Reads a question whose body says `ORDER BY {order}`. There the column that is sorted by is placed, one of `columns` and nothing else, and
 * then `ties`, which tell every row from every other, so that pages never overlap. Where the body says `{key}`, every column has a key.
 */
export function sortedQuestionFile<R extends Row>(
  moduleUrl: string,
  file: string,
  columns: Readonly<Record<string, SortColumn>>,
  ties: readonly string[],
): SortedQuestion<R> {
  const body = readFileSync(new URL(file, moduleUrl), 'utf8');
  if (!body.includes(orderPlace)) throw new Error(`${file} does not say where its order is placed`);
  const hasKey = body.includes(keyPlace);
  for (const [column, { key }] of Object.entries(columns)) {
    if ((key !== undefined) !== hasKey)
      throw new Error(`${file} and its column ${column} do not both have a key`);
  }
  const known = new Map<string, Question<R>>();
  return (column, order) => {
    const found = Object.hasOwn(columns, column) ? columns[column] : undefined;
    if (found === undefined) throw new Error(`${file} has no column ${column}`);
    const name = `${nameOf(file)} by ${column} ${order}`;
    let sorted = known.get(name);
    if (sorted === undefined) {
      const { kind, sql, key = '' } = found;
      const direction = order === 'asc' ? 'ASC' : 'DESC';
      const terms =
        kind === 'text'
          ? [`CASE WHEN ${sql} = '' THEN 1 ELSE 0 END`, `lower(${sql}) ${direction}`]
          : [`${sql} ${direction}`];
      sorted = question<R>(
        name,
        body.replaceAll(orderPlace, [...terms, ...ties].join(', ')).replaceAll(keyPlace, key),
      );
      known.set(name, sorted);
    }
    return sorted;
  };
}

/** Reads a question whose body says `FROM {table}`: there a table of facts or a rollup is placed, and nothing else. */
export function tableQuestionFile<R extends Row>(
  moduleUrl: string,
  file: string,
  table: string,
): Question<R> {
  const body = readFileSync(new URL(file, moduleUrl), 'utf8');
  const placed = question<R>(`${nameOf(file)} of ${table}`, body.replaceAll(tablePlace, table));
  if (!placed.tables.includes(table))
    throw new Error(`${file} cannot read ${table} as a table of facts`);
  return placed;
}

function nameOf(file: string): string {
  return file.replace(/\.sql$/, '');
}

/** What every row of a page says: how many rows there are on all pages. */
export type Matching = { readonly matching: number };

/** The rows of a page, and how many there are on all pages. */
export type Page<R extends Row> = { readonly rows: readonly R[]; readonly count: number };

/** Asks a question that takes `limit` and `offset` besides `asked` for one page; also a page past the end knows the count. */
export async function askPage<R extends Row & Matching>(
  ask: Ask,
  list: Question<R>,
  asked: Parameters,
  { pageIndex, pageSize }: { readonly pageIndex: number; readonly pageSize: number },
): Promise<Page<R>> {
  const read = (limit: number, offset: number) => ask(list, { ...asked, limit, offset });
  const rows = await read(pageSize, pageIndex * pageSize);
  // Past the end there is no row to say how many there are.
  const counted = rows.length === 0 && pageIndex > 0 ? await read(1, 0) : rows;
  return { rows, count: counted[0]?.matching ?? 0 };
}
