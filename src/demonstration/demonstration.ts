/** An organisation with a year and more of made-up business, so that a first visitor has something to ask about. */
import type { Selectable } from 'kysely';
import { mintKey, unsealKey } from '../access/keys.ts';
import { createHashing } from '../access/secret.ts';
import { localDay } from '../calendar/period.ts';
import type { Config } from '../config.ts';
import type { ChannelRecord, Registry } from '../engine/registry.ts';
import type { Warehouse } from '../engine/warehouse.ts';
import type { Importer } from '../import/importer.ts';
import type { OrderLineRow } from './facts.ts';

/** What the demonstration is made with. `now` is in epoch milliseconds. */
export type DemonstrationParts = {
  readonly registry: Registry;
  readonly warehouse: Warehouse;
  readonly importer: Pick<Importer, 'import'>;
  readonly config: Pick<Config, 'secret' | 'environment'>;
  readonly now: number;
  /** Hears, in words for the console, how far the making has come. */
  readonly tell?: (words: string) => void;
};

/** Somebody who may sign in. */
export type Person = {
  readonly userId: string;
  readonly email: string;
  readonly role: string;
  /** Undefined where somebody has chosen another one. */
  readonly password: string | undefined;
};

/** The demonstration as it stands in the stores. */
export type Demonstration = {
  readonly organisationId: string;
  /** The key of its owner. */
  readonly key: string;
  /** Who may sign in to the account pages. */
  readonly people: readonly Person[];
  /** When it was first started to be made, in epoch milliseconds; its facts reach up to the day before. */
  readonly madeAt: number;
};

/** Identifier of the demonstration's organisation. */
export const organisationId = 'northwind-outdoor';
const ownerId = 'northwind-outdoor-owner';
const memberId = 'northwind-outdoor-member';
/** Who is of the organisation. */
const people = [
  { userId: ownerId, email: 'owner@northwind-outdoor.example', role: 'owner', restricted: 0 },
  { userId: memberId, email: 'member@northwind-outdoor.example', role: 'member', restricted: 1 },
] as const;
/**
 * What the demonstration holds; it rises with every change of that. Version 2 brought profit and loss, version 3 orders and inventory,
 * version 4 people who can sign in.
 */
const version = 4;
/** The last version that changed facts: what it has made needs no other facts. */
const versionOfFacts = 3;
/** The deed that tells which version was made. */
const making = 'makeDemonstration';
/** Thirty-two letters and digits that nobody takes for one another. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';
/** Enough for whatever one visitor may try. */
const limits = { perSecond: 200, burst: 400, perDay: 10_000_000 };
const secondsPerDay = 86_400;
/** How far back exchange rates are brought, in days: further than all facts, and the days before them whose rates still hold. */
const daysOfRates = 800;
/** How many of the last days' order lines order records and inventory are told by: three months, and the days until they are shipped. */
const daysOfRecentLines = 93;
/** How many days are lived through before others get their turn on the thread. */
const daysPerTurn = 20;

/** A complete demonstration, and the version by which it was made. */
type Found = { readonly demonstration: Omit<Demonstration, 'people'>; readonly version: number };

/**
 * Makes the demonstration, or finds it where it was made before. It is complete once its key exists, which is issued last; what a start
 * that died has left is completed, with the facts of the day on which the making began. What an earlier version has made is brought up to
 * date in the same way, but for its order lines, which stay.
 */
export async function fillDemonstration(parts: DemonstrationParts): Promise<Demonstration> {
  const found = await findDemonstration(parts);
  const demonstration =
    found?.version === version
      ? found.demonstration
      : await parts.registry.withLock('demonstration', () => makeOnce(parts));
  return { ...demonstration, people: await readPeople(parts) };
}

