/** The served warehouse: ClickHouse over HTTP, shared by any number of nodes. */
import { mkdirSync } from 'node:fs';
import { facts, rollupSources, rollups } from '../../../schema/warehouse/tables.ts';
import type { Amendment } from '../amendment.ts';
import { type Clock, systemClock } from '../clock.ts';
import { type Cluster, defaultCluster } from '../cluster.ts';
import type { FactsRange, WriteFile } from '../copies.ts';
import { DeadlineExceeded } from '../errors.ts';
import { extentColumn, extentsOf } from '../extent.ts';
import type { StoreStatus } from '../health.ts';
import { channelsOf, type Question } from '../question.ts';
import { type Cancellation, oneStreamAtATime, startRead } from '../reading.ts';
import type {
  Ask,
  BatchKey,
  ImportBatch,
  Parameters,
  QueryLimits,
  Row,
  Stream,
  TableExtent,
  View,
  Warehouse,
  WarehouseMark,
} from '../warehouse.ts';
import { amendFacts } from './amend.ts';
import { ClickhouseBatch } from './batch.ts';
import { computeRollups, makeChange, ownAllDays } from './changes.ts';
import type { ClientLimits } from './client.ts';
import {
  adoptInstallation,
  checkCluster,
  healthOf,
  healthStatement,
  readChanges,
  readMark,
  setInstallation,
} from './cluster.ts';
import { pingTimeoutMilliseconds, type ServerAddress } from './connections.ts';
import { copyIn, showCopied } from './copies.ts';
import { FirstPurchases } from './firstPurchases.ts';
import { OwnedDays } from './ownedDays.ts';
import { Places } from './places.ts';
import { prune, removeOldFiles } from './prune.ts';
import { migrate, migrateSpread } from './schema.ts';
import { isTimeout } from './settings.ts';
import { Shards } from './shards.ts';
import {
  committedImports,
  emptySnapshot,
  type StampedSnapshot,
  snapshotParameters,
  takeSnapshot,
  visible,
} from './snapshot.ts';
import { hasDamage } from './verify.ts';

/** The limits of the served warehouse. */
export type ClickhouseLimits = Omit<ClientLimits, 'isReplicated'> & {
  /** The number of staged rows to compare at a time; a larger import takes several passes. */
  readonly rowsPerPass: number;
};

/** The default limits. */
export const clickhouseLimits: ClickhouseLimits = {
  connectionsMax: 32,
  memoryBytesMax: 1_000_000_000,
  // The service sets a shorter one.
  silenceMilliseconds: 60_000,
  rowsPerPass: 1_000_000,
};

/** The addresses of readers, and the certificates to trust. */
export type ClickhouseAccess = Pick<ServerAddress, 'authorities'> & {
  /** The same servers in the same order with a read-only user, for questions. */
  readonly readerUrls?: string | undefined;
};

/**
 * Connects to `http(s)://user:password@host:8123/database`, or to the servers of a cluster,
 * separated by commas. Throws StoreUnavailable if a server does not answer.
 */
export async function openClickhouse(
  urls: string,
  stagingFolder: string,
  limits: ClickhouseLimits = clickhouseLimits,
  clock: Clock = systemClock,
  cluster: Cluster = defaultCluster,
  { readerUrls, authorities }: ClickhouseAccess = {},
): Promise<Warehouse> {
  mkdirSync(stagingFolder, { recursive: true });
  removeOldFiles(stagingFolder, clock.now());
  const ofClients = { ...limits, isReplicated: cluster.isReplicated };
  const readers = readerUrls?.split(',');
  const servers = urls
    .split(',')
    .map((url, place) => ({ url, readerUrl: readers?.[place], authorities }));
  const shards = await Shards.open(servers, ofClients, clock);
  return new ClickhouseWarehouse(shards, stagingFolder, limits, cluster);
}

class ClickhouseWarehouse implements Warehouse {
  readonly engine = 'clickhouse';
  readonly stagingFolder: string;
  #isDamaged = false;
  readonly #shards: Shards;
  readonly #limits: ClickhouseLimits;
  readonly #cluster: Cluster;
  readonly #remembered = { owned: new OwnedDays(), firstPurchases: new FirstPurchases() };
  readonly #places: Places;

