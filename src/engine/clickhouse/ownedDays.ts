/**
 * The owners of days, in memory: which version owns each day of a table, with the stamp of the
 * table at that time. Written into a statement, they spare the server a look-up for each of its
 * tables.
 */
import { LRUCache } from 'lru-cache';
import { facts } from '../../../schema/warehouse/tables.ts';
import type { Cancellation } from '../reading.ts';
import type { DateRange, Row } from '../warehouse.ts';
import type { Client, Statement } from './client.ts';
import type { Shards } from './shards.ts';
import {
  isVisible,
  ofChannels,
  ownersOf,
  type StampedSnapshot,
  snapshotParameters,
} from './snapshot.ts';

/** The number of days per channel and table to cache; longer lists are not cached. */
const daysMax = 2_000;
/** Above this, reading the list of days costs the server more than looking them up. */
const listedMax = 500;
/** The condition of another channel costs as much as this many days of a list. */
const listedPerChannel = 20;
/** The number of days to cache in total. */
const daysCachedMax = 500_000;
/** One number packs a version and a day; days are greater than this number's negative. */
const daysPerVersion = 2 ** 20;

const undated: ReadonlySet<string> = new Set(
  facts.filter(({ day }) => day === null).map(({ name }) => name),
);

/** The owners of the days of a table of a channel; undefined if there are too many days. */
type Owners = { readonly stamp: string; readonly days: readonly number[] | undefined };

/** By table, days. */
type DaysOf = ReadonlyMap<string, readonly number[]>;

/** Caches the most recently used owners of days. */
export class OwnedDays {
  readonly #cache = new LRUCache<string, Owners>({
    maxSize: daysCachedMax,
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
      await this.#look(here, tables, (statement) => client.read(statement, cancellation));
    });
    await Promise.all(reading);
    return new Map(tables.map((table) => [table, this.#condition(snapshot, table)]));
  }

  /** The owners of the days of some tables of a channel that is about to be changed. */
  async ofChannel(
    client: Client,
    snapshot: StampedSnapshot,
    channel: number,
    tables: readonly string[],
  ): Promise<ChangedOwners> {
    await this.#look(snapshot, tables, ({ sql, parameters }) => client.rows(sql, parameters));
    const before = new Map<string, readonly number[]>();
    for (const table of tables) {
      const { days } = this.#find(snapshot, channel, table) ?? {};
      if (days !== undefined) before.set(table, days);
    }
    return new ChangedOwners(channel, before);
  }

  /** Caches the owners of the days of a table that were found in another way. */
  note(channel: number, table: string, stamp: string, days: readonly number[]): void {
    const isCached = days.length <= daysMax;
    this.#cache.set(`${channel} ${table}`, { stamp, days: isCached ? days : undefined });
  }

  #find({ stamps }: StampedSnapshot, channel: number, table: string): Owners | undefined {
    const stamp = stamps.of(channel, table);
    if (stamp === '') return { stamp, days: [] };
    const found = this.#cache.get(`${channel} ${table}`);
    return found?.stamp === stamp ? found : undefined;
  }

  /** Looks up the unknown owners. */
  async #look(
    snapshot: StampedSnapshot,
    tables: readonly string[],
    read: (statement: Statement) => Promise<Row[]>,
  ): Promise<void> {
    const { channels, stamps } = snapshot;
    const missing = tables.filter((table) =>
      channels.some((channel) => !this.#find(snapshot, channel, table)),
    );
    if (missing.length === 0) return;
    const names = missing.map((table) => `'${table}'`).join(', ');
    const owners = ownersOf(`fact IN (${names})`, 'channel, fact, day', snapshot);
    const sql = `SELECT channel, fact,
        toString(groupArray(${daysMax + 1})(toInt32(day) + version * ${daysPerVersion})) AS days
      FROM (${owners}) GROUP BY channel, fact`;
    const parameters = snapshotParameters(snapshot);
    const rows = await read({ sql, parameters, name: 'the owners of days' });
    const found = new Map(
      rows.map(({ channel, fact, days }) => [
        `${channel} ${fact}`,
        JSON.parse(days as string) as number[],
      ]),
    );
    for (const channel of channels)
      for (const table of missing)
        this.note(
          channel,
          table,
          stamps.of(channel, table),
          found.get(`${channel} ${table}`) ?? [],
        );
  }

  #condition(snapshot: StampedSnapshot, table: string): string {
    const owned = snapshot.channels.map((channel) => ({
      channel,
      // Newer entries may have evicted it by now.
      days: this.#find(snapshot, channel, table)?.days,
    }));
    const known = owned.flatMap(({ channel, days }) => (days ? [{ channel, days }] : []));
    const condition = known.length < owned.length ? undefined : conditionOf(known);
    return condition ?? isVisible(table, snapshot);
  }
}

