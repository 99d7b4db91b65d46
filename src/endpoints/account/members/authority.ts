/** Which members a user may see and change. */

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
/** The fields of a user that decide whom this user may change. */
export type Actor = Pick<UserRecord, 'userId' | 'role' | 'restricted'>;

/**
 * The roles that a user may assign, by the user's own role. Users with these roles are the ones
 * this user may change.
 */
export function rolesGivenBy({ role, restricted }: Pick<Actor, 'role' | 'restricted'>): Role[] {
  // Otherwise a user who does not reach every channel could grant more than that.
  if (!isManager(role) || restricted === 1) return [];
  const given: Role[] = ['administrator', 'member', 'viewer'];
  return role === 'owner' ? ['owner', ...given] : given;
}

/** Whether a user may change or remove another. */
export function mayChange(actor: Actor, { userId, role }: Pick<UserRecord, 'userId' | 'role'>) {
  return actor.userId !== userId && rolesGivenBy(actor).includes(role);
}

/** The parts of a context that a change of members needs. */
export type MemberChange = {
  readonly transaction: RecordsTransaction;
  readonly audit: (event: AuditEvent) => Promise<void>;
  readonly actor: Actor;
};

/**
 * Makes a change of members. Changes in one organisation run one after another, and each checks
 * again whether its author may still make it. So if two owners demote each other, one remains.
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

/**
 * The member to change. Throws 404 for a user of another organisation, and 403 if the author may
 * not change this one.
 */
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

/** Throws 403 for a role that the author may not assign. */
export function requireRole(actor: Actor, role: Role | undefined): void {
  if (role !== undefined && !rolesGivenBy(actor).includes(role))
    throw new Refusal(403, 'only owners may make somebody an owner');
}
