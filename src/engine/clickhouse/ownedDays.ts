/**
 * The owners of days, in memory: which version owns each day of a table, with the stamp of the
 * table for which this holds. Written into a statement, they spare the server a look-up for every
 * table that the statement names.
 */
import { LRUCache } from 'lru-cache';
import type { Cancellation } from '../reading.ts';
import type { Client } from './client.ts';
import type { Shards } from './shards.ts';
import {
  isVisible,
  ofChannels,
  ownersOf,
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
    const facts = tables.map((table) => `'${table}'`).join(', ');
    const owners = ownersOf(`fact IN (${facts})`, 'channel, fact, day', snapshot);
    const sql = `SELECT channel, fact,
        toString(groupArray(${daysMax + 1})(toInt32(day) + version * ${daysPerVersion})) AS days
      FROM (${owners}) GROUP BY channel, fact`;
    const parameters = snapshotParameters(snapshot);
    const rows = await client.read({ sql, parameters, name: 'the owners of days' }, cancellation);
    const found = new Map(
      rows.map(({ channel, fact, days }) => [
        `${channel} ${fact}`,
        JSON.parse(days as string) as number[],
      ]),
    );
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
      days!.length === 0 ? [] : [`(channel = ${channel} AND ${isOwned(days!)})`],
    );
    return parts.length === 0 ? 'false' : `(${parts.join(' OR ')})`;
  }
}

function isOwned(days: readonly number[]): string {
  const versions = new Set(days.map((day) => Math.round(day / daysPerVersion)));
  if (versions.size === 1) return `version = ${[...versions][0]}`;
  return `toInt32(day) + version * ${daysPerVersion} IN (${days.join(', ')})`;
}
