/** Lists that are read page by page, and work that is done in turns. */
import pLimit from 'p-limit';
import type { Answer, Ask, Input, Operation } from './client.ts';

/** The rows of a list, read from its pages up to a limit. */
export type Listed<Row> = {
  readonly rows: readonly Row[];
  /** The number of rows that match, including those that were not read. */
  readonly count: number;
};

/** The shapes in which operations answer pages of rows. */
type PageAnswer<Row> =
  | { readonly data: readonly Row[]; readonly pagination: { readonly count: number } }
  | { readonly rows: readonly Row[]; readonly count: number }
  | { readonly items: readonly Row[]; readonly totalCount: number }
  | { readonly data: { readonly items: readonly Row[]; readonly totalItems: number } };
/** An operation that answers pages of rows. */
export type Paged = {
  [Name in Operation]: Answer<Name> extends PageAnswer<object> ? Name : never;
}[Operation];
/** A row of such an operation. */
export type RowOf<Name extends Paged> =
  Answer<Name> extends PageAnswer<infer Row extends object> ? Row : never;

function listedIn<Row>(answer: PageAnswer<Row>): Listed<Row> {
  if ('pagination' in answer) return { rows: answer.data, count: answer.pagination.count };
  if ('rows' in answer) return answer;
  if ('items' in answer) return { rows: answer.items, count: answer.totalCount };
  return { rows: answer.data.items, count: answer.data.totalItems };
}

/** Rows of a page, the most that most lists answer. */
export const pageSizeStandard = 100;
/** Pages that are read at a time, so that a long list does not hold up other questions. */
const pagesAtOnce = 4;

/** Asks for all pages of a list, up to `rowsMax` rows. */
export async function askPages<Name extends Paged>(
  ask: Ask,
  name: Name,
  input: Input<Name>,
  rowsMax = Infinity,
  pageSize = pageSizeStandard,
): Promise<Listed<RowOf<Name>>> {
  const page = async (pageIndex: number) => {
    const paged = { ...(input as object), pageIndex, pageSize } as Input<Name>;
    return listedIn((await ask(name, paged)) as unknown as PageAnswer<RowOf<Name>>);
  };
  const { rows, count } = await page(0);
  const pages = Math.ceil(Math.min(count, rowsMax) / pageSize);
  const rest = await inTurns(Math.max(0, pages - 1), pagesAtOnce, (place) => page(place + 1));
  return { rows: [...rows, ...rest.flatMap((one) => one.rows)], count };
}

/** Does work for each of `count` places, some at a time; the results are in order. */
export function inTurns<Result>(
  count: number,
  atOnce: number,
  work: (place: number) => Promise<Result>,
): Promise<Result[]> {
  const turn = pLimit(atOnce);
  const results = Array.from({ length: count }, (_, place) => turn(work, place));
  // After one failure the others would fail, too.
  for (const result of results) result.catch(() => turn.clearQueue());
  return Promise.all(results);
}
