/** The served warehouse: ClickHouse over HTTP, shared by any number of nodes. */
import { mkdirSync } from 'node:fs';
import { facts, rollupSources, rollups, schemaVersion } from '../../../schema/warehouse/tables.ts';
import type { Amendment } from '../amendment.ts';
import { type Clock, systemClock } from '../clock.ts';
import type { FactsRange, WriteFile } from '../copies.ts';
import { DeadlineExceeded, StoreUnavailable } from '../errors.ts';
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
import { Client, type ClientLimits, pingTimeoutMilliseconds, type Statement } from './client.ts';
import { copyIn, showCopied } from './copies.ts';
import { OwnedDays } from './ownedDays.ts';
import { prune, removeOldFiles } from './prune.ts';
import { migrate } from './schema.ts';
import { isTimeout } from './settings.ts';
import {
  emptySnapshot,
  ofChannels,
  type StampedSnapshot,
  snapshotParameters,
  takeSnapshot,
  visible,
  withVisible,
} from './snapshot.ts';
import { parameterValues, statementText } from './vocabulary.ts';

/** The limits of the served warehouse. */
export type ClickhouseLimits = ClientLimits & {
  /** Staged rows that are compared at a time; a larger import takes several passes. */
  readonly rowsPerPass: number;
};

/** The default limits. */
export const clickhouseLimits: ClickhouseLimits = {
  connectionsMax: 32,
  memoryBytesMax: 1_000_000_000,
  // The service sets its own, which is shorter.
  silenceMilliseconds: 60_000,
  rowsPerPass: 1_000_000,
};

/**
 * Connects to `http(s)://user:password@host:8123/database`. Throws StoreUnavailable if the server
 * does not answer.
 */
export async function openClickhouse(
  url: string,
  stagingFolder: string,
  limits: ClickhouseLimits = clickhouseLimits,
  clock: Clock = systemClock,
): Promise<Warehouse> {
  mkdirSync(stagingFolder, { recursive: true });
  removeOldFiles(stagingFolder, clock.now());
  return new ClickhouseWarehouse(await Client.open(url, limits, clock), stagingFolder, limits);
}

class ClickhouseWarehouse implements Warehouse {
  readonly engine = 'clickhouse';
  readonly stagingFolder: string;
  readonly #client: Client;
  readonly #limits: ClickhouseLimits;
  readonly #texts = new WeakMap<Question, string>();
  readonly #owned = new OwnedDays();

  constructor(client: Client, stagingFolder: string, limits: ClickhouseLimits) {
    this.#client = client;
    this.stagingFolder = stagingFolder;
    this.#limits = limits;
  }

  async migrate(): Promise<void> {
    await migrate(this.#client);
  }

  async ask<R extends Row>(
    question: Question<R>,
    parameters: Parameters,
    limits: QueryLimits,
  ): Promise<R[]> {
    return await this.#read(limits, async (cancellation) => {
      const snapshot = await this.#snapshotOf(question, parameters, cancellation);
      return await this.#askAt(snapshot, cancellation)(question, parameters);
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
      yield* this.#streamAt(snapshot, cancellation)(question, parameters);
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
      const snapshot = await takeSnapshot(this.#client, channels, cancellation);
      const inTurn = oneStreamAtATime(
        this.#askAt(snapshot, cancellation),
        this.#streamAt(snapshot, cancellation),
      );
      return await use(inTurn.ask, inTurn.stream, async (question, parameters, file) => {
        const statement = await this.#statement(snapshot, question, parameters, cancellation);
        await this.#client.save(statement, cancellation, file);
      });
    });
  }

  async view<T>(
    channels: readonly number[],
    limits: QueryLimits,
    use: (view: View) => Promise<T>,
  ): Promise<T> {
    return await this.#read(limits, async (cancellation) => {
      const snapshot = await takeSnapshot(this.#client, channels, cancellation);
      return await use({ stamps: snapshot.stamps, ask: this.#askAt(snapshot, cancellation) });
    });
  }

  async begin(key: BatchKey): Promise<ImportBatch> {
    this.#client.checkOpen();
    return new ClickhouseBatch(this.#client, key, this.stagingFolder, this.#limits.rowsPerPass);
  }

  async isCommitted(importId: number): Promise<boolean> {
    const rows = await this.#client.rows(
      `SELECT 1 FROM channel_version
       WHERE import_id = ${importId} AND state = 'committed' LIMIT 1`,
    );
    return rows.length > 0;
  }

  async committedImports(first: number, last: number): Promise<number[]> {
    const rows = await this.#client.rows(
      `SELECT DISTINCT import_id FROM channel_version
       WHERE state = 'committed' AND import_id BETWEEN ${first} AND ${last}`,
    );
    return rows.map((row) => row.import_id as number);
  }

