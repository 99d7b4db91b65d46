import { randomUUID } from 'node:crypto';
import { hashPassword } from '../../../access/passwords.ts';
import { Refusal } from '../../../contract/refusal.ts';
import { isUniqueViolation } from '../../../engine/errors.ts';
import type { RecordsTransaction, UserRecord } from '../../../engine/registry.ts';
import { endLinks, issueLink } from '../../account/links.ts';
import { endSessions } from '../../account/sessions.ts';
import { type operatorContracts as contracts, linkSecondsDefault } from '../contracts.ts';
import {
  change,
  flag,
  given,
  type OperatorContext,
  type OperatorHandler,
  portionsOf,
  seconds,
} from '../handler.ts';

type Contracts = typeof contracts;

/** Makes a user. */
export const createUser: OperatorHandler<Contracts['createUser']> = async (asked, context) => {
  const passwordHash = asked.password === undefined ? null : await hashPassword(asked.password);
  return change(context, async (transaction, note) => {
    const organisation = await transaction
      .selectFrom('organisation')
      .select('organisationId')
      .where('organisationId', '=', asked.organisationId)
      .executeTakeFirst();
    if (organisation === undefined)
      throw new Refusal(400, 'organisationId must be that of an organisation');
    const user: UserRecord = {
      userId: randomUUID(),
      organisationId: asked.organisationId,
      email: asked.email,
      role: asked.role,
      passwordHash,
      restricted: flag(asked.role === 'member'),
      createdAt: context.now(),
    };
    await transaction.insertInto('userAccount').values(user).execute();
    await note({
      action: 'createUser',
      subject: user.userId,
      detail: { organisationId: asked.organisationId, role: asked.role },
    });
    return { userId: user.userId };
  }).catch(refuseSecondEmail);
};

/** Lists users. */
export const listUsers: OperatorHandler<Contracts['listUsers']> = async (
  { organisationId, pageIndex, pageSize },
  { registry },
) => {
  const users = registry.records
    .selectFrom('userAccount')
    .$if(organisationId !== undefined, (query) =>
      query.where('organisationId', '=', organisationId!),
    );
  const found = await users
    .selectAll()
    .orderBy('email')
    .limit(pageSize)
    .offset(pageIndex * pageSize)
    .execute();
  const { total } = await users
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const granted = await grantedChannels(
    registry.records,
    found.filter((user) => user.restricted === 1).map((user) => user.userId),
  );
  return { users: found.map((user) => answerOf(user, granted.get(user.userId))), total };
};

/** Reads one user. */
export const readUser: OperatorHandler<Contracts['readUser']> = ({ userId }, { registry }) =>
  readOne(registry.records, userId);

/** Changes a user. */
export const changeUser: OperatorHandler<Contracts['changeUser']> = async (
  { userId, ...asked },
  context,
) => {
  const passwordHash =
    asked.password === undefined ? undefined : await hashPassword(asked.password);
  return change(context, async (transaction, note) => {
    const before = await transaction
      .selectFrom('userAccount')
      .selectAll()
      .where('userId', '=', userId)
      .executeTakeFirstOrThrow(unknownUser);
    const changes = given({
      email: asked.email,
      role: asked.role,
      passwordHash,
      restricted: restrictedAfter(before, asked.role),
    });
    if (Object.keys(changes).length > 0)
      await transaction
        .updateTable('userAccount')
        .set(changes)
        .where('userId', '=', userId)
        .execute();
    // A link that is out was meant for the address of before, or would undo the password.
    if (asked.password !== undefined || asked.email !== undefined)
      await endLinks(transaction, userId);
    if (asked.password !== undefined) await endSessions(transaction, userId);
    await note({
      action: 'changeUser',
      subject: userId,
      detail: given({
        role: asked.role,
        email: asked.email && 'changed',
        password: asked.password && 'changed',
      }),
    });
    return readOne(transaction, userId);
  }).catch(refuseSecondEmail);
};

/** Deletes a user with all keys of this user. */
export const deleteUser: OperatorHandler<Contracts['deleteUser']> = ({ userId }, context) =>
  change(context, async (transaction, note) => {
    const { organisationId } = await transaction
      .selectFrom('userAccount')
      .select('organisationId')
      .where('userId', '=', userId)
      .executeTakeFirstOrThrow(unknownUser);
    const { users, keys } = await removeUsers(transaction, [userId]);
    // Somebody else has just done it.
    if (users === 0) throw unknownUser();
    await note({ action: 'deleteUser', subject: userId, detail: { organisationId, keys } });
  });

/** Deletes users with all that is theirs, and says how many users and keys there were; the store itself sees to tags, access and usage. */
export async function removeUsers(
  transaction: RecordsTransaction,
  userIds: readonly string[],
): Promise<{ users: number; keys: number }> {
  const removed = { users: 0, keys: 0 };
  for (const portion of portionsOf(userIds)) {
    const owners = portion.map((userId) => `user:${userId}`);
    await transaction.deleteFrom('idempotentRequest').where('owner', 'in', owners).execute();
    const keys = await transaction
      .deleteFrom('apiKey')
      .where('userId', 'in', portion)
      .executeTakeFirst();
    const users = await transaction
      .deleteFrom('userAccount')
      .where('userId', 'in', portion)
      .executeTakeFirst();
    removed.keys += Number(keys.numDeletedRows);
    removed.users += Number(users.numDeletedRows);
  }
  return removed;
}

