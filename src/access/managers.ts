/** Records that owners and administrators manage for their organisation. */
import { Refusal } from '../contract/refusal.ts';
import type { Commit, RecordsTransaction } from '../engine/registry.ts';
import type { Caller } from './channels.ts';
import { change } from './records.ts';

/** The kinds of these records, as refusals name them. */
type Managed = 'schedules' | 'webhooks' | 'financial codes';

/**
 * Throws 403 when a caller may not manage records. Sessions of members, and of organisations
 * without API access, are admitted to the console.
 */
export function requireManager(
  { role, entitlements }: Pick<Caller, 'role' | 'entitlements'>,
  records: Managed,
): void {
  requireRole({ role }, records);
  if (!entitlements.apiAccess)
    throw new Refusal(403, 'API access is not enabled for your organisation');
}

/** Throws 403 when a caller is a member. */
export function requireRole({ role }: Pick<Caller, 'role'>, records: Managed): void {
  if (role === 'member')
    throw new Refusal(403, `only owners and administrators may manage ${records}`);
}

/** The parts of a context that a change by a manager needs. */
type ManagerContext = {
  readonly caller: Caller;
  readonly commit: Commit;
  readonly now: () => number;
};

/** Makes a change by a manager together with its entry in the audit log. */
export function changeAsManager<Answer>(
  { caller, commit, now }: ManagerContext,
  records: Managed,
  work: Parameters<typeof change<Answer>>[1],
): Promise<Answer> {
  requireManager(caller, records);
  return change({ commit, now, actor: caller.userId }, work);
}

/** The e-mail address of a user, by which records say whose they are. */
export async function emailOf(transaction: RecordsTransaction, userId: string): Promise<string> {
  const { email } = await transaction
    .selectFrom('userAccount')
    .select('email')
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow();
  return email;
}
