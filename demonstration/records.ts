/** The organisation of the demonstration as the registry holds it, its users and its API keys. */
import { unboundedColumns } from '../src/access/keyRights.ts';
import { mintKey, unsealKey } from '../src/access/keys.ts';
import { createHashing } from '../src/access/secret.ts';
import type { Config } from '../src/config.ts';
import type { Registry } from '../src/engine/registry.ts';

/** The stores and settings for making the records. `now` is in epoch milliseconds. */
export type RecordParts = {
  readonly registry: Registry;
  readonly config: Pick<Config, 'environment'> & { readonly secret: string };
  readonly now: number;
};

/** A user who can sign in. */
export type DemonstrationUser = Readonly<Record<'userId' | 'email' | 'role', string>> & {
  /** Undefined once the user has chosen another one. */
  readonly password: string | undefined;
};

/** The demonstration as the stores hold it. */
export type Demonstration = {
  readonly organisationId: string;
  /** The owner's API key. */
  readonly key: string;
  /** The users who can sign in to the account pages. */
  readonly users: readonly DemonstrationUser[];
  /** When filling began, in epoch milliseconds; the facts end the day before. */
  readonly madeAt: number;
};

/** Identifier of the demonstration's organisation. */
export const organisationId = 'northwind-outdoor';
const users = (
  [
    ['owner', 'Maria Reyes', 0],
    ['member', 'Jonas Weber', 1],
    ['viewer', 'Aiko Tanaka', 1],
  ] as const
).map(([role, name, restricted]) => ({
  userId: `${organisationId}-${role}`,
  email: `${role}@northwind-outdoor.example`,
  name,
  role,
  restricted,
  organisationId,
  passwordHash: null,
}));
const [owner] = users as [(typeof users)[number]];
const userIds: readonly string[] = users.map(({ userId }) => userId);
/** Number of channels that the restricted member and the viewer may use. */
const memberChannels = 2;
/** Letters and digits that are not easily confused; 32, so that a byte picks one evenly. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';
/** Name of the key that is printed at every start. */
const keyName = 'Demonstration';
/** Rate limits that a single visitor will not reach. */
const limits = { perSecond: 200, burst: 400, perDay: 10_000_000 };

/**
 * Finds the key of a complete demonstration in one query; undefined when there is none. Of several
 * keys it is the demonstration's own or what replaced it, else the oldest.
 */
export async function findKey(
  parts: RecordParts,
): Promise<Omit<Demonstration, 'users'> | undefined> {
  const { registry, config, now } = parts;
  const keys = await registry.records
    .selectFrom('apiKey')
    .innerJoin('userAccount', 'userAccount.userId', 'apiKey.userId')
    .innerJoin('organisation', 'organisation.organisationId', 'userAccount.organisationId')
    .select(['keyId', 'sealed', 'expiresAt', 'revokedAt', 'organisation.createdAt as madeAt'])
    .where('apiKey.userId', '=', owner.userId)
    .where('apiKey.madeFrom', 'is', null)
    .orderBy(({ eb }) => eb('apiKey.name', '=', keyName), 'desc')
    .orderBy('apiKey.createdAt')
    .execute();
  if (keys.length === 0) return undefined;
  const { madeAt } = keys[0]!;
  for (const { keyId, sealed, expiresAt, revokedAt } of keys) {
    if (revokedAt !== null || (expiresAt !== null && expiresAt <= now)) continue;
    try {
      return { organisationId, key: unsealKey(config.secret, keyId, sealed), madeAt };
    } catch {
      // The installation's secret has changed, so this key no longer works.
    }
  }
  return { organisationId, key: await issueKey(parts), madeAt };
}

/** Adds the organisation, its owner and its channels; returns when they were first added. */
export async function addOrganisation({ registry, config, now }: RecordParts): Promise<number> {
  const { addRecords } = await import('./organisation.ts');
  return registry.records.transaction().execute(async (transaction) => {
    const existing = await transaction
      .selectFrom('organisation')
      .select('createdAt')
      .where('organisationId', '=', organisationId)
      .executeTakeFirst();
    if (existing) return existing.createdAt;
    await transaction
      .insertInto('organisation')
      .values({
        organisationId,
        name: 'Northwind Outdoor',
        plan: 'enterprise',
        apiAccess: 1,
        searchQueryPerformance: 1,
        searchQueryProductMax: 50,
        createdAt: now,
      })
      .execute();
    await transaction
      .insertInto('userAccount')
      .values({ ...owner, createdAt: now })
      .execute();
    const { userId } = owner;
    await addRecords(transaction, { organisationId, userId, secret: config.secret, now });
    return now;
  });
}

