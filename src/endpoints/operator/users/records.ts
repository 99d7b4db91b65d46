import { randomUUID } from 'node:crypto';
import { endLinks, issueLink, linkAddress } from '../../../access/passwordLinks.ts';
import { refuseGuessable } from '../../../access/passwordStrength.ts';
import { hashPassword } from '../../../access/passwords.ts';
import type { RecordsOrTransaction } from '../../../access/records.ts';
import {
  change,
  changeOne,
  defined,
  findOne,
  flag,
  listPage,
  readOne,
  seconds,
  secondsOrNull,
} from '../../../access/records.ts';
import { removeSecondFactor } from '../../../access/secondFactor.ts';
import { endSessions } from '../../../access/sessions.ts';
import {
  foreignFailures,
  grantedChannels,
  refuseSecondEmail,
  removeUsers,
  replaceGrants,
  restrictedAfter,
} from '../../../access/users.ts';
import { linkSecondsDefault } from '../../../contract/account.ts';
import { notFound } from '../../../contract/refusal.ts';
import { isManager } from '../../../contract/roles.ts';
import type { UserRecord } from '../../../engine/registry.ts';
import type { Context, Handler, RecordRules } from '../../handler.ts';
import type * as contracts from './contract.ts';

/** Creates a user. */
export const createUser: Handler<typeof contracts.createUser> = async (
  { organisationId, email, name = null, role, password },
  context,
) => {
  const passwordHash =
    password === undefined
      ? null
      : await acceptedHash(context, password, { organisationId, email });
  return change(context, async (transaction, audit) => {
    const user: UserRecord = {
      userId: randomUUID(),
      organisationId,
      email,
      role,
      passwordHash,
      restricted: flag(!isManager(role)),
      createdAt: context.now(),
      name,
      lastSignInAt: null,
    };
    await transaction.insertInto('userAccount').values(user).execute();
    await audit({
      action: 'createUser',
      subject: user.userId,
      detail: { organisationId, role },
    });
    return { userId: user.userId };
  }).catch(refuseSecondEmail);
};

/** The hash of a password that is not easy to guess; `user` names an existing or new user. */
async function acceptedHash(
  context: Pick<Context<'operator'>, 'registry' | 'config' | 'log'>,
  password: string,
  user: {
    readonly userId?: string;
    readonly organisationId?: string;
    readonly email?: string | undefined;
  },
): Promise<string> {
  const { registry, config } = context;
  const { userId, organisationId } = user;
  const known = await registry.records
    .selectFrom('organisation')
    .leftJoin('userAccount', (join) =>
      join
        .onRef('userAccount.organisationId', '=', 'organisation.organisationId')
        .on('userAccount.userId', '=', userId ?? ''),
    )
    .select(['organisation.name as organisation', 'userAccount.email'])
    .where(({ or, eb }) =>
      or([
        eb('organisation.organisationId', '=', organisationId ?? ''),
        eb('userAccount.userId', '=', userId ?? ''),
      ]),
    )
    .executeTakeFirst();
  const email = user.email ?? known?.email ?? '';
  await refuseGuessable(context, 'password', password, {
    email,
    organisation: known?.organisation,
  });
  return hashPassword(password, config.passwordCost);
}

/** Lists users. */
export const listUsers: Handler<typeof contracts.listUsers> = async (
  { organisationId, ...page },
  { registry },
) => {
  const users = registry.records
    .selectFrom('userAccount')
    .where(({ and }) => and(defined({ organisationId })))
    .selectAll()
    .orderBy('email');
  const { rows, total } = await listPage(users, page);
  const granted = await grantedChannels(
    registry.records,
    rows.filter((user) => user.restricted === 1).map((user) => user.userId),
  );
  return { users: rows.map((user) => answerOf(user, granted.get(user.userId))), total };
};

/** Reads one user. */
export const readUser: Handler<typeof contracts.readUser> = ({ userId }, { registry }) =>
  readAnswer(registry.records, userId);

