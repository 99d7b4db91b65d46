/** The keys that are valid. */

import { managerRoles } from '../contract/roles.ts';
import type { Registry } from '../engine/registry.ts';

/**
 * A query for the keys that nobody revoked, with their users, organisations and the keys that they
 * were made from, as `origin`. A key ends with its origin.
 */
export function standingKeys({ records }: Pick<Registry, 'records'>) {
  return records
    .selectFrom('apiKey')
    .leftJoin('apiKey as origin', 'origin.keyId', 'apiKey.madeFrom')
    .innerJoin('userAccount', 'userAccount.userId', 'apiKey.userId')
    .innerJoin('organisation', 'organisation.organisationId', 'userAccount.organisationId')
    .where('apiKey.revokedAt', 'is', null)
    .where('origin.revokedAt', 'is', null)
    .where(({ eb, or }) =>
      or([eb('apiKey.madeFrom', 'is', null), eb('origin.keyId', 'is not', null)]),
    );
}

/**
 * A query for the valid keys, with their users and organisations. Members, viewers and users of
 * organisations without API access have none. `now` is in epoch milliseconds.
 */
export function validKeys(registry: Pick<Registry, 'records'>, now: number) {
  return standingKeys(registry)
    .where(({ eb, or }) =>
      or([eb('apiKey.expiresAt', 'is', null), eb('apiKey.expiresAt', '>', now)]),
    )
    .where(({ eb, or }) =>
      or([eb('origin.expiresAt', 'is', null), eb('origin.expiresAt', '>', now)]),
    )
    .where('userAccount.role', 'in', managerRoles)
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
