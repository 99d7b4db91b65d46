/** Rights that were withdrawn meanwhile are checked again when something leaves the service. */
import type { Granted } from '../contract/grants.ts';
import { isManager } from '../contract/roles.ts';
import type { Registry } from '../engine/registry.ts';
import { channelsOfUser } from './channels.ts';
import { boundColumns, type KeyRights, mayCall, rightsOf } from './keyRights.ts';
import { validKeys } from './usableKeys.ts';

/** The rights by which something leaves the service: an e-mail, a file or a delivery. */
export type Basis = {
  readonly organisationId: string;
  readonly userId: string;
  /** The key by which it was made or is read; null for the console. */
  readonly keyId: string | null;
  /** The numbers of the channels that it is about. */
  readonly channels: readonly number[];
  /** The only user with restricted channels who may have it; null for all. */
  readonly ofUser: string | null;
  /** The operations that its key must still be allowed to call. */
  readonly calls: readonly Granted[];
};

/** Why nothing leaves by a key that was revoked or has expired. */
export const keyWithdrawn = 'its key is not valid any more';

/**
 * Why something may not leave the service any more; undefined if it may. It is checked when the
 * thing is made, when it leaves and when it is read. `now` is in epoch milliseconds.
 */
export async function withdrawalOf(
  { records }: Pick<Registry, 'records'>,
  { organisationId, userId, keyId, channels, ofUser, calls }: Basis,
  now: number,
): Promise<string | undefined> {
  const user = await records
    .selectFrom('userAccount')
    .innerJoin('organisation', 'organisation.organisationId', 'userAccount.organisationId')
    .select(['userAccount.role', 'userAccount.restricted', 'organisation.apiAccess'])
    .where('userAccount.userId', '=', userId)
    .where('organisation.organisationId', '=', organisationId)
    .executeTakeFirst();
  if (user === undefined) return 'its user has left the organisation';
  if (!isManager(user.role)) return `its user is only a ${user.role} of the organisation now`;
  if (user.apiAccess !== 1) return 'the organisation has no API access any more';
  if (user.restricted === 1 && ofUser !== null && ofUser !== userId)
    return 'its user may see only what is their own now';
  if (keyId !== null) {
    const rights = await rightsOfKey({ records }, keyId, userId, now);
    if (rights === undefined) return keyWithdrawn;
    const refused = calls.find((call) => !mayCall(rights, call));
    if (refused !== undefined) return `its key may not call ${refused.operation} any more`;
  }
  const reached = await channelsOfUser(records, { userId, organisationId, keyId })
    .clearSelect()
    .select('channel.channelNumber')
    .execute();
  const numbers = new Set(reached.map(({ channelNumber }) => channelNumber));
  return channels.every((channel) => numbers.has(channel))
    ? undefined
    : 'its user or key may not reach a channel that it is about any more';
}

async function rightsOfKey(
  registry: Pick<Registry, 'records'>,
  keyId: string,
  userId: string,
  now: number,
): Promise<KeyRights | undefined> {
  const key = await validKeys(registry, now)
    .select(boundColumns)
    .where('apiKey.keyId', '=', keyId)
    .where('apiKey.userId', '=', userId)
    .executeTakeFirst();
  return key && rightsOf(key);
}
