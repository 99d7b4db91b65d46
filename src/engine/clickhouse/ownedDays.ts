/**
 * The owners of days, in memory: which version owns each day of a table, with the stamp of the
 * table for which this holds. Written into a statement, they spare the server a look-up for every
 * table that the statement names.
 */
import { LRUCache } from 'lru-cache';
import { factTable } from '../../../schema/warehouse/tables.ts';
import type { Cancellation } from '../reading.ts';
import type { DateRange, Row } from '../warehouse.ts';
import type { Client } from './client.ts';
import type { Shards } from './shards.ts';
import {
  isVisible,
  ofChannels,
  ownersOf,
  type Snapshot,
  type StampedSnapshot,
  snapshotParameters,
} from './snapshot.ts';

/** Beyond so many days of its channels, a statement looks up the owners itself. */
const daysMax = 2_000;
/** The memory of all owners, in days. */
const daysKeptMax = 500_000;
/** One number holds a version and a day; days are more than its negative. */
const daysPerVersion = 2 ** 20;

/** The owners of the days of a table of a channel; none if there are too many days. */
type Owners = { readonly stamp: string; readonly days: readonly number[] | undefined };

/** The owners of days that were last needed. */
export class OwnedDays {
  readonly #kept = new LRUCache<string, Owners>({
    maxSize: daysKeptMax,
    sizeCalculation: ({ days }) => 1 + (days?.length ?? 0),
  });

  /** By table, the condition that a row is visible. */
  async conditions(
    shards: Shards,
    snapshot: StampedSnapshot,
    tables: readonly string[],
    cancellation: Cancellation,
  ): Promise<ReadonlyMap<string, string>> {
    const reading = [...shards.homesOf(snapshot.channels)].map(async (client) => {
      const isHere = (channel: number) => shards.homesOf([channel]).has(client);
      const here = ofChannels(snapshot, snapshot.channels.filter(isHere));
      const missing = tables.filter((table) =>
        here.channels.some((channel) => !this.#find(here, channel, table)),
      );
      if (missing.length > 0) await this.#read(client, here, missing, cancellation);
    });
    await Promise.all(reading);
    return new Map(tables.map((table) => [table, this.#condition(snapshot, table)]));
  }

  #find({ stamps }: StampedSnapshot, channel: number, table: string): Owners | undefined {
    const stamp = stamps.of(channel, table);
    if (stamp === '') return { stamp, days: [] };
    const found = this.#kept.get(`${channel} ${table}`);
    return found?.stamp === stamp ? found : undefined;
  }

  async #read(
    client: Client,
    snapshot: StampedSnapshot,
    tables: readonly string[],
    cancellation: Cancellation,
  ): Promise<void> {
    const statement = { ...ownersStatement(snapshot, tables), name: 'the owners of days' };
    const found = ownersFound(await client.read(statement, cancellation));
    for (const channel of snapshot.channels)
      for (const table of tables) {
        const days = found.get(`${channel} ${table}`) ?? [];
        this.#kept.set(`${channel} ${table}`, {
          stamp: snapshot.stamps.of(channel, table),
          days: days.length > daysMax ? undefined : days,
        });
      }
  }

  #condition(snapshot: StampedSnapshot, table: string): string {
    const owned = snapshot.channels.map((channel) => ({
      channel,
      // Others may have displaced it by now.
      days: this.#find(snapshot, channel, table)?.days,
    }));
    const count = owned.reduce((sum, { days }) => sum + (days?.length ?? daysMax + 1), 0);
    if (count > daysMax) return isVisible(table, snapshot);
    const parts = owned.flatMap(({ channel, days }) =>
      days!.length === 0 ? [] : [`(${isOwned(channel, days!)})`],
    );
    return parts.length === 0 ? 'false' : `(${parts.join(' OR ')})`;
  }
}

/** The owners of the days of tables of one channel while it is changed. */
export class ChangedOwners {
  readonly #channel: number;
  /** By table, numbers that each hold a version and a day. */
  readonly #before: ReadonlyMap<string, readonly number[]>;

