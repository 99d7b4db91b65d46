/** The errors of stores, the same for every engine. */

/**
 * The store cannot answer now: unreachable, shutting down, overloaded or full. A retry may work.
 */
export class StoreUnavailable extends Error {
  readonly store: 'registry' | 'warehouse' | 'file store';

  /** The message quotes the engine, so it belongs in the operator's log, not in an answer. */
  constructor(store: StoreUnavailable['store'], cause: unknown) {
    super(`the ${store} is unavailable: ${reasonOf(cause)}`, { cause });
    this.name = 'StoreUnavailable';
    this.store = store;
  }
}

/** The service cannot start; the message says why and how to continue. */
export class StartRefusal extends Error {
  override readonly name = 'StartRefusal';
}

/** The error of an import whose number was already used, as can happen after a restore. */
export function reusedImport(importId: number): Error {
  return new Error(
    `import ${importId} has facts already: the registry is older than the warehouse`,
  );
}

/** Whether a file could not be written because its disk is full or read-only. */
export function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '');
}

/** Whether the registry refused a row because another row has the same key. */
export function isUniqueViolation(error: unknown): boolean {
  return isViolation(error, '23505', sqliteUniqueCodes);
}

/** Whether the registry refused a change because a row would refer to a missing one. */
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

// A host with several addresses fails with an AggregateError, whose own message is empty.
function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.message === '')
    return cause.errors.map(reasonOf).join(', ');
  return cause instanceof Error ? cause.message : String(cause);
}

/** A question exceeded its deadline. */
export class DeadlineExceeded extends Error {
  constructor(deadlineMilliseconds: number) {
    super(`the answer took longer than ${deadlineMilliseconds} ms`);
    this.name = 'DeadlineExceeded';
  }
}

/** The caller has gone, so nobody waits for the answer. */
export class RequestAbandoned extends Error {
  constructor() {
    super('the request was abandoned by its sender');
    this.name = 'RequestAbandoned';
  }
}