  async readMark(): Promise<WarehouseMark> {
    const [row] = await this.#client.rows(
      `SELECT (SELECT argMax(installation_id, at) FROM installation) AS installation,
         (SELECT max(import_id) FROM channel_version) AS last`,
    );
    const { installation, last } = row as { installation: string | null; last: number | null };
    return { installationId: installation || null, lastImport: last ?? 0 };
  }

  async setInstallation(installationId: string): Promise<void> {
    // The newest row counts; the identifier is a UUID.
    await this.#client.run(
      `INSERT INTO installation (installation_id) VALUES ('${installationId}')`,
    );
  }

  async readChanges(): Promise<string | undefined> {
    const [row] = await this.#client.rows(
      `SELECT count() AS changes, toString(sum(nonce)) AS nonces FROM channel_version
       WHERE state = 'committed'`,
    );
    return `${row!.changes} ${row!.nonces}`;
  }

  async copyIn(range: FactsRange, rows: number, file: string): Promise<void> {
    await copyIn(this.#client, range, rows, file);
  }

  async finishCopy(channel: number, imports: readonly number[], timezone: string): Promise<void> {
    await showCopied(this.#client, channel, imports);
    await this.rebuild({ channel, importId: imports.at(-1) ?? 0 }, timezone);
  }

  async rebuild({ channel, importId }: BatchKey, timezone: string): Promise<void> {
    const client = this.#client;
    await makeChange(client, channel, importId, async (change) => {
      const byTable = new Map<string, number[]>();
      for (const name of rollupSources) {
        const rows = await client.rows(`SELECT DISTINCT day FROM ${visible(name, change.before)}`);
        byTable.set(
          name,
          rows.map((row) => row.day as number),
        );
      }
      // This also covers days that exist only in the former timezone.
      for (const { name } of rollups) await ownAllDays(client, change, name);
      await computeRollups(client, change, timezone, { byTable, byDependency: new Map() }, null);
    });
  }

  async amend(
    key: BatchKey,
    amendments: readonly Amendment[],
    timezone: string,
  ): Promise<Record<string, number>> {
    return await amendFacts(this.#client, key, amendments, timezone);
  }

  async deleteFacts(channel: number): Promise<void> {
    await makeChange(this.#client, channel, 0, (change) => ownAllDays(this.#client, change));
  }

  async extents(channel: number, timezone: string): Promise<TableExtent[]> {
    const snapshot = await takeSnapshot(this.#client, [channel]);
    const parts = facts.map((table) => {
      const column = extentColumn(table);
      const bound = (side: string) =>
        column === null ? 'CAST(NULL AS Nullable(Int64))' : `toInt64(${side}(${column}))`;
      return `SELECT '${table.name}' AS fact, ${bound('min')} AS first, ${bound('max')} AS last,
          count() AS row_count
        FROM ${visible(table.name, snapshot)} WHERE channel = ${channel}`;
    });
    const rows = await this.#client.rows(
      `SELECT * FROM (${parts.join(' UNION ALL ')}) WHERE row_count > 0`,
      snapshotParameters(snapshot),
      1,
    );
    return extentsOf(rows, timezone);
  }

  async prune(graceSeconds: number): Promise<void> {
    await prune(this.#client, graceSeconds);
  }

  async ping(): Promise<void> {
    try {
      await this.#check('SELECT 1');
    } catch (error) {
      throw error instanceof StoreUnavailable ? error : new StoreUnavailable('warehouse', error);
    }
  }

  async checkHealth(): Promise<StoreStatus> {
    const [row] = await this.#check(
      `SELECT version() AS engine, toUnixTimestamp64Milli(now64(3)) AS clock,
         (SELECT max(version) FROM warehouse_version) AS held`,
    );
    const { engine, clock, held } = row as { engine: string; clock: number; held: number };
    return { engine: `ClickHouse ${engine}`, schema: { held, newest: schemaVersion }, clock };
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  async #check(sql: string): Promise<Row[]> {
    return await this.#read({ deadlineMilliseconds: pingTimeoutMilliseconds }, (cancellation) =>
      this.#client.read({ sql }, cancellation),
    );
  }

  async #snapshotOf(
    question: Question,
    parameters: Parameters,
    cancellation: Cancellation,
  ): Promise<StampedSnapshot> {
    if (question.tables.length === 0) return emptySnapshot;
    return await takeSnapshot(this.#client, channelsOf(parameters), cancellation);
  }

  #askAt(snapshot: StampedSnapshot, cancellation: Cancellation): Ask {
    return async <R extends Row>(question: Question<R>, parameters: Parameters) => {
      const statement = await this.#statement(snapshot, question, parameters, cancellation);
      return (await this.#client.read(statement, cancellation)) as R[];
    };
  }

  #streamAt(snapshot: StampedSnapshot, cancellation: Cancellation): Stream {
    const statementOf = this.#statement.bind(this);
    const client = this.#client;
    return async function* <R extends Row>(question: Question<R>, parameters: Parameters) {
      const statement = await statementOf(snapshot, question, parameters, cancellation);
      yield* client.stream(statement, cancellation) as AsyncIterable<R[]>;
    };
  }

  async #statement(
    taken: StampedSnapshot,
    question: Question,
    parameters: Parameters,
    cancellation: Cancellation,
  ): Promise<Statement> {
    let text = this.#texts.get(question);
    if (text === undefined) {
      text = statementText(question.sql);
      this.#texts.set(question, text);
    }
    const snapshot = ofChannels(taken, channelsOf(parameters));
    const { tables } = question;
    const conditions = await this.#owned.conditions(this.#client, snapshot, tables, cancellation);
    return {
      sql: withVisible(text, snapshot, conditions),
      parameters: {
        ...(tables.length > 0 && snapshotParameters(snapshot)),
        ...parameterValues(question, parameters),
      },
      name: `the question ${question.name}`,
    };
  }

  /** Cancels what `use` asks at the deadline or when the caller has gone. */
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
    this.#client.checkOpen();
    return startRead(limits, this.#client.clock);
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