/** Finds the complete demonstration, by a single look-up; undefined where there is none. */
async function findDemonstration(parts: DemonstrationParts): Promise<Found | undefined> {
  const { registry, config, now } = parts;
  const keys = await registry.records
    .selectFrom('apiKey')
    .innerJoin('userAccount', 'userAccount.userId', 'apiKey.userId')
    .innerJoin('organisation', 'organisation.organisationId', 'userAccount.organisationId')
    .select((from) => [
      ...([
        'keyId',
        'sealed',
        'expiresAt',
        'revokedAt',
        'organisation.createdAt as madeAt',
      ] as const),
      from
        .selectFrom('auditEntry')
        .select('detail')
        .where('subject', '=', organisationId)
        .where('action', '=', making)
        .orderBy('auditId', 'desc')
        .limit(1)
        .as('made'),
    ])
    .where('apiKey.userId', '=', ownerId)
    .orderBy('apiKey.createdAt', 'desc')
    .execute();
  if (keys.length === 0) return undefined;
  const { madeAt, made } = keys[0]!;
  // What a later program has made holds all that this one makes.
  const madeVersion = Math.min(version, (made !== null && JSON.parse(made).version) || 1);
  const found = (key: string): Found => ({
    demonstration: { organisationId, key, madeAt },
    version: madeVersion,
  });
  for (const { keyId, sealed, expiresAt, revokedAt } of keys) {
    if (revokedAt !== null || (expiresAt !== null && expiresAt <= now)) continue;
    try {
      return found(unsealKey(config.secret, keyId, sealed));
    } catch {
      // The installation's secret has changed since, and with it this key is worth nothing.
    }
  }
  return found(await issueKey(parts));
}