/** Adds the users who are missing and sets missing passwords; existing passwords stay. */
export async function addUsers({ registry, config, now }: RecordParts): Promise<void> {
  const [{ hashPassword }, { plans }] = await Promise.all([
    import('../src/access/passwords.ts'),
    import('./plans.ts'),
  ]);
  const channelIds = plans.slice(0, memberChannels).map(({ channelId }) => channelId);
  const hashes = await Promise.all(
    users.map(({ email }) => hashPassword(passwordOf(config, email))),
  );
  await registry.records.transaction().execute(async (transaction) => {
    for (const [index, user] of users.entries()) {
      await transaction
        .insertInto('userAccount')
        .values({ ...user, createdAt: now })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await transaction
        .updateTable('userAccount')
        .set({ passwordHash: hashes[index]! })
        .where('userId', '=', user.userId)
        .where('passwordHash', 'is', null)
        .execute();
    }
    await transaction
      .insertInto('channelAccess')
      .columns(['userId', 'channelNumber'])
      .expression(({ selectFrom }) =>
        selectFrom('userAccount')
          .innerJoin('channel', 'channel.organisationId', 'userAccount.organisationId')
          .select(['userAccount.userId', 'channel.channelNumber'])
          .where('userAccount.organisationId', '=', organisationId)
          .where('userAccount.userId', 'in', userIds.slice(1))
          .where('channel.channelId', 'in', channelIds),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}

/** The users, each with the original password while it is still in use. */
export async function readUsers({ registry, config }: RecordParts): Promise<DemonstrationUser[]> {
  const { verifyPassword } = await import('../src/access/passwords.ts');
  const found = await registry.records
    .selectFrom('userAccount')
    .select(['userId', 'email', 'role', 'passwordHash'])
    .where('userId', 'in', userIds)
    .execute();
  const inOrder = found.toSorted((a, b) => userIds.indexOf(a.userId) - userIds.indexOf(b.userId));
  return Promise.all(
    inOrder.map(async ({ passwordHash, ...user }) => {
      const password = passwordOf(config, user.email);
      const { matches } = await verifyPassword(password, passwordHash);
      return { ...user, password: matches ? password : undefined };
    }),
  );
}

/** The bounds of the smaller key, which the owner has made for an assistant. */
const bounds = { name: 'Assistant', grants: ['figures'], channels: ['northwind-us'] };

/**
 * Issues the owner's key and makes a smaller one from it, the last step: from here on the
 * demonstration is complete.
 */
export async function issueKey({ registry, config, now }: RecordParts): Promise<string> {
  const { userId } = owner;
  const mint = () => {
    const keyId = crypto.randomUUID();
    const { key, ...stored } = mintKey(config.secret, keyId, config.environment);
    const times = { createdAt: now, lastUsedAt: null, expiresAt: null, revokedAt: null };
    return { key, record: { keyId, userId, ...stored, ...limits, ...times } };
  };
  const [{ key, record }, { record: smaller }] = [mint(), mint()];
  const { keyId } = record;
  const { name, grants } = bounds;
  // Older, so that pages list it below.
  const made = { restricted: 1, madeFrom: keyId, createdAt: now - 1 } as const;
  const entryOf = (actor: string, action: string, subject: string, detail: object) => ({
    at: now,
    actor,
    action,
    subject,
    detail: JSON.stringify(detail),
  });
  await registry.records.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('apiKey')
      .values([
        { ...record, name: keyName, ...unboundedColumns },
        { ...smaller, name, grants: JSON.stringify(grants), addresses: null, ...made },
      ])
      .execute();
    await transaction
      .insertInto('keyChannel')
      .columns(['keyId', 'channelNumber'])
      .expression(({ selectFrom, val }) =>
        selectFrom('channel')
          .select([val(smaller.keyId).as('keyId'), 'channelNumber'])
          .where('organisationId', '=', organisationId)
          .where('channelId', 'in', bounds.channels),
      )
      .execute();
    await transaction
      .insertInto('auditEntry')
      .values([
        entryOf('operator', 'issueKey', keyId, { userId, name: keyName, limits }),
        entryOf(userId, 'makeKey', smaller.keyId, { userId, madeFrom: keyId, ...bounds }),
      ])
      .execute();
  });
  return key;
}

/** A password derived from the installation's secret, so that it need not be stored. */
function passwordOf({ secret }: RecordParts['config'], email: string): string {
  const hash = Buffer.from(createHashing(secret, 'demonstration password')(email), 'hex');
  const letters = Array.from(hash, (byte) => alphabet[byte % alphabet.length]);
  return [0, 4, 8, 12].map((from) => letters.slice(from, from + 4).join('')).join('-');
}
