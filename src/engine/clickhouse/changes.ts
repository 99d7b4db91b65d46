/** Changes of a channel's facts: the next version, its commit and its rollups. */
import { randomBytes } from 'node:crypto';
import { factTables, rollups } from '../../../schema/warehouse/tables.ts';
import { isoDate } from '../../calendar/period.ts';
import { reusedImport, StoreUnavailable } from '../errors.ts';
import {
  type ChangedDays,
  ordersFromDay,
  rollupDays,
  rollupParameters,
  rollupQuestions,
} from '../rollup.ts';
import { allSettled, type Client } from './client.ts';
import type { FirstPurchases } from './firstPurchases.ts';
import type { ChangedOwners, OwnedDays } from './ownedDays.ts';
import { undatedColumns } from './schema.ts';
import { readVersions, type Snapshot, stampOf, visible, withVisible } from './snapshot.ts';
import { dateOf, literalText } from './vocabulary.ts';

const commitTries = 5;
const commitRetryMilliseconds = 500;
const secondsPerDay = 86_400;

/** One change of a channel's facts while it is made. */
export type Change = {
  readonly channel: number;
  readonly importId: number;
  readonly version: number;
  /** The tables whose days it changes. */
  readonly tables: Set<string>;
  /** The days that it owns, by table. */
  readonly days: Map<string, readonly number[]>;
  /** The snapshots before and after the commit. */
  readonly before: Snapshot;
  readonly after: Snapshot;
  /** The owners of the days of the tables that it reads. */
  readonly owners: ChangedOwners;
  /** The first purchase before the change. */
  readonly firstBefore: () => Promise<number | null>;
  /** The first purchase after the change, once it is known. */
  firstAfter?: number | null;
};

/** Cached in memory, so that no statement has to look it up. */
export type Remembered = {
  readonly owned: OwnedDays;
  readonly firstPurchases: FirstPurchases;
};

/** The channel and the import of a change. */
export type ChangeOf = Remembered & {
  readonly channel: number;
  readonly importId: number;
  /** The tables of facts that an import changes; it must not have been committed yet. */
  readonly imported?: readonly string[];
};

/** Makes a change, which becomes visible as a whole. The caller holds the channel's lock. */
export async function makeChange(
  client: Client,
  of: ChangeOf,
  make: (change: Change) => Promise<void>,
): Promise<void> {
  const { channel, importId, owned, firstPurchases } = of;
  const change = await begin(client, of);
  try {
    await make(change);
  } catch (error) {
    await addStates(client, [[channel, change.version, importId, 'discarded']]).catch(() => {});
    throw error;
  }
  const stamp = await commit(client, change);
  for (const [table, days] of change.owners.ownersAfter(change.version, change.days))
    if (change.tables.has(table)) owned.note(channel, table, stamp, days);
  const { firstAfter, tables } = change;
  if (firstAfter !== undefined && tables.has('order_line'))
    firstPurchases.note(channel, stamp, firstAfter);
}

/** Takes the channel's next version, and discards versions that a crash interrupted. */
async function begin(
  client: Client,
  { channel, importId, owned, firstPurchases, imported }: ChangeOf,
): Promise<Change> {
  const isNew = imported !== undefined;
  const versions = await readVersions(client, channel, isNew ? importId : undefined);
  if (versions.isImported) throw reusedImport(importId);
  const { last, committed, snapshot } = versions;
  const owners = await owned.ofChannel(client, snapshot, channel, tablesRead(imported ?? []));
  const version = last + 1;
  const settled = new Set(versions.discarded);
  const interrupted: number[] = [];
  for (let one = committed + 1; one <= last; one++) if (!settled.has(one)) interrupted.push(one);
  await addStates(client, [
    ...interrupted.map((one) => [channel, one, 0, 'discarded'] as const),
    [channel, version, importId, 'begun'],
  ]);
  const discarded = [...settled, ...interrupted];
  const snapshotAt = (at: number): Snapshot => ({
    channels: [channel],
    versions: [at],
    discarded: discarded.filter((one) => one < at).map((one) => [channel, one] as const),
  });
  const before = { ...snapshotAt(committed), conditions: owners.before() };
  const orderStamp = snapshot.stamps.of(channel, 'order_line');
  return {
    channel,
    importId,
    version,
    tables: new Set(),
    days: new Map(),
    before,
    after: snapshotAt(version),
    owners,
    firstBefore: () => firstPurchases.of(channel, orderStamp, () => firstPurchase(client, before)),
  };
}

/** The tables that an import into these tables reads, including the rollups that it changes. */
function tablesRead(names: readonly string[]): string[] {
  const read = new Set(names);
  for (const { name, from, dependsOn = [] } of rollups) {
    const sources = [...from, ...dependsOn.map(({ table }) => table)];
    if (!sources.some((table) => names.includes(table))) continue;
    // The first order line decides the source of each store day.
    for (const table of [name, ...sources, 'order_line']) read.add(table);
  }
  return [...read];
}

type VersionState = readonly [
  channel: number,
  version: number,
  importId: number,
  state: 'begun' | 'discarded',
];

async function addStates(client: Client, states: readonly VersionState[]): Promise<void> {
  const values = states.map(
    ([channel, version, importId, state]) => `(${channel}, ${version}, ${importId}, '${state}')`,
  );
  await client.run(
    `INSERT INTO channel_version (channel, version, import_id, state) VALUES ${values.join(', ')}`,
  );
}

/**
 * Commits the change unless another one has overtaken it, as can happen after its lock was lost.
 * Returns the stamp of the tables that it changed. The statement may be repeated: if an answer was
 * lost, a check finds out whether it ran.
 */
