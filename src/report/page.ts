/** Pages of sorted lists. */
import {
  bodyFile,
  type Places,
  type Question,
  question,
  questionName,
} from '../engine/question.ts';
import type { Ask, Parameters, Row } from '../engine/warehouse.ts';

/**
 * The order of rows by a column: as text, ignoring letter case and with "" last; as plain text in
 * byte order; as a number; or as an optional number with null last. `sql` is the value in the
 * sorted rows; `key` fills the place `{key}` of a body that computes only the column that it sorts
 * by.
 */
export type SortColumn = {
  readonly kind: 'text' | 'plain' | 'number' | 'optional';
  readonly sql: string;
  readonly key?: string;
};

/** Whether a list is sorted in ascending or descending order. */
export type SortOrder = 'asc' | 'desc';

/** A question whose rows are sorted by one of its columns. */
export type SortedQuestion<R extends Row> = (column: string, order: SortOrder) => Question<R>;

/**
 * Reads a question with `ORDER BY {order}` in its body. The place is filled with one of `columns`,
 * then with `ties`, which identify a row, so that pages never overlap. A place `{key}` is filled
 * with the `key` of the column; `places` fill the other places.
 */
export function sortedQuestionFile<R extends Row>(
  moduleUrl: string,
  file: string,
  columns: Readonly<Record<string, SortColumn>>,
  ties: readonly string[],
  places: Places = {},
): SortedQuestion<R> {
  const body = bodyFile(moduleUrl, file);
  if (!body.includes('{order}')) throw new Error(`${file} has no place for its order`);
  const hasKey = body.includes('{key}');
  for (const [column, { key }] of Object.entries(columns)) {
    if ((key !== undefined) !== hasKey)
      throw new Error(`${file} and its column ${column} must both have a key, or neither`);
  }
  const questions = new Map<string, Question<R>>();
  return (column, order) => {
    if (!Object.hasOwn(columns, column)) throw new Error(`${file} has no column ${column}`);
    const name = `${questionName(file)} by ${column} ${order}`;
    let sorted = questions.get(name);
    if (sorted === undefined) {
      const { key = '' } = columns[column]!;
      const terms = [...orderTerms(columns[column]!, order), ...ties];
      sorted = question<R>(name, body, { ...places, order: terms, key: [key] });
      questions.set(name, sorted);
    }
    return sorted;
  };
}

function orderTerms({ kind, sql }: SortColumn, order: SortOrder): string[] {
  const direction = order === 'asc' ? 'ASC' : 'DESC';
  if (kind === 'optional')
    return [`CASE WHEN ${sql} IS NULL THEN 1 ELSE 0 END`, `${sql} ${direction}`];
  return kind === 'text'
    ? [`CASE WHEN ${sql} = '' THEN 1 ELSE 0 END`, `lower(${sql}) ${direction}`]
    : [`${sql} ${direction}`];
}

/** The column that has the number of rows of all pages, in every row of a page. */
export type Matching = { readonly matching: number };

/** The rows of a page, and the number of rows of all pages. */
export type Page<R extends Row> = { readonly rows: readonly R[]; readonly count: number };

/**
 * Reads one page of a question with `limit` and `offset`. The count is known even past the last
 * page.
 */
export async function askPage<R extends Row & Matching>(
  ask: Ask,
  list: Question<R>,
  parameters: Parameters,
  { pageIndex, pageSize }: { readonly pageIndex: number; readonly pageSize: number },
): Promise<Page<R>> {
  const read = (limit: number, offset: number) => ask(list, { ...parameters, limit, offset });
  const rows = await read(pageSize, pageIndex * pageSize);
  // A page past the last one has no row to hold the count.
  const counted = rows.length === 0 && pageIndex > 0 ? await read(1, 0) : rows;
  return { rows, count: counted[0]?.matching ?? 0 };
}
