/** Helpers for reading and changing records of the registry. */
import type { SelectQueryBuilder } from 'kysely';
import { Refusal } from '../contract/refusal.ts';
import { isForeignKeyViolation } from '../engine/errors.ts';
import {
  type AuditEvent,
  type Commit,
  type RecordsTransaction,
  writeAudit,
} from '../engine/registry.ts';

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