async function commit(client: Client, change: Change): Promise<string> {
  const { channel, version, importId } = change;
  const nonce = randomBytes(8).readBigUInt64LE();
  const tables = [...change.tables].map((name) => `'${name}'`).join(', ');
  const insert = `INSERT INTO channel_version (channel, version, import_id, state, tables, nonce)
    SELECT ${channel}, ${version}, ${importId}, 'committed', [${tables}], ${nonce}
    FROM channel_version WHERE channel = ${channel}
      AND (version > ${version} OR (version = ${version} AND state <> 'begun'))
    HAVING count() = 0`;
  const check = `SELECT 1 FROM channel_version
    WHERE channel = ${channel} AND version = ${version} AND state = 'committed' LIMIT 1`;
  for (let tries = 1; ; tries++) {
    try {
      if ((await client.write(insert)) === 1) return stampOf(version, nonce);
      if ((await client.rows(check)).length > 0) return stampOf(version, nonce);
      break;
    } catch (error) {
      if (tries === commitTries || !(error instanceof StoreUnavailable)) throw error;
      await client.rest(commitRetryMilliseconds * tries);
    }
  }
  throw new StoreUnavailable(
    'warehouse',
    new Error(`another change of channel ${channel} overtook version ${version}`),
  );
}

/** Makes the change the owner of those days of each table. */
async function ownDays(
  client: Client,
  { channel, version, tables, days: ownDaysOf }: Change,
  daysOf: ReadonlyMap<string, readonly number[]>,
): Promise<void> {
  for (const [name, days] of daysOf) {
    tables.add(name);
    ownDaysOf.set(name, days);
  }
  const rows = [...daysOf].flatMap(([name, days]) =>
    days.map((day) => `(${channel}, '${name}', '${isoDate(day)}', ${version})`),
  );
  if (rows.length > 0)
    await client.run(
      `INSERT INTO visible_day (channel, fact, day, version) VALUES ${rows.join(', ')}`,
    );
}

/** Makes the change the owner of all days of a table, or of every table. */
export async function ownAllDays(
  client: Client,
  { channel, version, tables }: Change,
  table?: string,
): Promise<void> {
  for (const { name } of factTables) if (table === undefined || table === name) tables.add(name);
  await client.run(
    `INSERT INTO visible_day (channel, fact, day, version)
     SELECT DISTINCT channel, fact, day, ${version} FROM visible_day
     WHERE channel = ${channel}${table === undefined ? '' : ` AND fact = '${table}'`}`,
  );
}

/**
 * Makes the change the owner of the days whose facts it changed, `factDays`, and computes their
 * rollups.
 */
export async function computeRollups(
  client: Client,
  change: Change,
  timezone: string,
  changed: ChangedDays,
  factDays: ReadonlyMap<string, readonly number[]> = changed.byTable,
): Promise<void> {
  const concerned = rollups.filter((rollup) => rollupDays(rollup, changed, []).length > 0);
  if (concerned.length === 0) return await ownDays(client, change, factDays);
  const { channel, version, importId, after } = change;
  const firstBefore = await change.firstBefore();
  const mayMove = (changed.byTable.get('order_line') ?? []).some(
    (day) => firstBefore === null || day * secondsPerDay <= firstBefore,
  );
  if (mayMove) await ownDays(client, change, factDays);
  const first = mayMove ? await firstPurchase(client, after) : firstBefore;
  change.firstAfter = first;
  const ordersFrom = ordersFromDay(timezone, first);
  const ordersFromBefore = ordersFromDay(timezone, firstBefore);
  const sourceChanged = await storeDaysBetween(client, change, ordersFromBefore, ordersFrom);
  const daysOf = new Map(
    concerned.map((rollup) => [rollup.name, rollupDays(rollup, changed, sourceChanged)]),
  );
  await ownDays(client, change, new Map([...(mayMove ? [] : factDays), ...daysOf]));
  const compute = async ([name, days]: [string, readonly number[]]) => {
    const parameters = rollupParameters(channel, timezone, days, ordersFrom);
    const body = literalText(rollupQuestions.get(name)!.sql, parameters);
    const list = undatedColumns(name).join(', ');
    // A local day contains events of the UTC days around it.
    const read = { first: days[0]! - 1, last: days.at(-1)! + 1 };
    const conditions = change.owners.after(version, factDays, read);
    await client.run(
      `INSERT INTO all_${name} (channel, day, version, import_id, ${list})
       SELECT ${channel}, day, ${version}, ${importId}, ${list}
       FROM (${withVisible(body, { ...after, conditions })})`,
    );
  };
  await allSettled([...daysOf].map(compute));
}

/** The days of the store rollup whose source of sales changed to or from order lines. */
async function storeDaysBetween(
  client: Client,
  { before }: Change,
  ordersFromBefore: number,
  ordersFrom: number,
): Promise<number[]> {
  if (ordersFromBefore === ordersFrom) return [];
  const rows = await client.rows(
    `SELECT DISTINCT day FROM ${visible('store_day', before)}
     WHERE day >= ${dateOf(Math.min(ordersFromBefore, ordersFrom))}
       AND day < ${dateOf(Math.max(ordersFromBefore, ordersFrom))}`,
  );
  return rows.map((row) => row.day as number);
}

/** The instant of the first visible order line, found by reading one day in the order of rows. */
async function firstPurchase(client: Client, snapshot: Snapshot): Promise<number | null> {
  const [row] = await client.rows(
    `SELECT purchased_at AS first FROM ${visible('order_line', snapshot)}
     ORDER BY day, purchased_at LIMIT 1`,
  );
  return row ? (row.first as number) : null;
}