/** Says which channels a user may reach. */
export const grantChannels: OperatorHandler<Contracts['grantChannels']> = (
  { userId, channelIds },
  context,
) =>
  change(context, async (transaction, note) => {
    const user = await transaction
      .selectFrom('userAccount')
      .selectAll()
      .where('userId', '=', userId)
      .executeTakeFirstOrThrow(unknownUser);
    await transaction.deleteFrom('channelAccess').where('userId', '=', userId).execute();
    await transaction
      .updateTable('userAccount')
      .set({ restricted: flag(channelIds !== 'all') })
      .where('userId', '=', userId)
      .execute();
    if (channelIds !== 'all') await grant(transaction, user, channelIds);
    await note({ action: 'grantChannels', subject: userId, detail: { channelIds } });
    return readOne(transaction, userId);
  });

/** Issues the link by which a user chooses a password. */
export const issuePasswordLink: OperatorHandler<Contracts['issuePasswordLink']> = (
  asked,
  context,
) =>
  change(context, async (transaction, note) => {
    const { userId } = asked;
    const { passwordHash } = await transaction
      .selectFrom('userAccount')
      .select('passwordHash')
      .where('userId', '=', userId)
      .executeTakeFirstOrThrow(unknownUser);
    const purpose = asked.purpose ?? (passwordHash === null ? 'invitation' : 'reset');
    const createdAt = context.now();
    const expiresAt = createdAt + (asked.validSeconds ?? linkSecondsDefault[purpose]) * 1000;
    const { secret, publicUrl } = context.config;
    const token = await issueLink(transaction, secret, { userId, purpose, createdAt, expiresAt });
    await note({
      action: 'issuePasswordLink',
      subject: userId,
      detail: { purpose, expiresAt: seconds(expiresAt) },
    });
    // What follows # never leaves the browser, and so is in no log on the way.
    return {
      url: `${publicUrl}/console/password#${token}`,
      purpose,
      expiresAt: seconds(expiresAt),
    };
  });

/** Signs a user out everywhere. */
export const endUserSessions: OperatorHandler<Contracts['endUserSessions']> = (
  { userId },
  context,
) =>
  change(context, async (transaction, note) => {
    await transaction
      .selectFrom('userAccount')
      .select('userId')
      .where('userId', '=', userId)
      .executeTakeFirstOrThrow(unknownUser);
    const sessions = await endSessions(transaction, userId);
    await note({ action: 'endUserSessions', subject: userId, detail: { sessions } });
  });

async function grant(
  transaction: RecordsTransaction,
  user: UserRecord,
  channelIds: readonly string[],
): Promise<void> {
  const channels = await transaction
    .selectFrom('channel')
    .select(['channelId', 'channelNumber'])
    .where('organisationId', '=', user.organisationId)
    .execute();
  const numbers = new Map(channels.map((channel) => [channel.channelId, channel.channelNumber]));
  const foreign = channelIds.flatMap((channelId, position) =>
    numbers.has(channelId)
      ? []
      : [`channelIds[${position}] must be a channel of the user's organisation`],
  );
  if (foreign.length > 0) throw new Refusal(400, foreign.slice(0, 50).join(', '));
  const rows = [...new Set(channelIds)].map((channelId) => ({
    userId: user.userId,
    channelNumber: numbers.get(channelId)!,
  }));
  for (const portion of portionsOf(rows))
    await transaction.insertInto('channelAccess').values(portion).execute();
}

/** Reach follows the role only where the role moves between member and the others. */
function restrictedAfter(
  { role }: UserRecord,
  next: UserRecord['role'] | undefined,
): 0 | 1 | undefined {
  if (next === undefined || (role === 'member') === (next === 'member')) return undefined;
  return flag(next === 'member');
}

type RecordsOrTransaction = OperatorContext['registry']['records'] | RecordsTransaction;

async function readOne(records: RecordsOrTransaction, userId: string) {
  const user = await records
    .selectFrom('userAccount')
    .selectAll()
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow(unknownUser);
  const granted = user.restricted === 1 ? await grantedChannels(records, [userId]) : undefined;
  return answerOf(user, granted?.get(userId));
}

async function grantedChannels(
  records: RecordsOrTransaction,
  userIds: readonly string[],
): Promise<Map<string, string[]>> {
  const granted = new Map<string, string[]>();
  if (userIds.length === 0) return granted;
  const rows = await records
    .selectFrom('channelAccess')
    .innerJoin('channel', 'channel.channelNumber', 'channelAccess.channelNumber')
    .select(['channelAccess.userId', 'channel.channelId'])
    .where('channelAccess.userId', 'in', userIds)
    .orderBy('channel.channelId')
    .execute();
  for (const { userId, channelId } of rows)
    granted.set(userId, [...(granted.get(userId) ?? []), channelId]);
  return granted;
}

function answerOf(user: UserRecord, granted: string[] | undefined) {
  return {
    userId: user.userId,
    organisationId: user.organisationId,
    email: user.email,
    role: user.role,
    channelIds: user.restricted === 1 ? (granted ?? []) : ('all' as const),
    hasPassword: user.passwordHash !== null,
    createdAt: seconds(user.createdAt),
  };
}

function refuseSecondEmail(error: unknown): never {
  if (isUniqueViolation(error)) throw new Refusal(409, 'another user has this e-mail address');
  throw error;
}

function unknownUser(): Refusal {
  return new Refusal(404, 'there is no such user');
}
