/**
 * Snapshots. Nothing is changed in place: each change of a channel's facts is a version, numbered
 * within the channel, and writes its rows next to the rows of earlier versions. `visible_day`
 * records which days of which table a version owns. One row with the state `committed` in
 * `channel_version` makes the whole version visible. A reader first looks up the committed version
 * of each channel, its snapshot. Then, for each day, it sees the rows of the last version up to the
 * snapshot that owns the day. Discarded versions are skipped for ever.
 *
 * A committed version is redundant once all its tables have later ones. It is pruned, and only its
 * import stays, in `committed_import`: snapshots cost the same after a thousand imports.
 */

import { tablePattern } from '../question.ts';
import type { Cancellation } from '../reading.ts';
import type { Stamps } from '../stamps.ts';
import type { Row } from '../warehouse.ts';
import type { Client } from './client.ts';
import { columnsOf, spreadTable } from './schema.ts';

/** The version of each channel that a question sees, and the discarded versions below them. */
export type Snapshot = {
  readonly channels: readonly number[];
  readonly versions: readonly number[];
  readonly discarded: readonly (readonly [channel: number, version: number])[];
  /** By table, the condition that a row is visible; without one, the owners are looked up. */
  readonly conditions?: ReadonlyMap<string, string>;
};

/** A snapshot, and the stamps of the tables that it shows. */
export type StampedSnapshot = Snapshot & { readonly stamps: Stamps };

/** The snapshot of questions that read no facts. */
export const emptySnapshot: StampedSnapshot = {
  channels: [],
  versions: [],
  discarded: [],
  stamps: { of: () => '' },
};

// A stamp is the last version that changed the table, with a random number: a version that a
// restore took back gets another number when it is made again.
const stampsColumns = `(maxMapIf(CAST(tables AS Array(String)),
      arrayWithConstant(length(tables), bitShiftLeft(toUInt128(version), 64) + nonce),
      state = 'committed') AS latest).1 AS names, latest.2 AS stamps`;

const stateColumns = `channel, maxIf(version, state = 'committed') AS committed,
      groupUniqArrayIf(version, state = 'discarded') AS discarded, ${stampsColumns}`;

/** The stamp that a version with this random number gives the tables that it changes. */
export function stampOf(version: number, nonce: bigint): string {
  return String((BigInt(version) << 64n) + nonce);
}

/** Takes a snapshot of the channels that lie on a server. */
export async function takeSnapshot(
  client: Client,
  channels: readonly number[],
  cancellation?: Cancellation,
): Promise<StampedSnapshot> {
  const sql = `SELECT ${stateColumns}
    FROM channel_version WHERE channel IN (${channels.join(', ')}) GROUP BY channel`;
  const rows = cancellation
    ? await client.read({ sql }, cancellation)
    : await client.rows(sql, {}, 1);
  return snapshotOf(rows.filter((row) => row.committed));
}

/** The versions of a channel. */
export type Versions = {
  readonly snapshot: StampedSnapshot;
  /** 0 if the channel has no version. */
  readonly committed: number;
  readonly last: number;
  readonly discarded: readonly number[];
  /** Whether the import in question has been committed, to any channel. */
  readonly isImported: boolean;
};

/** The committed imports that a condition selects, as a query. */
export function committedImports(condition: string): string {
  return `SELECT import_id FROM channel_version WHERE state = 'committed' AND ${condition}
    UNION DISTINCT SELECT import_id FROM committed_import WHERE ${condition}`;
}

/** Reads the versions of a channel, and whether an import has been committed. */
export async function readVersions(
  client: Client,
  channel: number,
  importId: number | undefined,
): Promise<Versions> {
  const imported = importId === undefined ? 'false' : `import_id = ${importId}`;
  const isImported = `${imported} AND state = 'committed'`;
  const rows = await client.rows(
    `SELECT ${stateColumns}, max(version) AS last, max(${isImported}) AS is_imported
     FROM channel_version WHERE channel = ${channel} OR (${isImported}) GROUP BY channel
     UNION ALL SELECT -1, 0, CAST([] AS Array(Int64)), CAST([] AS Array(String)),
       CAST([] AS Array(UInt128)), 0, 1 FROM committed_import WHERE ${imported}`,
  );
  const own = rows.find((row) => row.channel === channel);
  return {
    snapshot: snapshotOf(own?.committed ? [own] : []),
    committed: (own?.committed ?? 0) as number,
    last: (own?.last ?? 0) as number,
    discarded: own ? listOf(own.discarded).map(Number) : [],
    isImported: rows.some((row) => row.is_imported),
  };
}

