/** The embedded warehouse: DuckDB in this process, one file in the data folder. */
import './allocator.ts';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { facts, rollups, schemaVersion } from '../../../schema/warehouse/tables.ts';
import type { Amendment } from '../amendment.ts';
import { type Clock, systemClock } from '../clock.ts';
import type { FactsRange, WriteFile } from '../copies.ts';
import { extentColumn, extentsOf } from '../extent.ts';
import type { StoreStatus } from '../health.ts';
import type { Question } from '../question.ts';
import { oneStreamAtATime } from '../reading.ts';
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
import { DuckdbBatch } from './batch.ts';
import { copyIn, finishCopy, writeFile } from './copies.ts';
import { Database, type DuckdbLimits, type OpenDatabase } from './database.ts';
import { lowerPoolPriority } from './priority.ts';
import { ask, inTransaction, rows, storeError, stream } from './queries.ts';
import type { Lease } from './readers.ts';
import { allDays, computeRollups } from './rollups.ts';
import { migrate, quoted } from './schema.ts';
import { stampTables, TableStamps } from './stamps.ts';

/** The default limits. */
export const duckdbLimits: DuckdbLimits = { memoryMegabytes: 384, readersMax: 8 };

/** Opens the warehouse in `folder`, which no other process may have open. */
export async function openDuckdb(
  folder: string,
  limits: DuckdbLimits = duckdbLimits,
  clock: Clock = systemClock,
): Promise<Warehouse> {
  const staging = join(folder, 'staging');
  const temporary = join(folder, 'temporary');
  mkdirSync(folder, { recursive: true });
  const database = await Database.open({ data: folder, staging, temporary }, limits, clock);
  // The lock on the file proves that no other process uses these folders any more.
  for (const leftover of [staging, temporary]) rmSync(leftover, { recursive: true, force: true });
  mkdirSync(staging, { recursive: true });
  // The pool exists because one of its threads opened the file.
  lowerPoolPriority();
  return new DuckdbWarehouse(database, staging, clock);
}

class DuckdbWarehouse implements Warehouse {
  readonly engine = 'duckdb';
  readonly stagingFolder: string;
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #stamps = new TableStamps((sql) => this.#rows(sql));

  constructor(database: Database, stagingFolder: string, clock: Clock) {
    this.#database = database;
    this.stagingFolder = stagingFolder;
    this.#clock = clock;
  }

  async migrate(): Promise<void> {
    await this.#database.use(({ writer }) => migrate(writer));
  }

