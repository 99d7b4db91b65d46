import { randomUUID } from 'node:crypto';
import { consumeInvitation } from '../../../access/attempts.ts';
import { reachableChannels } from '../../../access/channels.ts';
import { issueLink, linkAddress } from '../../../access/passwordLinks.ts';
import type { RecordsOrTransaction } from '../../../access/records.ts';
import {
  changeOne,
  countOf,
  defined,
  flag,
  listPage,
  readOne,
  seconds,
  secondsOrNull,
} from '../../../access/records.ts';
import {
  type Granted,
  grantedChannels,
  refuseSecondEmail,
  removeUsers,
  replaceGrants,
  restrictedAfter,
} from '../../../access/users.ts';
import { linkSecondsDefault } from '../../../contract/account.ts';
import { notFound, Refusal } from '../../../contract/refusal.ts';
import { isManager } from '../../../contract/roles.ts';
import type { RecordsTransaction, UserRecord } from '../../../engine/registry.ts';
import type { Context, Handler } from '../../handler.ts';
import {
  type Actor,
  changeMembers,
  mayChange,
  memberOf,
  requireRole,
  rolesGivenBy,
} from './authority.ts';
import type * as contracts from './contract.ts';
import { membersMax } from './contract.ts';

/** Lists the members of the organisation. */
export const listMembers: Handler<typeof contracts.listMembers> = async (
  page,
  { signedIn, registry, now },
) => {
  const { userId, organisationId, role } = signedIn;
  if (!isManager(role))
    throw new Refusal(403, 'only owners and administrators see the members of an organisation');
  const { restricted } = await readOne(registry.records, 'userAccount', { userId });
  const actor: Actor = { userId, role, restricted };
  const { rows, total } = await listPage(
    membersIn(registry.records, organisationId, now()).orderBy('userAccount.email'),
    page,
  );
  const granted = await grantedChannels(
    registry.records,
    rows.filter((member) => member.restricted === 1).map((member) => member.userId),
  );
  const visible = await visibleChannels(registry, { ...actor, organisationId });
  const members = rows.map((member) => answerOf(member, actor, granted.get(member.userId)));
  return {
    members: members.map((member) => ({
      ...member,
      channelIds: among(member.channelIds, visible),
    })),
    total,
    roles: rolesGivenBy(actor),
  };
};

/** The channels that a restricted user reaches; undefined for a user who reaches all. */
async function visibleChannels(
  registry: Context<'session'>['registry'],
  user: Actor & Pick<UserRecord, 'organisationId'>,
): Promise<ReadonlySet<string> | undefined> {
  if (user.restricted === 0) return undefined;
  const channels = await reachableChannels(registry, {
    ...user,
    restricted: true,
    keyId: null,
  }).execute();
  return new Set(channels.map(({ channelId }) => channelId));
}

function among(channelIds: Granted, visible: ReadonlySet<string> | undefined): Granted {
  if (channelIds === 'all' || visible === undefined) return channelIds;
  return channelIds.filter((channelId) => visible.has(channelId));
}

/** Invites a member. */
export const inviteMember: Handler<typeof contracts.inviteMember> = async (
  { email, name = null, role, channelIds },
  context,
) => {
  const { signedIn, now } = context;
  const { organisationId } = signedIn;
  await consumeInvitation(context, signedIn.userId);
  return changeMembers(context, async ({ transaction, audit, actor }) => {
    requireRole(actor, role);
    await requireRoom(transaction, organisationId);
    const user: UserRecord = {
      userId: randomUUID(),
      organisationId,
      email,
      name,
      role,
      passwordHash: null,
      restricted: flag(!isManager(role)),
      createdAt: now(),
      lastSignInAt: null,
    };
    await transaction.insertInto('userAccount').values(user).execute();
    if (channelIds !== undefined) await replaceGrants(transaction, user, channelIds);
    const { userId } = user;
    const link = await invite(transaction, context, userId);
    await audit({
      action: 'inviteMember',
      subject: userId,
      detail: defined({ organisationId, role, channelIds, expiresAt: link.expiresAt }),
    });
    return { userId, ...link };
  }).catch(refuseSecondEmail);
};

/** Replaces the link of a member who has no password yet. */
export const renewInvitation: Handler<typeof contracts.renewInvitation> = async (
  { userId },
  context,
) => {
  await consumeInvitation(context, context.signedIn.userId);
  return changeMembers(context, async (changing) => {
    const { transaction, audit } = changing;
    const { passwordHash } = await memberOf(changing, context.signedIn, userId);
    // With a link for a member who has a password, an administrator could sign in as this person.
    if (passwordHash !== null)
      throw new Refusal(
        409,
        'this member has chosen a password already: only the operator of the service resets it',
      );
    const link = await invite(transaction, context, userId);
    await audit({
      action: 'renewInvitation',
      subject: userId,
      detail: { expiresAt: link.expiresAt },
    });
    return link;
  });
};

