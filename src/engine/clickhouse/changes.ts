/** Changes of a channel's facts: the next version, its commit and its rollups. */
import { factTables, rollups } from '../../../schema/warehouse/tables.ts';
import { isoDate } from '../../calendar/period.ts';
import { StoreUnavailable } from '../errors.ts';
import {
  type ChangedDays,
  ordersFromDay,
  rollupDays,
  rollupParameters,
  rollupQuestions,
} from '../rollup.ts';
import { allSettled, type Client } from './client.ts';
import { undatedColumns } from './schema.ts';
import { type Snapshot, visible, withVisible } from './snapshot.ts';
import { dateOf, literalText } from './vocabulary.ts';

const commitTries = 5;
const commitRetryMilliseconds = 500;

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
};

/** Makes a change, which is visible as a whole on return. The caller holds the channel's lock. */
export async function makeChange(
  client: Client,
  channel: number,
  importId: number,
  make: (change: Change) => Promise<void>,
): Promise<void> {
  const change = await begin(client, channel, importId);
  try {
    await make(change);
  } catch (error) {
    await addStates(client, [[channel, change.version, importId, 'discarded']]).catch(() => {});
    throw error;
  }
  await commit(client, change);
}

/** Takes the channel's next version, and discards those that a crash interrupted. */
async function begin(client: Client, channel: number, importId: number): Promise<Change> {
  const rows = await client.rows(
    `SELECT version, max(state = 'committed') AS committed, max(state = 'discarded') AS discarded
     FROM channel_version WHERE channel = ${channel} GROUP BY version`,
  );
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
  return {
    channel,
    importId,
    version,
    tables: new Set(),
    before: snapshotAt(committed),
    after: snapshotAt(version),
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
 * The statement may be repeated: if an answer was lost, a check finds out whether it was run.
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
      await client.run(insert);
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
export async function ownDays(
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

/** Computes the changed days of every rollup. `ordersFromBefore` is null for a rebuild. */
export async function computeRollups(
  client: Client,
  change: Change,
  timezone: string,
  changed: ChangedDays,
  ordersFromBefore: number | null,
): Promise<void> {
  const isConcerned = rollups.some((rollup) => rollupDays(rollup, changed, []).length > 0);
  if (!isConcerned) return;
  const ordersFrom = ordersFromDay(timezone, await firstPurchase(client, change.after));
  const sourceChanged =
    ordersFromBefore === null
      ? []
      : await storeDaysBetween(client, change, ordersFromBefore, ordersFrom);
  const daysOf = new Map<string, number[]>();
  for (const rollup of rollups) {
    if (rollupDays(rollup, changed, []).length === 0) continue;
    daysOf.set(rollup.name, rollupDays(rollup, changed, sourceChanged));
  }
  const compute = async ([name, days]: [string, readonly number[]]) => {
    const { channel, version, importId } = change;
    const parameters = rollupParameters(channel, timezone, days, ordersFrom);
    const body = literalText(rollupQuestions.get(name)!.sql, parameters);
    const list = undatedColumns(name).join(', ');
    await client.run(
      `INSERT INTO all_${name} (channel, day, version, import_id, ${list})
       SELECT ${channel}, day, ${version}, ${importId}, ${list}
       FROM (${withVisible(body, change.after)})`,
    );
  };
  await allSettled([ownDays(client, change, daysOf), ...[...daysOf].map(compute)]);
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
export async function firstPurchase(client: Client, snapshot: Snapshot): Promise<number | null> {
  const lines = visible('order_line', snapshot);
  const [row] = await client.rows(
    `SELECT min(purchased_at) AS first FROM ${lines}
     WHERE day = (SELECT day FROM ${lines} ORDER BY day LIMIT 1)`,
  );
  return row!.first as number | null;
}
