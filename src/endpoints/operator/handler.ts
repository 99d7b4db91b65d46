/** What every handler of the operator's interface is and gets. */
import type { AnswerOf, Contract, InputOf } from '../../contract/endpoint.ts';
import { Refusal } from '../../contract/refusal.ts';
import { isForeignKeyViolation } from '../../engine/errors.ts';
import {
  type AuditEvent,
  type Commit,
  type RecordsTransaction,
  writeAudit,
} from '../../engine/registry.ts';
import type { OperatorParts } from '../../http/server.ts';
import type { Log } from '../handler.ts';

/** The length of a day. */
export const millisecondsPerDay = 86_400_000;

/** What a handler works with. `now` is in epoch milliseconds, as records keep it. */
export type OperatorContext = OperatorParts & { readonly log: Log; readonly commit: Commit };

/** Computes the answer to what the operator asked. Throws Refusal to refuse. */
export type OperatorHandler<C extends Contract> = (
  asked: InputOf<C>,
  context: OperatorContext,
) => Promise<AnswerOf<C>>;

/**
 * Makes a change together with its entry in the audit, and makes this node forget what it remembers of the records. Throws 409 where
 * another change at the same moment has taken away what this one refers to.
 */
export async function change<Answer>(
  { commit, now, forget }: Pick<OperatorContext, 'commit' | 'now' | 'forget'>,
  work: (
    transaction: RecordsTransaction,
    note: (deed: AuditEvent) => Promise<void>,
  ) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await commit((transaction) =>
      work(transaction, (deed) => writeAudit(transaction, now(), 'operator', deed)),
    );
  } catch (error) {
    // What was there when it was looked for has been deleted meanwhile, or has been given something that keeps it from being deleted.
    if (isForeignKeyViolation(error))
      throw new Refusal(
        409,
        'what this change refers to is being changed at the same moment: try again',
      );
    throw error;
  } finally {
    // Also after a failure: a commit whose answer was lost may have happened.
    forget();
  }
}

// As many rows as both stores take in one statement.
const rowsPerStatement = 400;

/** The rows in portions, each for one statement. */
export function portionsOf<Row>(rows: readonly Row[]): Row[][] {
  const count = Math.ceil(rows.length / rowsPerStatement);
  return Array.from({ length: count }, (_, number) =>
    rows.slice(number * rowsPerStatement, (number + 1) * rowsPerStatement),
  );
}

/** The day of UTC, as a day number. `now` is in epoch milliseconds. */
export function today(now: () => number): number {
  return Math.floor(now() / millisecondsPerDay);
}

/** The flag of a yes or no. */
export function flag(value: boolean): 0 | 1 {
  return value ? 1 : 0;
}

/** Epoch milliseconds of a record as the whole seconds of an answer. */
export function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}

/** The part of an object without the fields that are undefined. */
export function given<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>;
  };
}