  constructor(shards: Shards, stagingFolder: string, limits: ClickhouseLimits, cluster: Cluster) {
    this.#shards = shards;
    this.#places = new Places(shards, this.#remembered.owned);
    this.stagingFolder = stagingFolder;
    this.#limits = limits;
    this.#cluster = cluster;
  }

  async migrate(): Promise<void> {
    const shards = this.#shards;
    if (shards.isCluster) await checkCluster(shards, this.#cluster);
    await shards.onAll((client) => migrate(client, this.#cluster));
    if (!shards.isCluster) return;
    await shards.onAll((client) => migrateSpread(client, this.#cluster));
    await adoptInstallation(shards);
  }

  async ask<R extends Row>(
    question: Question<R>,
    parameters: Parameters,
    limits: QueryLimits,
  ): Promise<R[]> {
    return await this.#read(limits, async (cancellation) => {
      const snapshot = await this.#snapshotOf(question, parameters, cancellation);
      return await this.#places.askAt(snapshot, cancellation)(question, parameters);
    });
  }

  async *stream<R extends Row>(
    question: Question<R>,
    parameters: Parameters,
    limits: QueryLimits,
  ): AsyncIterable<R[]> {
    const cancellation = this.#startRead(limits);
    try {
      const snapshot = await this.#snapshotOf(question, parameters, cancellation);
      yield* this.#places.streamAt(snapshot, cancellation)(question, parameters);
    } catch (error) {
      throw reasonOf(error, cancellation, limits);
    } finally {
      cancellation.end();
    }
  }

  async read<T>(
    channels: readonly number[],
    limits: QueryLimits,
    use: (ask: Ask, stream: Stream, write: WriteFile) => Promise<T>,
  ): Promise<T> {
    return await this.#read(limits, async (cancellation) => {
      const snapshot = await this.#shards.snapshot(channels, cancellation);
      const inTurn = oneStreamAtATime(
        this.#places.askAt(snapshot, cancellation),
        this.#places.streamAt(snapshot, cancellation),
      );
      return await use(inTurn.ask, inTurn.stream, async (question, parameters, file) => {
        const place = this.#places.of(snapshot, question, parameters, cancellation);
        const { client, statement } = await place;
        await client.save(statement, cancellation, file);
      });
    });
  }

  async view<T>(
    channels: readonly number[],
    limits: QueryLimits,
    use: (view: View) => Promise<T>,
  ): Promise<T> {
    return await this.#read(limits, async (cancellation) => {
      const snapshot = await this.#shards.snapshot(channels, cancellation);
      return await use({
        stamps: snapshot.stamps,
        ask: this.#places.askAt(snapshot, cancellation),
      });
    });
  }

  async begin(key: BatchKey): Promise<ImportBatch> {
    this.#checkOpen();
    const home = await this.#shards.homeOf(key.channel);
    const { rowsPerPass } = this.#limits;
    return new ClickhouseBatch(home, key, this.stagingFolder, rowsPerPass, this.#remembered);
  }

  async isCommitted(importId: number): Promise<boolean> {
    const sql = committedImports(`import_id = ${importId}`);
    const asking = this.#shards.clients.map((client) => client.rows(sql));
    const ends = await Promise.allSettled(asking);
    if (ends.some((end) => end.status === 'fulfilled' && end.value.length > 0)) return true;
    await Promise.all(asking);
    return false;
  }

  async committedImports(first: number, last: number): Promise<number[]> {
    const sql = committedImports(`import_id BETWEEN ${first} AND ${last}`);
    const found = await this.#shards.onAll((client) => client.rows(sql));
    return found.flat().map((row) => row.import_id as number);
  }

  async readMark(): Promise<WarehouseMark> {
    return await readMark(this.#shards);
  }

  async setInstallation(installationId: string): Promise<void> {
    await this.#shards.onAll((client) => setInstallation(client, installationId));
  }

  async readChanges(): Promise<string | undefined> {
    return await readChanges(this.#shards);
  }

  async copyIn(range: FactsRange, rows: number, file: string): Promise<void> {
    await copyIn(this.#shards, range, rows, file);
  }

  async finishCopy(channel: number, imports: readonly number[], timezone: string): Promise<void> {
    await showCopied(await this.#shards.homeOf(channel), channel, imports);
    await this.rebuild({ channel, importId: imports.at(-1) ?? 0 }, timezone);
  }

  async rebuild({ channel, importId }: BatchKey, timezone: string): Promise<void> {
    const client = await this.#shards.homeOf(channel);
    await makeChange(client, { channel, importId, ...this.#remembered }, async (change) => {
      const byTable = new Map<string, number[]>();
      for (const name of rollupSources) {
        const rows = await client.rows(`SELECT DISTINCT day FROM ${visible(name, change.before)}`);
        byTable.set(
          name,
          rows.map((row) => row.day as number),
        );
      }
      // This also covers days that exist only in the former time zone.
      for (const { name } of rollups) await ownAllDays(client, change, name);
      const changed = { byTable, byDependency: new Map() };
      await computeRollups(client, change, timezone, changed, new Map());
    });
  }

  async amend(
    key: BatchKey,
    amendments: readonly Amendment[],
    timezone: string,
  ): Promise<Record<string, number>> {
    const home = await this.#shards.homeOf(key.channel);
    return await amendFacts(home, { ...key, ...this.#remembered }, amendments, timezone);
  }

  async deleteFacts(channel: number): Promise<void> {
    const home = await this.#shards.homeOf(channel);
    const of = { channel, importId: 0, ...this.#remembered };
    await makeChange(home, of, (change) => ownAllDays(home, change));
  }

  async extents(channel: number, timezone: string): Promise<TableExtent[]> {
    const home = await this.#shards.homeOf(channel);
    const snapshot = await takeSnapshot(home, [channel]);
    const parts = facts.map((table) => {
      const column = extentColumn(table);
      const bound = (side: string) =>
        column === null ? 'CAST(NULL AS Nullable(Int64))' : `toInt64(${side}(${column}))`;
      return `SELECT '${table.name}' AS fact, ${bound('min')} AS first, ${bound('max')} AS last,
          count() AS row_count
        FROM ${visible(table.name, snapshot)} WHERE channel = ${channel}`;
    });
    const rows = await home.rows(
      `SELECT * FROM (${parts.join(' UNION ALL ')}) WHERE row_count > 0`,
      snapshotParameters(snapshot),
      1,
    );
    return extentsOf(rows, timezone);
  }

  async prune(graceSeconds: number): Promise<void> {
    await this.#shards.onAll((client) => prune(client, graceSeconds));
  }

  async checkHealth(): Promise<StoreStatus> {
    const { clients } = this.#shards;
    const limits = { deadlineMilliseconds: pingTimeoutMilliseconds };
    return await this.#read(limits, async (cancellation) => {
      const statuses = clients.map((client) => client.read(healthStatement, cancellation));
      const ends = await Promise.allSettled(statuses);
      const rows = ends.flatMap((end) => (end.status === 'fulfilled' ? end.value : []));
      const status = healthOf(rows.length > 0 ? rows : await statuses[0]!, clients.length);
      return { ...status, isDamaged: this.#isDamaged };
    });
  }

  async verify(): Promise<boolean> {
    const found = await this.#shards.onAll((client) => hasDamage(client));
    // Replicas repair damaged parts, so earlier results say nothing.
    this.#isDamaged = found.includes(true);
    return this.#isDamaged;
  }

  async close(): Promise<void> {
    await this.#shards.onAll((client) => client.close());
  }

  async #snapshotOf(
    question: Question,
    parameters: Parameters,
    cancellation: Cancellation,
  ): Promise<StampedSnapshot> {
    if (question.tables.length === 0) return emptySnapshot;
    return await this.#shards.snapshot(channelsOf(parameters), cancellation);
  }

  /** Cancels the questions of `use` at the deadline or when the caller has gone. */
  async #read<T>(limits: QueryLimits, use: (cancellation: Cancellation) => Promise<T>): Promise<T> {
    const cancellation = this.#startRead(limits);
    try {
      return await use(cancellation);
    } catch (error) {
      throw reasonOf(error, cancellation, limits);
    } finally {
      cancellation.end();
    }
  }

  #startRead(limits: QueryLimits): Cancellation {
    this.#checkOpen();
    return startRead(limits, this.#shards.clients[0].clock);
  }

  #checkOpen(): void {
    for (const client of this.#shards.clients) client.checkOpen();
  }
}

/** The error for the caller: why the read was cancelled, or what went wrong. */
function reasonOf(
  error: unknown,
  { signal }: Cancellation,
  { deadlineMilliseconds }: QueryLimits,
): unknown {
  if (signal.aborted) return signal.reason;
  return isTimeout(error) ? new DeadlineExceeded(deadlineMilliseconds) : error;
}
