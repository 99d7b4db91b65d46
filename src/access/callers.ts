/** Callers: who an API key belongs to, and what they may use. */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Contract, Grant } from '../contract/endpoint.ts';
import { Refusal } from '../contract/refusal.ts';
import type {
  OrganisationRecord,
  Registry,
  ScheduleRecord,
  UserRecord,
} from '../engine/registry.ts';
import { createCache } from './cache.ts';
import type { Caller } from './channels.ts';
import { lookupOf, wellFormed } from './keys.ts';
import { type SignedIn, sessionPrefix } from './sessions.ts';
import { validKeys } from './usableKeys.ts';

/** Finds callers by their keys. */
export type Callers = {
  /**
   * The caller behind the header `x-api-key`, at once if it is cached. Throws or rejects with the
   * same 403 for a key that is missing, malformed, unknown, revoked or expired.
   */
  readonly find: (header: unknown) => Caller | Promise<Caller>;
  /** A text that stands in the header for this caller, once and in this process. */
  readonly admitOnce: (caller: Caller) => string;
  /** Call it after each change of keys, users or organisations on this node. */
  readonly invalidate: () => void;
};

const passBytes = 32;

type Known = { readonly caller: Caller; readonly expiresAt: number };

/** Looks callers up in the registry. `now` is in epoch milliseconds. */
export function createCallers(registry: Registry, secret: string, now: () => number): Callers {
  const cache = createCache<Known>(now);

  async function load(key: string): Promise<Known | undefined> {
    if (!wellFormed(key)) return undefined;
    const lookup = lookupOf(secret, key);
    const record = await registry.records
      .selectFrom('apiKey')
      .innerJoin('userAccount', 'userAccount.userId', 'apiKey.userId')
      .innerJoin('organisation', 'organisation.organisationId', 'userAccount.organisationId')
      .select([
        'apiKey.keyId',
        'apiKey.lookup',
        'apiKey.perSecond',
        'apiKey.burst',
        'apiKey.perDay',
        'apiKey.expiresAt',
      ])
      .select(userColumns)
      .where('apiKey.lookup', '=', lookup)
      .where('apiKey.revokedAt', 'is', null)
      .executeTakeFirst();
    // The comparison in the store may take longer the more characters match.
    if (record === undefined || !timingSafeEqual(Buffer.from(record.lookup), Buffer.from(lookup)))
      return undefined;
    const { keyId, perSecond, burst, perDay } = record;
    const caller = { keyId, ...userOf(record), limits: { perSecond, burst, perDay } };
    return { caller, expiresAt: record.expiresAt ?? Number.POSITIVE_INFINITY };
  }

  const usable = (known: Known | undefined): Caller => {
    if (known === undefined || known.expiresAt <= now()) throw keyRefused();
    return known.caller;
  };

  const passes = new Map<string, Caller>();

  return {
    admitOnce(caller) {
      const pass = randomBytes(passBytes).toString('base64url');
      passes.set(pass, caller);
      return pass;
    },
    find(header) {
      if (typeof header !== 'string' || header.length > 200) throw keyRefused();
      const admitted = passes.get(header);
      if (admitted !== undefined) {
        passes.delete(header);
        return admitted;
      }
      // Cached by digest, so that the memory of the process holds no list of keys.
      const found = cache.get(hash('sha256', header, 'base64'), () => load(header));
      return found instanceof Promise ? found.then(usable) : usable(found);
    },
    invalidate: cache.invalidate,
  };
}

/** The keyId of a schedule of the console begins with this. */
const schedulePrefix = 'schedule:';

/** Requests of the console for one user: a view asks ten questions at once. */
const consoleLimits = { perSecond: 20, burst: 200, perDay: 100_000 };

