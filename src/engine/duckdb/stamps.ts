/**
 * The stamps of the embedded warehouse, cached in memory: no other process can change its facts.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import { FactsChanged, newStamp, type Stamps } from '../stamps.ts';
import type { Row } from '../warehouse.ts';
import { quoted } from './schema.ts';

type OfChannel = {
  /** The number of changes that have been committed or are being committed. */
  changes: number;
  /** The number of changes that are being committed. */
  committing: number;
  /** The stamps by table; undefined after a change, until they are read again. */
  tables: ReadonlyMap<string, string> | undefined;
};

/** Knows the stamps of channels as the next question will see them. */
export class TableStamps {
  readonly #read: (sql: string) => Promise<Row[]>;
  readonly #channels = new Map<number, OfChannel>();
  /** The changes of all channels, counted together. */
  #changes = 0;
  #committing = 0;

  constructor(read: (sql: string) => Promise<Row[]>) {
    this.#read = read;
  }

  /** A text that changes with every change of any channel; undefined during a commit. */
  get changes(): string | undefined {
    return this.#committing > 0 ? undefined : String(this.#changes);
  }

  /** Commits a change of a channel. Until it ends, the stamps are unknown. */
  async committing(channel: number, commit: () => Promise<void>): Promise<void> {
    const entry = this.#of(channel);
    entry.changes++;
    entry.committing++;
    entry.tables = undefined;
    this.#changes++;
    this.#committing++;
    try {
      await commit();
    } finally {
      entry.committing--;
      this.#committing--;
    }
  }

  /**
   * The stamps of channels and of channel 0, and a check that they are still the same. Both throw
   * FactsChanged if a change is being committed.
   */
  async current(
    channels: readonly number[],
  ): Promise<{ readonly stamps: Stamps; readonly check: () => void }> {
    const known = new Map<number, ReadonlyMap<string, string>>();
    for (const channel of [0, ...channels])
      known.set(channel, this.#of(channel).tables ?? (await this.#load(channel)));
    const check = () => {
      for (const [channel, tables] of known)
        if (this.#of(channel).tables !== tables) throw new FactsChanged();
    };
    check();
    return { stamps: { of: (channel, table) => known.get(channel)!.get(table) ?? '' }, check };
  }

  async #load(channel: number): Promise<ReadonlyMap<string, string>> {
    const entry = this.#of(channel);
    if (entry.committing > 0) throw new FactsChanged();
    const { changes } = entry;
    const found = await this.#read(
      `SELECT name, stamp FROM table_stamp WHERE channel = ${channel}`,
    );
    if (entry.changes !== changes) throw new FactsChanged();
    // Another question may have read the same stamps meanwhile.
    entry.tables ??= new Map(found.map(({ name, stamp }) => [name as string, stamp as string]));
    return entry.tables;
  }

  #of(channel: number): OfChannel {
    let entry = this.#channels.get(channel);
    if (entry === undefined) {
      entry = { changes: 0, committing: 0, tables: undefined };
      this.#channels.set(channel, entry);
    }
    return entry;
  }
}

/** Gives tables of a channel new stamps, in the transaction that changes them. */
export async function stampTables(
  connection: DuckDBConnection,
  channel: number,
  names: Iterable<string>,
): Promise<void> {
  const stamp = newStamp();
  const list = [...new Set(names)];
  if (list.length === 0) return;
  await connection.run(
    `DELETE FROM table_stamp WHERE channel = ${channel}
       AND name IN (${list.map(quoted).join(', ')})`,
  );
  const rows = list.map((name) => `(${channel}, ${quoted(name)}, ${quoted(stamp)})`);
  await connection.run(`INSERT INTO table_stamp VALUES ${rows.join(', ')}`);
}
