/** The records of the demonstration: its organisation, channels, users and API key. */
import { unboundedColumns } from '../src/access/keyRights.ts';
import { mintKey, unsealKey } from '../src/access/keys.ts';
import { createHashing } from '../src/access/secret.ts';
import type { Config } from '../src/config.ts';
import { drawChannelNumber, type Registry } from '../src/engine/registry.ts';

/** The stores and settings for making the records. `now` is in epoch milliseconds. */
export type RecordParts = {
  readonly registry: Registry;
  readonly config: Pick<Config, 'environment'> & { readonly secret: string };
  readonly now: number;
};

/** A user who can sign in. */
export type DemonstrationUser = {
  readonly userId: string;
  readonly email: string;
  readonly role: string;
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
const ownerId = 'northwind-outdoor-owner';
const memberId = 'northwind-outdoor-member';
const viewerId = 'northwind-outdoor-viewer';
const users = [
  {
    userId: ownerId,
    email: 'owner@northwind-outdoor.example',
    name: 'Maria Reyes',
    role: 'owner',
    restricted: 0,
  },
  {
    userId: memberId,
    email: 'member@northwind-outdoor.example',
    name: 'Jonas Weber',
    role: 'member',
    restricted: 1,
  },
  {
    userId: viewerId,
    email: 'viewer@northwind-outdoor.example',
    name: 'Aiko Tanaka',
    role: 'viewer',
    restricted: 1,
  },
] as const;
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
    .where('apiKey.userId', '=', ownerId)
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
  const [{ plans }, { addGroups }, { addWebhooks }, { addSchedules }, { nameCode }] =
    await Promise.all([
      import('./plans.ts'),
      import('./groups.ts'),
      import('./webhooks.ts'),
      import('./schedules.ts'),
      import('./newCharges.ts'),
    ]);
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
      .values({ ...users[0], organisationId, passwordHash: null, createdAt: now })
      .execute();
    const channels = plans.map((plan) => ({
      channelNumber: drawChannelNumber(),
      channelId: plan.channelId,
      organisationId,
      merchantId: plan.merchantId,
      marketplace: plan.marketplace,
      kind: plan.kind,
      countryCode: plan.countryCode,
      displayName: plan.displayName,
      currency: plan.currency,
      timezone: plan.timezone,
      hasAdvertisingConnected: plan.adShare > 0 ? (1 as const) : (0 as const),
      ...{ leadTimeDays: 30, safetyStockDays: 14, targetCoverDays: 60 },
      ...{ createdAt: now, updatedAt: now },
    }));
    await transaction
      .insertInto('channel')
      .values(channels)
      .onConflict((conflict) => conflict.column('channelId').doNothing())
      .execute();
    await addGroups(transaction, { organisationId, ownerId, now });
    await addWebhooks(transaction, { organisationId, ownerId, now, secret: config.secret });
    await addSchedules(transaction, { organisationId, ownerId, now });
    await nameCode(transaction, { organisationId, now });
    return now;
  });
}

/** Adds the users who are missing and sets missing passwords; existing passwords stay. */
export async function addUsers({ registry, config, now }: RecordParts): Promise<void> {
  const [{ hashPassword }, { plans }] = await Promise.all([
    import('../src/access/passwords.ts'),
    import('./plans.ts'),
  ]);
  const hashes = await Promise.all(
    users.map(({ email }) => hashPassword(passwordOf(config, email))),
  );
  await registry.records.transaction().execute(async (transaction) => {
    for (const [index, user] of users.entries()) {
      await transaction
        .insertInto('userAccount')
        .values({ ...user, organisationId, passwordHash: null, createdAt: now })
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
          .where('userAccount.userId', 'in', [memberId, viewerId])
          .where(
            'channel.channelId',
            'in',
            plans.slice(0, memberChannels).map(({ channelId }) => channelId),
          ),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}

/** The users, each with the original password while it is still in use. */
export async function readUsers({ registry, config }: RecordParts): Promise<DemonstrationUser[]> {
  const { verifyPassword } = await import('../src/access/passwords.ts');
  const ids: readonly string[] = users.map(({ userId }) => userId);
  const found = await registry.records
    .selectFrom('userAccount')
    .select(['userId', 'email', 'role', 'passwordHash'])
    .where('userId', 'in', ids)
    .execute();
  const inOrder = found.toSorted((a, b) => ids.indexOf(a.userId) - ids.indexOf(b.userId));
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
  const mint = () => {
    const keyId = crypto.randomUUID();
    const { key, ...stored } = mintKey(config.secret, keyId, config.environment);
    const times = { createdAt: now, lastUsedAt: null, expiresAt: null, revokedAt: null };
    return { key, record: { keyId, userId: ownerId, ...stored, ...limits, ...times } };
  };
  const [{ key, record }, { record: smaller }] = [mint(), mint()];
  const { keyId } = record;
  const { name, grants } = bounds;
  const entryOf = (actor: string, action: string, subject: string, detail: object) => ({
    ...{ at: now, actor, action, subject, detail: JSON.stringify(detail) },
  });
  await registry.records.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('apiKey')
      .values([
        { ...record, name: keyName, ...unboundedColumns },
        {
          ...{ ...smaller, name, grants: JSON.stringify(grants), addresses: null },
          // Older, so that pages list it below.
          ...{ restricted: 1, madeFrom: keyId, createdAt: now - 1 },
        },
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
        entryOf('operator', 'issueKey', keyId, { userId: ownerId, name: keyName, limits }),
        entryOf(ownerId, 'makeKey', smaller.keyId, { userId: ownerId, madeFrom: keyId, ...bounds }),
      ])
      .execute();
  });
  return key;
}

/** A password derived from the installation's secret, so that it need not be stored. */
function passwordOf({ secret }: RecordParts['config'], email: string): string {
  const letters = [
    ...Buffer.from(createHashing(secret, 'demonstration password')(email), 'hex'),
  ].map((byte) => alphabet[byte % alphabet.length]);
  return [0, 4, 8, 12].map((from) => letters.slice(from, from + 4).join('')).join('-');
}