/** The caller behind a session of the console; it may ask what a key of this user may. */
export async function callerOfSession(
  registry: Registry,
  { userId, sessionId }: Pick<SignedIn, 'userId' | 'sessionId'>,
): Promise<Caller> {
  const user = await userQuery(registry, userId).executeTakeFirstOrThrow();
  return { keyId: sessionPrefix + sessionId, ...userOf(user), limits: consoleLimits };
}

/**
 * The caller of a schedule: its user, by the key that created it if there was one. Undefined if the
 * key is not valid any more. `now` is in epoch milliseconds.
 */
export async function callerOfSchedule(
  registry: Registry,
  { scheduleId, userId, keyId }: Pick<ScheduleRecord, 'scheduleId' | 'userId' | 'keyId'>,
  now: number,
): Promise<Caller | undefined> {
  const user = await userQuery(registry, userId).executeTakeFirst();
  if (user === undefined) return undefined;
  if (keyId === null)
    return { keyId: schedulePrefix + scheduleId, ...userOf(user), limits: consoleLimits };
  const key = await validKeys(registry, now)
    .select(['apiKey.perSecond', 'apiKey.burst', 'apiKey.perDay'])
    .where('apiKey.keyId', '=', keyId)
    .where('apiKey.userId', '=', userId)
    .executeTakeFirst();
  return key && { keyId, ...userOf(user), limits: key };
}

const userColumns = [
  'userAccount.userId',
  'userAccount.role',
  'userAccount.restricted',
  'organisation.organisationId',
  'organisation.plan',
  'organisation.apiAccess',
  'organisation.searchQueryPerformance',
  'organisation.searchQueryProductMax',
] as const;

/** A query for a user with the entitlements of the organisation. */
function userQuery({ records }: Registry, userId: string) {
  return records
    .selectFrom('userAccount')
    .innerJoin('organisation', 'organisation.organisationId', 'userAccount.organisationId')
    .select(userColumns)
    .where('userAccount.userId', '=', userId);
}

function userOf({
  userId,
  organisationId,
  role,
  plan,
  ...record
}: Pick<UserRecord, 'userId' | 'organisationId' | 'role' | 'restricted'> &
  Pick<
    OrganisationRecord,
    'plan' | 'apiAccess' | 'searchQueryPerformance' | 'searchQueryProductMax'
  >): Omit<Caller, 'keyId' | 'limits'> {
  const grants = new Set<Grant>();
  if (plan === 'enterprise') grants.add('orders');
  if (record.searchQueryPerformance === 1) grants.add('searchQueryPerformance');
  return {
    ...{ userId, organisationId, role, plan, grants },
    restricted: record.restricted === 1,
    entitlements: {
      apiAccess: record.apiAccess === 1,
      searchQueryPerformance: record.searchQueryPerformance === 1,
      searchQueryProductMax: record.searchQueryProductMax,
    },
  };
}

function keyRefused(): Refusal {
  return new Refusal(403, 'the x-api-key header must hold a valid key');
}

/**
 * Throws when a caller may not use an operation: 401 in general, 403 for the Search Query
 * Performance entitlement.
 */
export function requireGrant(caller: Caller, contract: Contract): void {
  if (!caller.entitlements.apiAccess)
    throw new Refusal(401, 'API access is not enabled for your organisation');
  if (caller.role === 'member')
    throw new Refusal(401, 'only owners and administrators of an organisation may use the API');
  requirePlan(caller, contract);
}

/**
 * Throws when the plan of a caller's organisation does not hold an operation: 401 in general, 403
 * for the Search Query Performance entitlement.
 */
export function requirePlan(caller: Caller, contract: Contract): void {
  if (contract.grant === 'orders' && !caller.grants.has('orders'))
    throw new Refusal(401, 'this endpoint needs the enterprise plan');
  if (contract.grant === 'searchQueryPerformance' && !caller.grants.has('searchQueryPerformance')) {
    throw new Refusal(
      403,
      'your organisation has no access to Search Query Performance: please contact sales to have it enabled',
    );
  }
}