  private constructor(channel: number, before: ReadonlyMap<string, readonly number[]>) {
    this.#channel = channel;
    this.#before = before;
  }

  /** Reads the owners before the change. */
  static async read(
    client: Client,
    channel: number,
    snapshot: Snapshot,
    tables: readonly string[],
  ): Promise<ChangedOwners> {
    if (tables.length === 0) return new ChangedOwners(channel, new Map());
    const { sql, parameters } = ownersStatement(snapshot, tables);
    const found = ownersFound(await client.rows(sql, parameters));
    const before = tables.map((table) => [table, found.get(`${channel} ${table}`) ?? []] as const);
    return new ChangedOwners(channel, new Map(before.filter(([, days]) => days.length <= daysMax)));
  }

  /** By table, the condition that a row is visible before the change. */
  before(): ReadonlyMap<string, string> {
    return this.#conditions((_, before) => before);
  }

  /**
   * By table, the condition that a row is visible after the change, whose version owns these days
   * of tables. Rows of other days than those of the range may be missing.
   */
  after(
    version: number,
    daysOf: ReadonlyMap<string, readonly number[]>,
    { first, last }: DateRange,
  ): ReadonlyMap<string, string> {
    return this.#conditions((table, before) => {
      const changed = new Set(daysOf.get(table));
      const days = [
        ...before.filter((day) => !changed.has(dayOf(day))),
        ...[...changed].map((day) => day + version * daysPerVersion),
      ];
      if (factTable(table).day === null) return days;
      return days.filter((day) => dayOf(day) >= first && dayOf(day) <= last);
    });
  }

  #conditions(
    daysOf: (table: string, before: readonly number[]) => readonly number[],
  ): ReadonlyMap<string, string> {
    const conditions = new Map<string, string>();
    for (const [table, before] of this.#before) {
      const days = daysOf(table, before);
      if (days.length > daysMax) continue;
      conditions.set(table, days.length === 0 ? 'false' : `(${isOwned(this.#channel, days)})`);
    }
    return conditions;
  }
}

function ownersStatement(snapshot: Snapshot, tables: readonly string[]) {
  const facts = tables.map((table) => `'${table}'`).join(', ');
  const owners = ownersOf(`fact IN (${facts})`, 'channel, fact, day', snapshot);
  const sql = `SELECT channel, fact,
      toString(groupArray(${daysMax + 1})(toInt32(day) + version * ${daysPerVersion})) AS days
    FROM (${owners}) GROUP BY channel, fact`;
  return { sql, parameters: snapshotParameters(snapshot) };
}

/** The owners, by channel and table. */
function ownersFound(rows: readonly Row[]): ReadonlyMap<string, readonly number[]> {
  return new Map(
    rows.map(({ channel, fact, days }) => [`${channel} ${fact}`, JSON.parse(days as string)]),
  );
}

/** The condition that a version owns the day of its row. Lists of owners are short where most days
 * have the same one. */
function isOwned(channel: number, days: readonly number[]): string {
  const counts = new Map<number, number>();
  for (const day of days) counts.set(versionOf(day), (counts.get(versionOf(day)) ?? 0) + 1);
  const [[main, count]] = [...counts].sort((one, other) => other[1] - one[1]) as [[number, number]];
  const ofChannel = `channel = ${channel} AND`;
  if (counts.size === 1) return `${ofChannel} version = ${main}`;
  const encoded = `toInt32(day) + version * ${daysPerVersion}`;
  if (count * 2 < days.length) return `${ofChannel} ${encoded} IN (${days.join(', ')})`;
  const others = days.filter((day) => versionOf(day) !== main);
  return `${ofChannel} (version = ${main} AND toInt32(day) NOT IN (${others.map(dayOf).join(', ')})
    OR ${encoded} IN (${others.join(', ')}))`;
}

function versionOf(encoded: number): number {
  return Math.round(encoded / daysPerVersion);
}

function dayOf(encoded: number): number {
  return encoded - versionOf(encoded) * daysPerVersion;
}
