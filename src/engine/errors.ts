/**
 * What a store may answer besides rows, said in the same way whichever engine it is.
 */

/** The store cannot be asked now: unreachable, shutting down, overloaded or out of room. The same call may succeed later. */
export class StoreUnavailable extends Error {
  readonly store: 'registry' | 'warehouse' | 'file store';

  /** The message carries the engine's own words: it is for the operator's log and never for a caller. */
  constructor(store: StoreUnavailable['store'], cause: unknown) {
    super(`the ${store} is unavailable: ${reasonOf(cause)}`, { cause });
    this.name = 'StoreUnavailable';
    this.store = store;
  }
}

/** Whether the registry refused a row because another row holds the same key; the same on SQLite and PostgreSQL. */
export function isUniqueViolation(error: unknown): boolean {
  return isViolation(error, '23505', sqliteUniqueCodes);
}

/** Whether the registry refused a change because a row would refer to one that is not there; the same on SQLite and PostgreSQL. */
export function isForeignKeyViolation(error: unknown): boolean {
  return isViolation(error, '23503', sqliteForeignKeyCodes);
}

function isViolation(error: unknown, state: string, sqliteCodes: ReadonlySet<unknown>): boolean {
  if (!(error instanceof Error)) return false;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  return code === state || (code === 'ERR_SQLITE_ERROR' && sqliteCodes.has(errcode));
}

// SQLITE_CONSTRAINT_PRIMARYKEY, SQLITE_CONSTRAINT_UNIQUE, SQLITE_CONSTRAINT_ROWID.
const sqliteUniqueCodes: ReadonlySet<unknown> = new Set([1555, 2067, 2579]);
// SQLITE_CONSTRAINT_FOREIGNKEY.
const sqliteForeignKeyCodes: ReadonlySet<unknown> = new Set([787]);

// A host of several addresses fails with an AggregateError, which has an empty message of its own.
function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.message === '')
    return cause.errors.map(reasonOf).join(', ');
  return cause instanceof Error ? cause.message : String(cause);
}

/** A question took longer than it may. */
export class DeadlineExceeded extends Error {
  constructor(deadlineMilliseconds: number) {
    super(`the answer took longer than ${deadlineMilliseconds} ms`);
    this.name = 'DeadlineExceeded';
  }
}

/** Whoever asked has gone: nobody waits for the answer. */
export class RequestAbandoned extends Error {
  constructor() {
    super('the request was abandoned by its sender');
    this.name = 'RequestAbandoned';
  }
}