/** Changes a user. */
export const changeUser: Handler<typeof contracts.changeUser> = async (
  { userId, email, name, role, password },
  context,
) => {
  const passwordHash =
    password === undefined ? undefined : await acceptedHash(context, password, { userId, email });
  return change(context, async (transaction, audit) => {
    const before = await readOne(transaction, 'userAccount', { userId });
    const changes = defined({
      email,
      name,
      role,
      passwordHash,
      restricted: restrictedAfter(before, role),
    });
    await changeOne(transaction, 'userAccount', { userId }, changes);
    // A pending link was sent to the old address, or would replace the new password.
    if (password !== undefined || email !== undefined) await endLinks(transaction, userId);
    if (password !== undefined) await endSessions(transaction, userId);
    await audit({
      action: 'changeUser',
      subject: userId,
      detail: defined({
        role,
        email: email && 'changed',
        name: name && 'changed',
        password: password && 'changed',
      }),
    });
    return readAnswer(transaction, userId);
  }).catch(refuseSecondEmail);
};

/** Deletes a user with all keys of this user. */
export const deleteUser: Handler<typeof contracts.deleteUser> = ({ userId }, context) =>
  change(context, async (transaction, audit) => {
    const { organisationId } = await readOne(transaction, 'userAccount', { userId });
    const { users, keys } = await removeUsers(transaction, [userId]);
    // A simultaneous request deleted the user.
    if (users === 0) throw notFound('user');
    await audit({ action: 'deleteUser', subject: userId, detail: { organisationId, keys } });
  });

/** Grants channels to a user, in place of earlier grants. */
export const grantChannels: Handler<typeof contracts.grantChannels> = (
  { userId, channelIds },
  context,
) =>
  change(context, async (transaction, audit) => {
    const user = await readOne(transaction, 'userAccount', { userId });
    await replaceGrants(transaction, user, channelIds);
    await audit({ action: 'grantChannels', subject: userId, detail: { channelIds } });
    return readAnswer(transaction, userId);
  });

/** The record rule of grants; the transaction checks it again. */
export const grantRules: RecordRules<typeof contracts.grantChannels> = [
  {
    at: 'channelIds',
    reads: ['userId'],
    async check({ userId, channelIds }, { registry: { records } }) {
      const user = await findOne(records, 'userAccount', { userId });
      // The handler refuses an unknown user, with 404.
      if (user === undefined || channelIds === 'all') return undefined;
      return foreignFailures(records, user, channelIds);
    },
  },
];

/** Issues a link by which a user chooses a password. */
export const issuePasswordLink: Handler<typeof contracts.issuePasswordLink> = (input, context) =>
  change(context, async (transaction, audit) => {
    const { userId } = input;
    const { passwordHash } = await readOne(transaction, 'userAccount', { userId });
    const purpose = input.purpose ?? (passwordHash === null ? 'invitation' : 'reset');
    const createdAt = context.now();
    const expiresAt = createdAt + (input.validSeconds ?? linkSecondsDefault[purpose]) * 1000;
    const { secret, publicUrl } = context.config;
    const token = await issueLink(transaction, secret, { userId, purpose, createdAt, expiresAt });
    await audit({
      action: 'issuePasswordLink',
      subject: userId,
      detail: { purpose, expiresAt: seconds(expiresAt) },
    });
    return { url: linkAddress(publicUrl, token), purpose, expiresAt: seconds(expiresAt) };
  });

/** Signs a user out everywhere. */
export const endUserSessions: Handler<typeof contracts.endUserSessions> = ({ userId }, context) =>
  change(context, async (transaction, audit) => {
    await readOne(transaction, 'userAccount', { userId });
    const sessions = await endSessions(transaction, userId);
    await audit({ action: 'endUserSessions', subject: userId, detail: { sessions } });
  });

/** Turns the second factor of a user off; doing it again changes nothing. */
export const removeUserSecondFactor: Handler<typeof contracts.removeUserSecondFactor> = (
  { userId },
  context,
) =>
  change(context, async (transaction, audit) => {
    await readOne(transaction, 'userAccount', { userId });
    if (!(await removeSecondFactor(transaction, userId))) return;
    await audit({ action: 'removeUserSecondFactor', subject: userId, detail: {} });
  });

async function readAnswer(records: RecordsOrTransaction, userId: string) {
  const user = await readOne(records, 'userAccount', { userId });
  const granted = user.restricted === 1 ? await grantedChannels(records, [userId]) : undefined;
  return answerOf(user, granted?.get(userId));
}

function answerOf(user: UserRecord, granted: string[] | undefined) {
  return {
    userId: user.userId,
    organisationId: user.organisationId,
    email: user.email,
    name: user.name,
    role: user.role,
    channelIds: user.restricted === 1 ? (granted ?? []) : ('all' as const),
    hasPassword: user.passwordHash !== null,
    lastSignInAt: secondsOrNull(user.lastSignInAt),
    createdAt: seconds(user.createdAt),
  };
}
