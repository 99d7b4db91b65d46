/** Asks questions and runs statements on a DuckDB connection. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { StoreUnavailable } from '../errors.ts';
import type { Question } from '../question.ts';
import type { Parameters, Row } from '../warehouse.ts';
import { portionsOf, rowsOf } from './answers.ts';
import type { PreparedStatements } from './statements.ts';

/** A connection for reading, with its prepared questions. */
export type Reader = {
  readonly connection: DuckDBConnection;
  readonly statements: PreparedStatements;
};

/** The rows of a question's answer. */
export async function ask<R extends Row>(
  reader: Reader,
  question: Question<R>,
  parameters: Parameters,
  signal: AbortSignal,
): Promise<R[]> {
  signal.throwIfAborted();
  const prepared = await reader.statements.bind(question, parameters);
  return (await rowsOf(await prepared.run())) as R[];
}

/** The rows of a question's answer in portions. The reader must be in a transaction. */
export async function* stream<R extends Row>(
  reader: Reader,
  question: Question<R>,
  parameters: Parameters,
  signal: AbortSignal,
): AsyncIterable<R[]> {
  signal.throwIfAborted();
  const result = await (await reader.statements.bind(question, parameters)).stream();
  for await (const portion of portionsOf(result)) {
    signal.throwIfAborted();
    yield portion as R[];
  }
  signal.throwIfAborted();
  // The driver reports an error as the end of the answer. After an error the transaction is
  // aborted, so this statement fails.
  await reader.connection.run('SELECT 1').catch((cause: Error) => {
    throw new Error(`The answer to the question ${question.name} broke off`, { cause });
  });
}

/** How to recover from a damaged file. */
export const damageAdvice =
  'restore backups of it and of the registry that were made at the same time';

/** The rows of a statement without parameters. */
export async function rows(connection: DuckDBConnection, sql: string): Promise<Row[]> {
  return await rowsOf(await connection.run(sql));
}

/** The number of rows of a FROM clause. */
export async function count(connection: DuckDBConnection, from: string): Promise<number> {
  return (await rows(connection, `SELECT count(*) AS counted ${from}`))[0]!.counted as number;
}

/** The days that a statement selects as `day`. */
export async function days(connection: DuckDBConnection, sql: string): Promise<number[]> {
  return (await rows(connection, sql)).map((row) => row.day as number);
}

/**
 * Runs several statements as one change, which succeeds or fails as a whole. `committing` gets the
 * commit, and runs it.
 */
export async function inTransaction<T>(
  connection: DuckDBConnection,
  work: () => Promise<T>,
  committing: (commit: () => Promise<void>) => Promise<void> = (commit) => commit(),
): Promise<T> {
  await connection.run('BEGIN TRANSACTION');
  try {
    const result = await work();
    await committing(async () => {
      await connection.run('COMMIT');
    });
    return result;
  } catch (error) {
    await connection.run('ROLLBACK').catch(() => undefined);
    throw isOutOfMemory(error) ? new StoreUnavailable('warehouse', error) : storeError(error);
  }
}

/** The error for the caller: StoreUnavailable if the store is broken or full. */
export function storeError(error: unknown): unknown {
  if (!isBroken(error)) return error;
  const { message } = error;
  const explained = isDamaged(error)
    ? new Error(`its file is damaged: ${damageAdvice} (${message})`, { cause: error })
    : error;
  return new StoreUnavailable('warehouse', explained);
}

function isBroken(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  // The error of a commit that cannot be written ends with the kind of error.
  return /^(IO|FATAL|INTERNAL)|Failed to commit: Could not/i.test(error.message);
}

/** Whether an error has ended the database until it is opened again. */
export function isFatal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return /^FATAL/.test(error.message) || isFatal(error.cause);
}

/** Whether the bytes of a block of the file differ from what was written. */
export function isDamaged(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return /Corrupt database file/.test(error.message) || isDamaged(error.cause);
}

/** Too little memory is the fault of a question, but not the fault of a change. */
function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && /^(Out of Memory|Could not allocate)/i.test(error.message);
}