async function makeOnce(parts: DemonstrationParts): Promise<Found['demonstration']> {
  // Another node may have made it while this one waited.
  const found = await findDemonstration(parts);
  if (found?.version === version) return found.demonstration;
  if (found !== undefined && found.version >= versionOfFacts) {
    await makePeople(parts);
    await noteMaking(parts);
    return found.demonstration;
  }
  parts.tell?.(
    `${found ? 'Bringing demonstration data up to date' : 'Making demonstration data'} (once) ...`,
  );
  // The days are lived through by code that later starts need not load.
  const [
    { offersOf, plans },
    facts,
    { unitCostRows },
    { adGroupRows, campaignRows, campaignsOf },
    { ratesSince },
    { makeGroups },
    { targetRows },
    { searchQueryRows },
    { orderRows },
    { inventoryRows },
  ] = await Promise.all([
    import('./catalogue.ts'),
    import('./facts.ts'),
    import('./books.ts'),
    import('./campaigns.ts'),
    import('./rates.ts'),
    import('./groups.ts'),
    import('./targets.ts'),
    import('./searches.ts'),
    import('./orders.ts'),
    import('./inventory.ts'),
  ]);
  const madeAt = await makeRecords(parts, plans, makeGroups);
  const anchorDay = Math.floor(madeAt / 1000 / secondsPerDay);
  const channels = await parts.registry.records
    .selectFrom('channel')
    .selectAll()
    .where('organisationId', '=', organisationId)
    .execute();

  let landing: Promise<unknown> = bringRates(parts, ratesSince(anchorDay - daysOfRates));
  for (const plan of plans) {
    const channel = channels.find(({ channelId }) => channelId === plan.channelId);
    if (!channel && found) continue;
    if (!channel)
      throw new Error(
        `the demonstration needs the channelId ${plan.channelId}, which another organisation has`,
      );
    const documents: Record<string, string[]> = { products: [linesOf(facts.productRows(plan))] };
    // What units cost comes before the events, whose sums would else be made twice.
    const unitCosts = unitCostRows(plan, offersOf(plan), anchorDay);
    if (unitCosts.length > 0) documents.unitCosts = [linesOf(unitCosts)];
    const campaigns = campaignsOf(plan, anchorDay);
    if (campaigns.length > 0) {
      documents.campaigns = [linesOf(campaignRows(plan, campaigns))];
      documents.adGroups = [linesOf(adGroupRows(plan, campaigns))];
    }
    const targets = targetRows(plan, anchorDay);
    if (targets.length > 0) documents.targets = [linesOf(targets)];
    const searchQueries = searchQueryRows(plan, anchorDay);
    if (searchQueries.length > 0) documents.searchQueries = [linesOf(searchQueries)];
    const today = localDay(plan.timezone, madeAt / 1000);
    const recent: (readonly OrderLineRow[])[] = [];
    let days = 0;
    for (const day of facts.liveThrough(plan, anchorDay, today - 1)) {
      recent.push(day.orderLines);
      if (recent.length > daysOfRecentLines) recent.shift();
      for (const [dataset, rows] of Object.entries(day)) {
        documents[dataset] ??= [];
        if (rows.length > 0) documents[dataset].push(linesOf(rows));
      }
      if (++days % daysPerTurn === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    const recentLines = recent.flat();
    const orders = orderRows(plan, recentLines, anchorDay);
    if (orders.length > 0) documents.orders = [linesOf(orders)];
    const inventory = inventoryRows(plan, recentLines, today);
    if (inventory.length > 0) documents.inventory = [linesOf(inventory)];
    // Orders that are told anew under other numbers would stand beside those of before.
    if (found) delete documents.orderLines;
    // While the facts of one channel land, the next one's are made, but never those of all.
    await landing;
    landing = bringChannel(parts, channel, documents);
    landing.catch(() => undefined);
  }
  await landing;
  await makePeople(parts);
  await noteMaking(parts);
  return found?.demonstration ?? { organisationId, key: await issueKey(parts), madeAt };
}

/** Makes whatever is not there yet of the records, and says when the first of them was made. */
async function makeRecords(
  { registry, now }: DemonstrationParts,
  plans: typeof import('./catalogue.ts').plans,
  makeGroups: typeof import('./groups.ts').makeGroups,
): Promise<number> {
  return registry.records.transaction().execute(async (transaction) => {
    const held = await transaction
      .selectFrom('organisation')
      .select('createdAt')
      .where('organisationId', '=', organisationId)
      .executeTakeFirst();
    if (held) return held.createdAt;
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
      .values({ ...people[0], organisationId, passwordHash: null, createdAt: now })
      .execute();
    await transaction
      .insertInto('channel')
      .values(
        plans.map(
          ({
            channelId,
            merchantId,
            marketplace,
            kind,
            countryCode,
            displayName,
            currency,
            timezone,
            adShare,
          }) => ({
            ...{
              channelId,
              organisationId,
              merchantId,
              marketplace,
              kind,
              countryCode,
              displayName,
              currency,
              timezone,
            },
            hasAdvertisingConnected: adShare > 0 ? (1 as const) : (0 as const),
            ...{ leadTimeDays: 30, safetyStockDays: 14, targetCoverDays: 60 },
            ...{ createdAt: now, updatedAt: now },
          }),
        ),
      )
      .onConflict((conflict) => conflict.column('channelId').doNothing())
      .execute();
    await makeGroups(transaction, { organisationId, ownerId, now });
    return now;
  });
}

async function noteMaking({ registry, now }: DemonstrationParts): Promise<void> {
  await registry.records
    .insertInto('auditEntry')
    .values(deed(now, making, organisationId, { version }))
    .execute();
}

/** Sees to it that there is everybody, each with a password; a password that somebody has by now stays. */
async function makePeople({ registry, config, now }: DemonstrationParts): Promise<void> {
  const { hashPassword } = await import('../access/passwords.ts');
  const hashes = await Promise.all(
    people.map(({ email }) => hashPassword(passwordOf(config, email))),
  );
  await registry.records.transaction().execute(async (transaction) => {
    for (const [place, person] of people.entries()) {
      await transaction
        .insertInto('userAccount')
        .values({ ...person, organisationId, passwordHash: null, createdAt: now })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await transaction
        .updateTable('userAccount')
        .set({ passwordHash: hashes[place]! })
        .where('userId', '=', person.userId)
        .where('passwordHash', 'is', null)
        .execute();
    }
    // Whoever is restricted reaches two channels, to show what that is like.
    await transaction
      .insertInto('channelAccess')
      .columns(['userId', 'channelNumber'])
      .expression(({ selectFrom }) =>
        selectFrom('userAccount')
          .innerJoin('channel', 'channel.organisationId', 'userAccount.organisationId')
          .select(['userAccount.userId', 'channel.channelNumber'])
          .where('userAccount.organisationId', '=', organisationId)
          .where('userAccount.userId', '=', memberId)
          .orderBy('channel.channelNumber')
          .limit(2),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}

/** Who may sign in, with the password where it is still the one of the beginning. */
async function readPeople({ registry, config }: DemonstrationParts): Promise<Person[]> {
  const { verifyPassword } = await import('../access/passwords.ts');
  const ids: readonly string[] = people.map(({ userId }) => userId);
  const found = await registry.records
    .selectFrom('userAccount')
    .select(['userId', 'email', 'role', 'passwordHash'])
    .where('userId', 'in', ids)
    .execute();
  const inOrder = found.toSorted((a, b) => ids.indexOf(a.userId) - ids.indexOf(b.userId));
  return Promise.all(
    inOrder.map(async ({ passwordHash, ...person }) => {
      const password = passwordOf(config, person.email);
      const { matches } = await verifyPassword(password, passwordHash);
      return { ...person, password: matches ? password : undefined };
    }),
  );
}

/** A password that only this installation has, and that is kept nowhere: it follows from the secret. */
function passwordOf({ secret }: DemonstrationParts['config'], email: string): string {
  const letters = [
    ...Buffer.from(createHashing(secret, 'demonstration password')(email), 'hex'),
  ].map((byte) => alphabet[byte % 32]);
  return [0, 4, 8, 12].map((from) => letters.slice(from, from + 4).join('')).join('-');
}

/** The last step: from here on the demonstration is complete. */
async function issueKey({ registry, config, now }: DemonstrationParts): Promise<string> {
  const keyId = crypto.randomUUID();
  const { key, lookup, sealed } = mintKey(config.secret, keyId, config.environment);
  await registry.records.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('apiKey')
      .values({
        keyId,
        userId: ownerId,
        lookup,
        sealed,
        ...limits,
        createdAt: now,
        lastUsedAt: null,
        expiresAt: null,
        revokedAt: null,
      })
      .execute();
    await transaction
      .insertInto('auditEntry')
      .values(deed(now, 'issueKey', keyId, { userId: ownerId, limits }))
      .execute();
  });
  return key;
}

function deed(at: number, action: string, subject: string, detail: object) {
  return { at, actor: 'operator', action, subject, detail: JSON.stringify(detail) };
}

/** Brings the rates, unless the installation has rates of its own. */
async function bringRates(parts: DemonstrationParts, rates: Iterable<object>): Promise<void> {
  const reach = await parts.warehouse.extents(0);
  if (reach.some(({ table, rows }) => table === 'exchange_rate' && rows > 0)) return;
  await bring(parts, undefined, 'exchangeRates', [linesOf([...rates])]);
}

async function bringChannel(
  parts: DemonstrationParts,
  channel: Selectable<ChannelRecord>,
  documents: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  const filled = Object.entries(documents).filter(([, chunks]) => chunks.length > 0);
  const counts = await Promise.all(
    filled.map(([dataset, chunks]) => bring(parts, channel, dataset, chunks)),
  );
  const rows = counts.reduce((sum, count) => sum + count, 0);
  parts.tell?.(`  ${channel.displayName}: ${rows.toLocaleString('en')} rows`);
}

/** Imports one document the way that users import theirs; returns the number of its rows. */
async function bring(
  { importer }: DemonstrationParts,
  channel: Selectable<ChannelRecord> | undefined,
  dataset: string,
  chunks: readonly string[],
): Promise<number> {
  const { Readable } = await import('node:stream');
  const { rowsAccepted } = await importer.import(
    {
      content: { dataset, format: 'ndjson' },
      ...(channel && { channel }),
      coarseOnLastDay: false,
      abortOnRejection: true,
    },
    Readable.from(chunks),
  );
  return rowsAccepted;
}

function linesOf(rows: readonly object[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}
