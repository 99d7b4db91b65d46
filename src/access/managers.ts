/** Records that owners and administrators manage for their organisation. */

import type { Commit, RecordsTransaction } from '../engine/registry.ts';
import type { Caller } from './channels.ts';
import { change, readOne } from './records.ts';

/** The parts of a context that a change by a caller needs. */
type CallerContext = {
  readonly caller: Caller;
  readonly commit: Commit;
  readonly now: () => number;
};

/** Makes a change by a caller together with its entry in the audit log. */
export function changeAsCaller<Answer>(
  { caller, commit, now }: CallerContext,
  work: Parameters<typeof change<Answer>>[1],
): Promise<Answer> {
  return change({ commit, now, actor: caller.userId }, work);
}

/**
 * Which records of others a caller may manage. A user with granted channels, and a small key,
 * manage only their own: others may be about more channels than they reach.
 */
export function managedBy({ organisationId, restricted, rights, userId, keyId }: Caller): {
  readonly organisationId: string;
  readonly userId?: string;
  readonly keyId?: string;
} {
  if (rights.isSmall) return { organisationId, userId, keyId };
  return restricted ? { organisationId, userId } : { organisationId };
}

/** The e-mail address of a user, by which records name their owner. */
export async function emailOf(transaction: RecordsTransaction, userId: string): Promise<string> {
  return (await readOne(transaction, 'userAccount', { userId })).email;
}
