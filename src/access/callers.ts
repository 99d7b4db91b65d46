/** Callers: who an API key belongs to, and what bounds them. */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Refusal } from '../contract/refusal.ts';
import type {
  ApiKeyRecord,
  OrganisationRecord,
  Registry,
  ScheduleRecord,
  UserRecord,
} from '../engine/registry.ts';
import { createCache } from './cache.ts';
import type { Caller } from './channels.ts';
import { boundColumns, mayComeFrom, rightsOf, unbounded } from './keyRights.ts';
import { lookupOf, wellFormed } from './keys.ts';
import { type SignedIn, sessionPrefix } from './sessions.ts';
import { standingKeys, validKeys } from './usableKeys.ts';

/** Finds callers by their keys. */
export type Callers = {
  /**
   * The caller behind the header `x-api-key`, at once if it is cached. Throws or rejects with the
   * same 403 for a key that is missing, malformed, unknown, revoked or expired, and with another
   * for a key that may not be used from the address.
   */
  readonly find: (header: unknown, address: string) => Caller | Promise<Caller>;
  /** A text that admits this caller in the header, once and in this process only. */
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
    const record = await standingKeys(registry)
      .select(keyColumns)
      .select(['apiKey.lookup', 'apiKey.expiresAt', 'origin.expiresAt as originExpiresAt'])
      .select(userColumns)
      .where('apiKey.lookup', '=', lookup)
      .executeTakeFirst();
    // The comparison in the store may take longer the more characters match.
    if (record === undefined || !timingSafeEqual(Buffer.from(record.lookup), Buffer.from(lookup)))
      return undefined;
    const never = Number.POSITIVE_INFINITY;
    const expiresAt = Math.min(record.expiresAt ?? never, record.originExpiresAt ?? never);
    return { caller: callerOfKey(record), expiresAt };
  }

  const usable = (known: Known | undefined, address: string): Caller => {
    if (known === undefined || known.expiresAt <= now()) throw keyRefused();
    if (!mayComeFrom(known.caller.rights, address)) throw addressRefused();
    return known.caller;
  };

  const passes = new Map<string, Caller>();

  return {
    admitOnce(caller) {
      const pass = randomBytes(passBytes).toString('base64url');
      passes.set(pass, caller);
      return pass;
    },
    find(header, address) {
      if (typeof header !== 'string' || header.length > 200) throw keyRefused();
      const admitted = passes.get(header);
      if (admitted !== undefined) {
        passes.delete(header);
        return admitted;
      }
      // Cached by digest, so that the memory of the process holds no list of keys.
      const found = cache.get(hash('sha256', header, 'base64'), () => load(header));
      return found instanceof Promise
        ? found.then((known) => usable(known, address))
        : usable(found, address);
    },
    invalidate: cache.invalidate,
  };
}

/** Begins the keyId of a schedule of the console. */
const schedulePrefix = 'schedule:';

/** Requests of the console, of all sessions of one user: a view asks ten questions at once. */
const consoleLimits = { perSecond: 20, burst: 200, perDay: 100_000 };

/** The caller behind a session of the console; it may ask what a key of this user may. */
export async function callerOfSession(
  registry: Registry,
  { userId, sessionId }: Pick<SignedIn, 'userId' | 'sessionId'>,
): Promise<Caller> {
  const user = await userQuery(registry, userId).executeTakeFirstOrThrow();
  return { keyId: sessionPrefix + sessionId, ...ofConsole(user) };
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
  if (keyId === null) return { keyId: schedulePrefix + scheduleId, ...ofConsole(user) };
  const key = await validKeys(registry, now)
    .select(keyColumns)
    .select(userColumns)
    .where('apiKey.keyId', '=', keyId)
    .where('apiKey.userId', '=', userId)
    .executeTakeFirst();
  return key && callerOfKey(key);
}

const keyColumns = [
  'apiKey.keyId',
  'apiKey.perSecond',
  'apiKey.burst',
  'apiKey.perDay',
  ...boundColumns,
] as const;

type KeyRow = Parameters<typeof rightsOf>[0] &
  Parameters<typeof userOf>[0] &
  Pick<ApiKeyRecord, 'keyId' | 'perSecond' | 'burst' | 'perDay'>;

/** The caller of a key. A key that was made from another counts with it. */
function callerOfKey(row: KeyRow): Caller {
  const { keyId, madeFrom, perSecond, burst, perDay } = row;
  return {
    keyId,
    budget: madeFrom ?? keyId,
    rights: rightsOf(row),
    ...userOf(row),
    limits: { perSecond, burst, perDay },
  };
}

/** A caller of the console without an identifier: all sessions of a user have one budget. */
function ofConsole(user: Parameters<typeof userOf>[0]): Omit<Caller, 'keyId'> {
  return {
    ...userOf(user),
    budget: `user:${user.userId}`,
    rights: unbounded,
    limits: consoleLimits,
  };
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
  >): Omit<Caller, 'keyId' | 'budget' | 'rights' | 'limits'> {
  return {
    userId,
    organisationId,
    role,
    plan,
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

function addressRefused(): Refusal {
  return new Refusal(
    403,
    'the key may not be used from this address: send from a network that it names or have this one added',
  );
}
