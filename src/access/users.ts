/** Users in the registry, as the operator and the administrators of organisations change them. */
import { firstFailures } from '../contract/check.ts';
import type { RuleFailures } from '../contract/endpoint.ts';
import { Refusal, refuse } from '../contract/refusal.ts';
import { isManager } from '../contract/roles.ts';
import { isUniqueViolation } from '../engine/errors.ts';
import type { RecordsTransaction, UserRecord } from '../engine/registry.ts';
import { flag, portionsOf, type RecordsOrTransaction } from './records.ts';

/** The channels that a user is granted by name, or all of the organisation. */
export type Granted = readonly string[] | 'all';

/**
 * Deletes users with their keys and returns the numbers of both. The store itself deletes their
 * sessions, tags, channel access and usage.
 */
export async function removeUsers(
  transaction: RecordsTransaction,
  userIds: readonly string[],
): Promise<{ users: number; keys: number }> {
  const removed = { users: 0, keys: 0 };
  for (const portion of portionsOf(userIds)) {
    // Locks the users before their keys: two deletions of one user would otherwise wait for each
    // other, each for a row that the other holds.
    await transaction
      .updateTable('userAccount')
      .set(({ ref }) => ({ restricted: ref('restricted') }))
      .where('userId', 'in', portion)
      .execute();
    const keys = await transaction
      .deleteFrom('apiKey')
      .where('userId', 'in', portion)
      .executeTakeFirst();
    const users = await transaction
      .deleteFrom('userAccount')
      .where('userId', 'in', portion)
      .executeTakeFirst();
    const owners = portion.map((userId) => `user:${userId}`);
    // After the users: a request of the user holds its user first, then its stored answer.
    await transaction.deleteFrom('idempotentRequest').where('owner', 'in', owners).execute();
    removed.keys += Number(keys.numDeletedRows);
    removed.users += Number(users.numDeletedRows);
  }
  return removed;
}

/** Replaces the channels that a user is granted; throws 400 for channels of others. */
export async function replaceGrants(
  transaction: RecordsTransaction,
  user: Pick<UserRecord, 'userId' | 'organisationId'>,
  channelIds: Granted,
): Promise<void> {
  const { userId } = user;
  await transaction.deleteFrom('channelAccess').where('userId', '=', userId).execute();
  await transaction
    .updateTable('userAccount')
    .set({ restricted: flag(channelIds !== 'all') })
    .where('userId', '=', userId)
    .execute();
  if (channelIds === 'all') return;
  const numbers = await channelNumbers(transaction, user);
  refuse(failuresOf(numbers, channelIds));
  const rows = [...new Set(channelIds)].map((channelId) => ({
    userId,
    channelNumber: numbers.get(channelId)!,
  }));
  for (const portion of portionsOf(rows))
    await transaction.insertInto('channelAccess').values(portion).execute();
}

/** The failures for channels that do not belong to the organisation of the user. */
export async function foreignFailures(
  records: RecordsOrTransaction,
  user: Pick<UserRecord, 'organisationId'>,
  channelIds: readonly string[],
): Promise<RuleFailures> {
  return failuresOf(await channelNumbers(records, user), channelIds);
}

function failuresOf(
  numbers: ReadonlyMap<string, number>,
  channelIds: readonly string[],
): RuleFailures {
  const texts = channelIds.flatMap((channelId, position) =>
    numbers.has(channelId)
      ? []
      : [`channelIds[${position}] must be a channel of the user's organisation`],
  );
  return firstFailures(texts, 'channelIds');
}

/** The numbers of the channels of a user's organisation, by their identifiers. */
async function channelNumbers(
  records: RecordsOrTransaction,
  { organisationId }: Pick<UserRecord, 'organisationId'>,
): Promise<ReadonlyMap<string, number>> {
  const channels = await records
    .selectFrom('channel')
    .select(['channelId', 'channelNumber'])
    .where('organisationId', '=', organisationId)
    .execute();
  return new Map(channels.map((channel) => [channel.channelId, channel.channelNumber]));
}

/** A change from or to a manager sets whether the user needs granted channels. */
export function restrictedAfter(
  { role }: Pick<UserRecord, 'role'>,
  next: UserRecord['role'] | undefined,
): 0 | 1 | undefined {
  if (next === undefined || isManager(role) === isManager(next)) return undefined;
  return flag(!isManager(next));
}

/** The channels that users are granted by name, by the identifier of the user. */
export async function grantedChannels(
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

/** Refuses an e-mail address that another user has. */
export function refuseSecondEmail(error: unknown): never {
  if (isUniqueViolation(error)) throw new Refusal(409, 'another user has this e-mail address');
  throw error;
}
