/** Who may see and change which members. */

import { requireConfirmed } from '../../../access/confirmation.ts';
import { change, findOne, readOne } from '../../../access/records.ts';
import { Refusal } from '../../../contract/refusal.ts';
import { isManager } from '../../../contract/roles.ts';
import {
  type AuditEvent,
  lockOrganisation,
  type RecordsTransaction,
  type UserRecord,
} from '../../../engine/registry.ts';
import type { Context } from '../../handler.ts';

type Role = UserRecord['role'];
/** The part of a user that says whom this user may change. */
export type Actor = Pick<UserRecord, 'userId' | 'role' | 'restricted'>;

/** The roles that a user of a role may give, and whose users this user may change. */
export function rolesGivenBy({ role, restricted }: Pick<Actor, 'role' | 'restricted'>): Role[] {
  // Who does not reach every channel could otherwise hand on more than this.
  if (!isManager(role) || restricted === 1) return [];
  const given: Role[] = ['administrator', 'member', 'viewer'];
  return role === 'owner' ? ['owner', ...given] : given;
}

/** Whether a user may change or remove another. */
export function mayChange(actor: Actor, { userId, role }: Pick<UserRecord, 'userId' | 'role'>) {
  return actor.userId !== userId && rolesGivenBy(actor).includes(role);
}

/** The parts that a change of members works with. */
export type MemberChange = {
  readonly transaction: RecordsTransaction;
  readonly audit: (event: AuditEvent) => Promise<void>;
  readonly actor: Actor;
};

/**
 * Makes a change of members. Those of one organisation wait for each other, and each reads again
 * whether its author may still make it: so two owners who demote each other leave one.
 */
export function changeMembers<Answer>(
  context: Context<'session'>,
  work: (change: MemberChange) => Promise<Answer>,
): Promise<Answer> {
  const { signedIn, registry, now } = context;
  requireConfirmed(signedIn, now(), 'to change members');
  return change(context, async (transaction, audit) => {
    await lockOrganisation(registry.engine, transaction, signedIn.organisationId);
    const actor = await findOne(transaction, 'userAccount', { userId: signedIn.userId });
    if (actor === undefined || rolesGivenBy(actor).length === 0)
      throw new Refusal(
        403,
        'only owners and administrators who may use every channel may change members',
      );
    return work({ transaction, audit, actor });
  });
}

/** The member to change. Throws 404 for users of others, and 403 where the author may not. */
export async function memberOf(
  { transaction, actor }: MemberChange,
  { organisationId }: Pick<UserRecord, 'organisationId'>,
  userId: string,
): Promise<UserRecord> {
  const found = await readOne(transaction, 'userAccount', { userId, organisationId }, 'member');
  if (found.userId === actor.userId)
    throw new Refusal(403, 'you cannot change or remove yourself: ask another owner');
  if (!mayChange(actor, found)) throw new Refusal(403, 'only owners may change or remove owners');
  return found;
}

/** Throws 403 for a role that the author may not give. */
export function requireRole(actor: Actor, role: Role | undefined): void {
  if (role !== undefined && !rolesGivenBy(actor).includes(role))
    throw new Refusal(403, 'only owners may make somebody an owner');
}