  async ask<R extends Row>(
    question: Question<R>,
    parameters: Parameters,
    limits: QueryLimits,
  ): Promise<R[]> {
    return await this.#read(limits, ({ reader, signal }) =>
      ask(reader, question, parameters, signal),
    );
  }

  async *stream<R extends Row>(
    question: Question<R>,
    parameters: Parameters,
    limits: QueryLimits,
  ): AsyncIterable<R[]> {
    const database = await this.#database.enter();
    const lease = await this.#acquire(database, limits);
    const { reader, signal } = lease;
    let isWithCaller = false;
    // A caller that works on a portion beyond the deadline must not hold the reader.
    signal.addEventListener('abort', () => {
      if (isWithCaller) void lease.release();
    });
    try {
      await lease.begin();
      for await (const portion of stream(reader, question, parameters, signal)) {
        isWithCaller = true;
        yield portion;
        isWithCaller = false;
      }
    } catch (error) {
      this.#database.check(database, error);
      throw reasonOf(error, signal);
    } finally {
      await lease.release();
      this.#database.leave(database);
    }
  }

  async read<T>(
    _channels: readonly number[],
    limits: QueryLimits,
    use: (ask: Ask, stream: Stream, write: WriteFile) => Promise<T>,
  ): Promise<T> {
    return await this.#read(limits, async (lease) => {
      const { reader, signal } = lease;
      await lease.begin();
      const inTurn = oneStreamAtATime(
        (question, parameters) => ask(reader, question, parameters, signal),
        (question, parameters) => stream(reader, question, parameters, signal),
      );
      return await use(inTurn.ask, inTurn.stream, (question, parameters, file) =>
        writeFile(reader.connection, question, parameters, file),
      );
    });
  }

  async view<T>(
    channels: readonly number[],
    { deadlineMilliseconds, ...limits }: QueryLimits,
    use: (view: View) => Promise<T>,
  ): Promise<T> {
    const endsAt = this.#clock.now() + deadlineMilliseconds;
    const { stamps, check } = await this.#stamps.current(channels);
    const ask: Ask = async (question, parameters) => {
      const left = { ...limits, deadlineMilliseconds: endsAt - this.#clock.now() };
      const rows = await this.ask(question, parameters, left);
      check();
      return rows;
    };
    return await use({ stamps, ask });
  }

  async begin(key: BatchKey): Promise<ImportBatch> {
    return await this.#database.use(async (open) => {
      const connection = await open.instance.connect();
      open.batches.add(connection);
      return new DuckdbBatch(this.#database, open, connection, this.#stamps, key);
    });
  }

  async isCommitted(importId: number): Promise<boolean> {
    const sql = `SELECT 1 FROM committed_import WHERE import_id = ${importId}`;
    return (await this.#rows(sql)).length > 0;
  }

  async committedImports(first: number, last: number): Promise<number[]> {
    const found = await this.#rows(
      `SELECT DISTINCT import_id FROM committed_import
       WHERE import_id BETWEEN ${first} AND ${last}`,
    );
    return found.map((row) => row.import_id as number);
  }

  async readMark(): Promise<WarehouseMark> {
    const [row] = await this.#rows(
      `SELECT (SELECT any_value(installation_id) FROM installation) AS installation,
         (SELECT max(import_id) FROM committed_import) AS last`,
    );
    const { installation, last } = row as { installation: string | null; last: number | null };
    return { installationId: installation, lastImport: last ?? 0 };
  }

  async setInstallation(installationId: string): Promise<void> {
    await this.#change(0, async (connection) => {
      await connection.run('DELETE FROM installation');
      await connection.run(`INSERT INTO installation VALUES (${quoted(installationId)})`);
    });
  }

  async readChanges(): Promise<string | undefined> {
    return this.#stamps.changes;
  }

  async copyIn(range: FactsRange, rows: number, file: string): Promise<void> {
    await this.#change(range.from.channel, (connection) => copyIn(connection, range, rows, file));
  }

  async finishCopy(channel: number, imports: readonly number[], timezone: string): Promise<void> {
    await this.#change(channel, (connection) => finishCopy(connection, channel, imports, timezone));
  }

  async rebuild(key: BatchKey, timezone: string): Promise<void> {
    const { channel, importId } = key;
    await this.#change(channel, async (connection) => {
      const changed = await allDays(connection, channel);
      for (const { name } of rollups)
        await connection.run(`DELETE FROM ${name} WHERE channel = ${channel}`);
      await computeRollups(connection, key, timezone, changed, null);
      await stampTables(
        connection,
        channel,
        rollups.map(({ name }) => name),
      );
      await connection.run(`INSERT INTO committed_import VALUES (${importId}, ${channel})`);
    });
  }

  async amend(
    key: BatchKey,
    amendments: readonly Amendment[],
    timezone: string,
  ): Promise<Record<string, number>> {
    return await this.#change(key.channel, (connection) =>
      amendFacts(connection, key, amendments, timezone),
    );
  }

  async deleteFacts(channel: number): Promise<void> {
    await this.#change(channel, async (connection) => {
      const tables = [...facts, ...rollups].map(({ name }) => name);
      for (const name of tables)
        await connection.run(`DELETE FROM ${name} WHERE channel = ${channel}`);
      await stampTables(connection, channel, tables);
    });
  }

  async extents(channel: number, timezone: string): Promise<TableExtent[]> {
    const parts = facts.map((table) => {
      const column = extentColumn(table);
      const bound = (side: string) => {
        if (column === null) return 'NULL::BIGINT';
        const found = `${side}(${column})`;
        return table.instant === undefined ? `${found} - DATE '1970-01-01'` : found;
      };
      return `SELECT ${quoted(table.name)}, ${bound('min')}, ${bound('max')}, count(*)
        FROM ${table.name} WHERE channel = ${channel}`;
    });
    const found = await this.#rows(
      `SELECT * FROM (${parts.join(' UNION ALL ')}) AS extent(fact, first, last, row_count)
       WHERE row_count > 0`,
    );
    return extentsOf(found, timezone);
  }

  /** Does nothing: DuckDB frees replaced rows by itself. */
  async prune(): Promise<void> {}

  async checkHealth(): Promise<StoreStatus> {
    const [row] = await this.#rows(
      'SELECT version() AS engine, (SELECT max(version) FROM warehouse_version) AS held',
    );
    const { engine, held } = row as { engine: string; held: number };
    return {
      engine: `DuckDB ${engine.replace(/^v/, '')}`,
      schema: { held, newest: schemaVersion },
      clock: null,
      isDamaged: this.#database.isDamaged,
    };
  }

  /** Reads every row: DuckDB checks the checksum of each block that it reads from the file. */
  async verify(): Promise<boolean> {
    await this.#database
      .use(async ({ instance }) => {
        // It has its own connection, so that others can continue.
        const connection = await instance.connect();
        try {
          const stored = 'duckdb_tables() WHERE database_name = current_database()';
          for (const { name } of await rows(connection, `SELECT table_name AS name FROM ${stored}`))
            await connection.run(`SELECT bit_xor(hash(held)) FROM ${name} AS held`);
        } finally {
          connection.closeSync();
        }
      })
      .catch((error: unknown) => {
        if (!this.#database.isDamaged) throw error;
      });
    return this.#database.isDamaged;
  }

  async close(): Promise<void> {
    await this.#database.close();
  }

  /** The rows of a statement without parameters. */
  async #rows(sql: string): Promise<Row[]> {
    return await this.#database.use(({ writer }) => rows(writer, sql));
  }

  /** Makes a change of a channel from several statements, as a whole. */
  async #change<T>(
    channel: number,
    change: (connection: DuckDBConnection) => Promise<T>,
  ): Promise<T> {
    return await this.#database.use(async ({ instance }) => {
      const connection = await instance.connect();
      try {
        return await inTransaction(
          connection,
          () => change(connection),
          (commit) => this.#stamps.committing(channel, commit),
        );
      } finally {
        connection.closeSync();
      }
    });
  }

  async #read<T>(limits: QueryLimits, use: (lease: Lease) => Promise<T>): Promise<T> {
    return await this.#database.use(async (open) => {
      const lease = await open.readers.acquire(limits);
      try {
        return await use(lease);
      } catch (error) {
        this.#database.check(open, error);
        throw reasonOf(error, lease.signal);
      } finally {
        await lease.release();
      }
    });
  }

  async #acquire(open: OpenDatabase, limits: QueryLimits): Promise<Lease> {
    try {
      return await open.readers.acquire(limits);
    } catch (error) {
      this.#database.leave(open);
      throw error;
    }
  }
}

/** The error for the caller: why the read was cancelled, or what went wrong. */
function reasonOf(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  return storeError(error);
}