/** Changes the role and the channels of a member. */
export const changeMember: Handler<typeof contracts.changeMember> = (
  { userId, role, channelIds },
  context,
) =>
  changeMembers(context, async (changing) => {
    const { transaction, audit, actor } = changing;
    const { signedIn, now } = context;
    const before = await memberOf(changing, signedIn, userId);
    requireRole(actor, role);
    const changes = defined({ role, restricted: restrictedAfter(before, role) });
    await changeOne(transaction, 'userAccount', { userId }, changes);
    if (channelIds !== undefined) await replaceGrants(transaction, before, channelIds);
    await audit({ action: 'changeMember', subject: userId, detail: defined({ role, channelIds }) });
    const found = await membersIn(transaction, signedIn.organisationId, now())
      .where('userAccount.userId', '=', userId)
      .executeTakeFirstOrThrow();
    return answerOf(found, actor, (await grantedChannels(transaction, [userId])).get(userId));
  });

/** Removes a member with all keys; the store deletes the sessions with the user. */
export const removeMember: Handler<typeof contracts.removeMember> = ({ userId }, context) =>
  changeMembers(context, async (changing) => {
    const { transaction, audit } = changing;
    const { organisationId } = await memberOf(changing, context.signedIn, userId);
    const { users, keys } = await removeUsers(transaction, [userId]);
    // The operator deleted the user at the same time.
    if (users === 0) throw notFound('member');
    await audit({ action: 'removeMember', subject: userId, detail: { organisationId, keys } });
  });

/** Issues the link of an invitation. */
async function invite(
  transaction: RecordsTransaction,
  { config, now }: Pick<Context<'session'>, 'config' | 'now'>,
  userId: string,
) {
  const createdAt = now();
  const expiresAt = createdAt + linkSecondsDefault.invitation * 1000;
  const token = await issueLink(transaction, config.secret, {
    userId,
    purpose: 'invitation',
    createdAt,
    expiresAt,
  });
  return { url: linkAddress(config.publicUrl, token), expiresAt: seconds(expiresAt) };
}

async function requireRoom(transaction: RecordsTransaction, organisationId: string): Promise<void> {
  if ((await countOf(transaction, 'userAccount', { organisationId })) >= membersMax)
    throw new Refusal(
      409,
      `your organisation has ${membersMax} users: remove some first or ask the operator of the service`,
    );
}

/** The users of an organisation, with the fields that members see. `now` is in milliseconds. */
function membersIn(records: RecordsOrTransaction, organisationId: string, now: number) {
  return records
    .selectFrom('userAccount')
    .leftJoin('secondFactor', (join) =>
      join
        .onRef('secondFactor.userId', '=', 'userAccount.userId')
        .on('secondFactor.confirmedAt', 'is not', null),
    )
    .leftJoin('passwordLink', (join) =>
      join
        .onRef('passwordLink.userId', '=', 'userAccount.userId')
        .on('passwordLink.expiresAt', '>', now),
    )
    .select(['userAccount.userId', 'userAccount.email', 'userAccount.name', 'userAccount.role'])
    .select(['userAccount.restricted', 'userAccount.passwordHash', 'userAccount.lastSignInAt'])
    .select(['secondFactor.confirmedAt', 'passwordLink.expiresAt'])
    .where('userAccount.organisationId', '=', organisationId);
}

type Found = Pick<
  UserRecord,
  'userId' | 'email' | 'name' | 'role' | 'restricted' | 'passwordHash' | 'lastSignInAt'
> & { readonly confirmedAt: number | null; readonly expiresAt: number | null };

function answerOf(member: Found, actor: Actor, granted: readonly string[] = []) {
  const { userId, email, name, role, restricted, passwordHash } = member;
  const channelIds: Granted = restricted === 1 ? granted : 'all';
  return {
    userId,
    email,
    name,
    role,
    channelIds,
    hasPassword: passwordHash !== null,
    invitedUntil: secondsOrNull(member.expiresAt),
    hasSecondFactor: member.confirmedAt !== null,
    lastSignInAt: secondsOrNull(member.lastSignInAt),
    isYou: userId === actor.userId,
    mayChange: mayChange(actor, { userId, role }),
  };
}
