/** What a user may use: key, plan, entitlements. */

import { reachableChannels } from '../../access/channels.ts';
import { maskKey, unsealKey } from '../../access/keys.ts';
import { Refusal } from '../../contract/refusal.ts';
import { type Registry, writeAudit } from '../../engine/registry.ts';
import { confirmationSecondsMax, type accountContracts as contracts } from './contracts.ts';
import { type SignedInHandler, seconds } from './handler.ts';

type Contracts = typeof contracts;

/** Enough to find somebody to ask. */
const administratorsMax = 20;

/** Reads what the user may use. */
export const readAccess: SignedInHandler<Contracts['readAccess']> = async (
  _asked,
  { signedIn, registry, config, now },
) => {
  const { userId, organisationId, role } = signedIn;
  const { records } = registry;
  const user = await records
    .selectFrom('userAccount')
    .innerJoin('organisation', 'organisation.organisationId', 'userAccount.organisationId')
    .select(['userAccount.restricted', 'organisation.plan', 'organisation.apiAccess'])
    .select(['organisation.searchQueryPerformance', 'organisation.searchQueryProductMax'])
    .where('userAccount.userId', '=', userId)
    .executeTakeFirstOrThrow();
  const { channels } = await reachableChannels(registry, {
    userId,
    organisationId,
    restricted: user.restricted === 1,
  })
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('channels'))
    .executeTakeFirstOrThrow();
  const secondsOrNull = (milliseconds: number | null) =>
    milliseconds === null ? null : seconds(milliseconds);
  const keys = (await usableKeys(registry, userId, now()).execute()).map((key) => ({
    keyId: key.keyId,
    masked: masked(config.secret, key),
    limits: { perSecond: key.perSecond, burst: key.burst, perDay: key.perDay },
    createdAt: seconds(key.createdAt),
    lastUsedAt: secondsOrNull(key.lastUsedAt),
    expiresAt: secondsOrNull(key.expiresAt),
  }));
  const administrators =
    role !== 'member'
      ? []
      : await records
          .selectFrom('userAccount')
          .select('email')
          .where('organisationId', '=', organisationId)
          .where('role', '!=', 'member')
          .orderBy('email')
          .limit(administratorsMax)
          .execute();
  return {
    role,
    organisation: signedIn.organisation,
    plan: user.plan,
    apiAccess: user.apiAccess === 1,
    orders: user.plan === 'enterprise',
    searchQueryPerformance: user.searchQueryPerformance === 1,
    searchQueryProductMax: user.searchQueryProductMax,
    channels: Number(channels),
    environment: config.environment,
    address: config.publicUrl,
    keys,
    administrators: administrators.map(({ email }) => email),
    contact: config.contact ?? null,
  };
};

/** Reveals a key to its user, and notes it. */
export const revealKey: SignedInHandler<Contracts['revealKey']> = async (
  { keyId },
  { signedIn, registry, config, commit, now },
) => {
  const { userId, confirmedAt } = signedIn;
  const found = await usableKeys(registry, userId, now())
    .where('apiKey.keyId', '=', keyId)
    .executeTakeFirst();
  if (found === undefined) throw new Refusal(404, 'there is no such key');
  if (confirmedAt + confirmationSecondsMax * 1000 <= now())
    throw new Refusal(403, 'enter your password again to see the key');
  let key: string;
  try {
    key = unsealKey(config.secret, keyId, found.sealed);
  } catch {
    throw new Refusal(
      409,
      'this key cannot be shown and does not work any more: ask the operator of the service for a new one',
    );
  }
  await commit((transaction) =>
    writeAudit(transaction, now(), userId, { action: 'revealKey', subject: keyId, detail: {} }),
  );
  return { key };
};

/** The keys by which the user may ask, the newest first: none of members, and none without API access. */
export function usableKeys({ records }: Pick<Registry, 'records'>, userId: string, now: number) {
  return records
    .selectFrom('apiKey')
    .innerJoin('userAccount', 'userAccount.userId', 'apiKey.userId')
    .innerJoin('organisation', 'organisation.organisationId', 'userAccount.organisationId')
    .selectAll('apiKey')
    .where('apiKey.userId', '=', userId)
    .where('apiKey.revokedAt', 'is', null)
    .where(({ eb, or }) =>
      or([eb('apiKey.expiresAt', 'is', null), eb('apiKey.expiresAt', '>', now)]),
    )
    .where('userAccount.role', '!=', 'member')
    .where('organisation.apiAccess', '=', 1)
    .orderBy('apiKey.createdAt', 'desc')
    .orderBy('apiKey.keyId');
}

/** A key that was made with another secret cannot even be told by its ends. */
function masked(
  secret: string,
  { keyId, sealed }: { readonly keyId: string; readonly sealed: string },
): string {
  try {
    return maskKey(unsealKey(secret, keyId, sealed));
  } catch {
    return maskKey('');
  }
}
