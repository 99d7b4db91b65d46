/** The keys that are valid. */
import type { Registry } from '../engine/registry.ts';

/**
 * A query for the valid keys, with their users and organisations. Members and users of
 * organisations without API access have none. `now` is in epoch milliseconds.
 */
export function validKeys({ records }: Pick<Registry, 'records'>, now: number) {
  return records
    .selectFrom('apiKey')
    .innerJoin('userAccount', 'userAccount.userId', 'apiKey.userId')
    .innerJoin('organisation', 'organisation.organisationId', 'userAccount.organisationId')
    .where('apiKey.revokedAt', 'is', null)
    .where(({ eb, or }) =>
      or([eb('apiKey.expiresAt', 'is', null), eb('apiKey.expiresAt', '>', now)]),
    )
    .where('userAccount.role', '!=', 'member')
    .where('organisation.apiAccess', '=', 1);
}

/**
 * A query for the valid keys of a user: the last used first, then those never used, newest first.
 * `now` is in epoch milliseconds.
 */
export function usableKeys(registry: Pick<Registry, 'records'>, userId: string, now: number) {
  return validKeys(registry, now)
    .selectAll('apiKey')
    .where('apiKey.userId', '=', userId)
    .orderBy(({ fn, ref, val }) => fn.coalesce(ref('apiKey.lastUsedAt'), val(0)), 'desc')
    .orderBy('apiKey.createdAt', 'desc')
    .orderBy('apiKey.keyId');
}
