/** Helpers for reading and changing records of the registry. */
import type { Kysely, Selectable, SelectQueryBuilder, Updateable } from 'kysely';
import { notFound, Refusal } from '../contract/refusal.ts';
import { isForeignKeyViolation } from '../engine/errors.ts';
import {
  type AuditEvent,
  type Commit,
  type Records,
  type RecordsTransaction,
  type Registry,
  writeAudit,
} from '../engine/registry.ts';

/** Where records are read: the registry, or a transaction of it. */
export type RecordsOrTransaction = Registry['records'] | RecordsTransaction;

/** The parts of a context that a change needs. */
type ChangeContext = {
  readonly commit: Commit;
  readonly now: () => number;
  /** The name in the audit log: "operator" or a userId. */
  readonly actor: string;
  readonly invalidate?: () => void;
};

/**
 * Makes a change together with its entry in the audit log, and invalidates what this node has
 * cached. Throws 409 when a change at the same time removed a record that this one refers to.
 */
export async function change<Answer>(
  { commit, now, actor, invalidate }: ChangeContext,
  work: (
    transaction: RecordsTransaction,
    audit: (event: AuditEvent) => Promise<void>,
  ) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await commit((transaction) =>
      work(transaction, (event) => writeAudit(transaction, now(), actor, event)),
    );
  } catch (error) {
    if (isForeignKeyViolation(error))
      throw new Refusal(
        409,
        'another request is changing a record that this change refers to: try again',
      );
    throw error;
  } finally {
    // After a failure too: the commit may have succeeded although its answer was lost.
    invalidate?.();
  }
}

type Table = keyof Records;
/** The values of columns by which records are found, such as an identifier. */
type By<T extends Table> = Readonly<Partial<Selectable<Records[T]>>>;

/** Words for records, where they are not the names of their tables. */
const words: { readonly [T in Table]?: string } = {
  userAccount: 'user',
  apiKey: 'key',
  campaignGroup: 'group of campaigns',
};

/** Kysely knows the columns of a table by its name; the functions below know them of any table. */
type AnyTable = Kysely<{ record: Record<string, unknown> }>;
const anyTable = (records: RecordsOrTransaction) => records as unknown as AnyTable;

/** The values themselves; where one is missing, a statement would be about every record. */
function known<T extends Table>(by: By<T>): By<T> {
  const values = Object.values(by);
  if (values.length === 0 || values.includes(undefined)) throw new Error('a record has no values');
  return by;
}

/** Finds the record with these values. */
export async function findOne<T extends Table>(
  records: RecordsOrTransaction,
  table: T,
  by: By<T>,
): Promise<Selectable<Records[T]> | undefined> {
  const found = await anyTable(records)
    .selectFrom(table as 'record')
    .selectAll()
    .where(({ and }) => and(known(by)))
    .executeTakeFirst();
  return found as Selectable<Records[T]> | undefined;
}

/** Reads the record with these values. Throws 404 where there is none. */
export async function readOne<T extends Table>(
  records: RecordsOrTransaction,
  table: T,
  by: By<T>,
  word: string = words[table] ?? table,
): Promise<Selectable<Records[T]>> {
  const found = await findOne(records, table, by);
  if (found === undefined) throw notFound(word);
  return found;
}

/**
 * Changes the record with these values, if there are changes, and returns it as it is then. Throws
 * 404 where there is none.
 */
export async function changeOne<T extends Table>(
  transaction: RecordsTransaction,
  table: T,
  by: By<T>,
  changes: Readonly<Updateable<Records[T]>>,
): Promise<Selectable<Records[T]>> {
  if (Object.keys(changes).length === 0) return readOne(transaction, table, by);
  const changed = await anyTable(transaction)
    .updateTable(table as 'record')
    .set(changes)
    .where(({ and }) => and(known(by)))
    .returningAll()
    .executeTakeFirstOrThrow(() => notFound(words[table] ?? table));
  return changed as Selectable<Records[T]>;
}

/** Deletes the record with these values, and returns it. Throws 404 where there is none. */
export async function removeOne<T extends Table>(
  transaction: RecordsTransaction,
  table: T,
  by: By<T>,
): Promise<Selectable<Records[T]>> {
  const removed = await anyTable(transaction)
    .deleteFrom(table as 'record')
    .where(({ and }) => and(known(by)))
    .returningAll()
    .executeTakeFirstOrThrow(() => notFound(words[table] ?? table));
  return removed as Selectable<Records[T]>;
}

/** Counts the records with these values. */
export async function countOf<T extends Table>(
  records: RecordsOrTransaction,
  table: T,
  by: By<T>,
): Promise<number> {
  const { count } = await anyTable(records)
    .selectFrom(table as 'record')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(({ and }) => and(known(by)))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** A page of a query, and the number of rows on all pages. */
export async function listPage<Tables, Table extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  { pageIndex, pageSize }: { readonly pageIndex: number; readonly pageSize: number },
) {
  const rows = await query
    .limit(pageSize)
    .offset(pageIndex * pageSize)
    .execute();
  const count = query
    .clearSelect()
    .clearOrderBy()
    .select(({ fn }) => fn.countAll<number>().as('total'));
  const { total } = (await count.executeTakeFirstOrThrow()) as { total: number };
  return { rows, total };
}

// Both stores accept this many rows in one statement.
const rowsPerStatement = 400;

/** Rows in portions, each for one statement. */
export function portionsOf<Row>(rows: readonly Row[]): Row[][] {
  const count = Math.ceil(rows.length / rowsPerStatement);
  return Array.from({ length: count }, (_, number) =>
    rows.slice(number * rowsPerStatement, (number + 1) * rowsPerStatement),
  );
}

/** A boolean as records store it. */
export function flag(value: boolean): 0 | 1 {
  return value ? 1 : 0;
}

/** Epoch milliseconds of a record as whole seconds of an answer. */
export function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}

/** Like `seconds`, for a time that may be missing. */
export function secondsOrNull(milliseconds: number | null): number | null {
  return milliseconds === null ? null : seconds(milliseconds);
}

/** The fields of an object that are not undefined. */
export function defined<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>;
  };
}

/** The day of UTC of an instant in epoch milliseconds, as a day number. */
export function utcDay(milliseconds: number): number {
  return Math.floor(milliseconds / 86_400_000);
}