function snapshotOf(committed: readonly Row[]): StampedSnapshot {
  const stamps = new Map(
    committed.flatMap((row) => {
      const values = listOf(row.stamps);
      return listOf(row.names).map((name, at) => [`${row.channel} ${name}`, values[at]!] as const);
    }),
  );
  return {
    stamps: { of: (channel, table) => stamps.get(`${channel} ${table}`) ?? '' },
    channels: committed.map((row) => row.channel as number),
    versions: committed.map((row) => row.committed as number),
    discarded: committed.flatMap((row) =>
      listOf(row.discarded)
        .map(Number)
        .filter((version) => version < (row.committed as number))
        .map((version) => [row.channel as number, version] as const),
    ),
  };
}

/** The entries of a cell that holds an array. */
function listOf(cell: Row[string] | undefined): string[] {
  return cell === '' ? [] : (cell as string).split(',');
}

/** The part of a snapshot that concerns some of its channels. */
export function ofChannels<S extends Snapshot>(snapshot: S, channels: readonly number[]): S {
  const isChosen = (channel: number) => channels.includes(channel);
  return {
    ...snapshot,
    channels: snapshot.channels.filter(isChosen),
    versions: snapshot.versions.filter((_, index) => isChosen(snapshot.channels[index]!)),
    discarded: snapshot.discarded.filter(([channel]) => isChosen(channel)),
  };
}

/** Joins snapshots that have no channel in common. */
export function joined(one: StampedSnapshot, other: StampedSnapshot): StampedSnapshot {
  return {
    channels: [...one.channels, ...other.channels],
    versions: [...one.versions, ...other.versions],
    discarded: [...one.discarded, ...other.discarded],
    stamps: {
      of: (channel, table) => one.stamps.of(channel, table) || other.stamps.of(channel, table),
    },
  };
}

/** The visible rows of a table, for a FROM clause. */
export function visible(name: string, snapshot: Snapshot): string {
  return rowsWhere(name, `all_${name}`, isVisible(name, snapshot));
}

function rowsWhere(name: string, from: string, condition: string): string {
  return `(SELECT channel, import_id, ${columnsOf(name).join(', ')} FROM ${from}
    WHERE ${condition})`;
}

/** The condition that a row of a table is visible. */
export function isVisible(name: string, snapshot: Snapshot): string {
  return (
    snapshot.conditions?.get(name) ??
    `${isOfChannels(snapshot)} AND (channel, day, version) IN
    (${ownersOf(`fact = '${name}'`, 'channel, day', snapshot)})`
  );
}

/** The version that owns each day, among the entries of `visible_day` that meet a condition. */
export function ownersOf(condition: string, key: string, snapshot: Snapshot): string {
  const { channels, versions, discarded } = snapshot;
  const versionMax =
    channels.length === 1
      ? versions[0]!
      : versionOfChannel(
          '{snapshot_channels:Array(Int32)}',
          '{snapshot_versions:Array(Int64)}',
          channels.length,
        );
  const pairs = discarded.map(([channel, version]) => `(${channel}, ${version})`).join(', ');
  const isNotDiscarded = pairs === '' ? '' : ` AND (channel, version) NOT IN (${pairs})`;
  return `SELECT ${key}, max(version) AS version FROM visible_day
     WHERE ${condition} AND ${isOfChannels(snapshot)} AND version <= ${versionMax}${isNotDiscarded}
     GROUP BY ${key}`;
}

function isOfChannels({ channels }: Snapshot): string {
  return channels.length === 1
    ? `channel = ${channels[0]}`
    : 'channel IN {snapshot_channels:Array(Int32)}';
}

/** The parameters that `isVisible` refers to. */
export function snapshotParameters({ channels, versions }: Snapshot): Record<string, unknown> {
  return channels.length === 1 ? {} : { snapshot_channels: channels, snapshot_versions: versions };
}

/** The version at the position of the row's channel; 0 if there are no channels. */
export function versionOfChannel(channels: string, versions: string, count: number): string {
  return count === 0 ? '0' : `transform(channel, ${channels}, ${versions}, toInt64(0))`;
}

/**
 * The statement, with every fact table replaced by its visible rows under the same name. `isSpread`
 * says that they lie on several servers.
 */
export function withVisible(sql: string, snapshot: Snapshot, isSpread = false): string {
  return sql.replace(
    tablePattern,
    (found: string, keyword: string, name: string, offset: number) => {
      const hasAlias = /^\s+AS\b/i.test(sql.slice(offset + found.length));
      const from = isSpread ? spreadTable(name) : `all_${name}`;
      const rows = rowsWhere(name, from, isVisible(name, snapshot));
      return `${keyword} ${rows}${hasAlias ? '' : ` AS ${name}`}`;
    },
  );
}
