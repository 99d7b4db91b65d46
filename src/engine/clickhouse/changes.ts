/** Changes of a channel's facts: the next version, its commit and its rollups. */
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
import { ChangedOwners } from './ownedDays.ts';
import { undatedColumns } from './schema.ts';
import { type Snapshot, visible, withVisible } from './snapshot.ts';
import { dateOf, literalText } from './vocabulary.ts';

const commitTries = 5;
const commitRetryMilliseconds = 500;
const secondsPerDay = 86_400;

/** One change of a channel's facts while it is made. */
export type Change = {
  readonly channel: number;
  readonly importId: number;
  readonly version: number;
  /** The tables of which it changes days. */
  readonly tables: Set<string>;
  /** The snapshots before and after the commit. */
  readonly before: Snapshot;
  readonly after: Snapshot;
  readonly owners: ChangedOwners;
};

/**
 * What a change is of. The owners of the days of the tables in `reads` are looked up once instead
 * of by every statement. An import that `isNew` must not have been committed yet.
 */
export type ChangeOf = {
  readonly channel: number;
  readonly importId: number;
  readonly reads?: readonly string[];
  readonly isNew?: boolean;
};

/** Makes a change, which is visible as a whole on return. The caller holds the channel's lock. */
export async function makeChange(
  client: Client,
  of: ChangeOf,
  make: (change: Change) => Promise<void>,
): Promise<void> {
  const change = await begin(client, of);
  const { channel, importId } = of;
  try {
    await make(change);
  } catch (error) {
    await addStates(client, [[channel, change.version, importId, 'discarded']]).catch(() => {});
    throw error;
  }
  await commit(client, change);
}

/** Takes the channel's next version, and discards those that a crash interrupted. */
async function begin(
  client: Client,
  { channel, importId, reads = [], isNew = false }: ChangeOf,
): Promise<Change> {
  const isKnown = isNew ? `import_id = ${importId} AND state = 'committed'` : 'false';
  const rows = await client.rows(
    `SELECT version, max(state = 'committed') AS committed, max(state = 'discarded') AS discarded,
       max(${isKnown}) AS is_reused
     FROM channel_version WHERE channel = ${channel} OR (${isKnown}) GROUP BY channel, version`,
  );
  if (rows.some((row) => row.is_reused)) throw reusedImport(importId);
  const known = rows.map((row) => ({ ...row, version: row.version as number }) as KnownVersion);
  const last = Math.max(0, ...known.map((row) => row.version));
  const committed = Math.max(0, ...known.filter((row) => row.committed).map((row) => row.version));
  const version = last + 1;
  const interrupted = known.filter(
    (row) => !row.committed && !row.discarded && row.version > committed,
  );
  await addStates(client, [
    ...interrupted.map((row) => [channel, row.version, 0, 'discarded'] as const),
    [channel, version, importId, 'begun'],
  ]);
  const discarded = known
    .filter((row) => !row.committed)
    .map((row) => [channel, row.version] as const);
  const snapshotAt = (at: number): Snapshot => ({
    channels: [channel],
    versions: [at],
    discarded: discarded.filter((one) => one[1] < at),
  });
  const before = snapshotAt(committed);
  const owners = await ChangedOwners.read(client, channel, before, reads);
  return {
    channel,
    importId,
    version,
    tables: new Set(),
    before: { ...before, conditions: owners.before() },
    after: snapshotAt(version),
    owners,
  };
}

type KnownVersion = {
  readonly version: number;
  readonly committed: number;
  readonly discarded: number;
};

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
 * Commits the change unless another one has overtaken it, as may happen after its lock was lost.
 * The statement may be repeated: if an answer was lost, a check finds out whether it was run before.
 */
async function commit(client: Client, change: Change): Promise<void> {
  const { channel, version, importId } = change;
  const tables = [...change.tables].map((name) => `'${name}'`).join(', ');
  const insert = `INSERT INTO channel_version (channel, version, import_id, state, tables)
    SELECT ${channel}, ${version}, ${importId}, 'committed', [${tables}]
    WHERE (SELECT count() FROM channel_version WHERE channel = ${channel}
      AND (version > ${version} OR (version = ${version} AND state <> 'begun'))) = 0`;
  const check = `SELECT 1 FROM channel_version
    WHERE channel = ${channel} AND version = ${version} AND state = 'committed' LIMIT 1`;
  for (let tries = 1; ; tries++) {
    try {
      if ((await client.write(insert)) === 1) return;
      if ((await client.rows(check)).length > 0) return;
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
  { channel, version, tables }: Change,
  daysOf: ReadonlyMap<string, readonly number[]>,
): Promise<void> {
  for (const name of daysOf.keys()) tables.add(name);
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
 * Makes the change the owner of the days of facts that it changed, `factDays`, and computes their
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
  const firstBefore = await firstPurchase(client, change.before);
  const mayMove = (changed.byTable.get('order_line') ?? []).some(
    (day) => firstBefore === null || day * secondsPerDay <= firstBefore,
  );
  if (mayMove) await ownDays(client, change, factDays);
  const first = mayMove ? await firstPurchase(client, change.after) : firstBefore;
  const ordersFrom = ordersFromDay(timezone, first);
  const ordersFromBefore = ordersFromDay(timezone, firstBefore);
  const sourceChanged = await storeDaysBetween(client, change, ordersFromBefore, ordersFrom);
  const daysOf = new Map(
    concerned.map((rollup) => [rollup.name, rollupDays(rollup, changed, sourceChanged)]),
  );
  await ownDays(client, change, new Map([...(mayMove ? [] : factDays), ...daysOf]));
  const { channel, version, importId } = change;
  const compute = async ([name, days]: [string, readonly number[]]) => {
    const parameters = rollupParameters(channel, timezone, days, ordersFrom);
    const body = literalText(rollupQuestions.get(name)!.sql, parameters);
    const list = undatedColumns(name).join(', ');
    // A local day has events of the UTC days around it.
    const read = { first: days[0]! - 1, last: days.at(-1)! + 1 };
    const conditions = change.owners.after(version, factDays, read);
    await client.run(
      `INSERT INTO all_${name} (channel, day, version, import_id, ${list})
       SELECT ${channel}, day, ${version}, ${importId}, ${list}
       FROM (${withVisible(body, { ...change.after, conditions })})`,
    );
  };
  await allSettled([...daysOf].map(compute));
}

/** The days of the store rollup on which order lines began or ceased to be the source of sales. */
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

/** The instant of the first visible order line, found in the order of rows by reading one day. */
async function firstPurchase(client: Client, snapshot: Snapshot): Promise<number | null> {
  const [row] = await client.rows(
    `SELECT purchased_at AS first FROM ${visible('order_line', snapshot)}
     ORDER BY day, purchased_at LIMIT 1`,
  );
  return row ? (row.first as number) : null;
}