/** The owners of the days of tables of one channel while it is changed. */
export class ChangedOwners {
  readonly #channel: number;
  /** By table, numbers that each pack a version and a day. */
  readonly #before: ReadonlyMap<string, readonly number[]>;

  constructor(channel: number, before: ReadonlyMap<string, readonly number[]>) {
    this.#channel = channel;
    this.#before = before;
  }

  /** By table, the condition that a row is visible before the change. */
  before(): ReadonlyMap<string, string> {
    return this.#conditions((_, before) => before);
  }

  /**
   * By table, the condition that a row is visible after the change, whose version owns these days.
   * Rows outside the days of the range may be missing.
   */
  after(version: number, daysOf: DaysOf, { first, last }: DateRange): ReadonlyMap<string, string> {
    const owners = this.ownersAfter(version, daysOf);
    return this.#conditions((table) => {
      const days = owners.get(table)!;
      if (undated.has(table)) return days;
      return days.filter((day) => dayOf(day) >= first && dayOf(day) <= last);
    });
  }

  /** By table, the owners after the version has taken these days. */
  ownersAfter(version: number, daysOf: DaysOf): ReadonlyMap<string, readonly number[]> {
    return new Map(
      [...this.#before].map(([table, before]) => {
        const changed = new Set(daysOf.get(table));
        const rest = before.filter((day) => !changed.has(dayOf(day)));
        return [table, [...rest, ...[...changed].map((day) => day + version * daysPerVersion)]];
      }),
    );
  }

  #conditions(
    daysOf: (table: string, before: readonly number[]) => readonly number[],
  ): ReadonlyMap<string, string> {
    const conditions = new Map<string, string>();
    for (const [table, before] of this.#before) {
      const days = daysOf(table, before);
      const condition = conditionOf([{ channel: this.#channel, days }]);
      if (condition !== undefined) conditions.set(table, condition);
    }
    return conditions;
  }
}

/** The condition that a version owns the day of its row; undefined if it would be too long. */
function conditionOf(
  owned: readonly { readonly channel: number; readonly days: readonly number[] }[],
): string | undefined {
  const parts = owned.flatMap(({ channel, days }) =>
    days.length === 0 ? [] : [isOwned(channel, days)],
  );
  const listed = parts.reduce((sum, part) => sum + listedPerChannel + part.listed, 0);
  if (listed > listedMax) return undefined;
  if (parts.length === 0) return 'false';
  return `(${parts.map(({ condition }) => `(${condition})`).join(' OR ')})`;
}

/** The condition for a channel's days, and how many days it lists: few if one version owns most. */
function isOwned(channel: number, days: readonly number[]): { condition: string; listed: number } {
  const counts = new Map<number, number>();
  for (const day of days) counts.set(versionOf(day), (counts.get(versionOf(day)) ?? 0) + 1);
  const [[main, count]] = [...counts].sort((one, other) => other[1] - one[1]) as [[number, number]];
  const ofChannel = `channel = ${channel} AND`;
  if (counts.size === 1) return { condition: `${ofChannel} version = ${main}`, listed: 0 };
  const encoded = `toInt32(day) + version * ${daysPerVersion}`;
  if (count * 2 < days.length)
    return { condition: `${ofChannel} ${encoded} IN (${days.join(', ')})`, listed: days.length };
  const others = days.filter((day) => versionOf(day) !== main);
  const condition = `${ofChannel} (version = ${main}
      AND toInt32(day) NOT IN (${others.map(dayOf).join(', ')})
    OR ${encoded} IN (${others.join(', ')}))`;
  return { condition, listed: 2 * others.length };
}

function versionOf(encoded: number): number {
  return Math.round(encoded / daysPerVersion);
}

function dayOf(encoded: number): number {
  return encoded - versionOf(encoded) * daysPerVersion;
}
