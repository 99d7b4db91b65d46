/** The embedded warehouse: DuckDB in this process, one file in the data folder. */
import { mkdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { facts, rollups, schemaVersion } from '../../../schema/warehouse/tables.ts';
import type { Amendment } from '../amendment.ts';
import { type Clock, systemClock } from '../clock.ts';
import { StartRefusal, StoreUnavailable } from '../errors.ts';
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
  Warehouse,
  WarehouseMark,
} from '../warehouse.ts';
import { amendFacts } from './amend.ts';
import { DuckdbBatch } from './batch.ts';
import { ask, inTransaction, isBroken, rows, stream } from './queries.ts';
import { type Lease, ReaderPool } from './readers.ts';
import { allDays, computeRollups } from './rollups.ts';
import { migrate, quoted } from './schema.ts';

/** The limits of the embedded warehouse. */
export type DuckdbLimits = {
  /** Memory of DuckDB; larger work uses its temporary folder. */
  readonly memoryMegabytes: number;
  /** Connections that answer questions at the same time. */
  readonly readersMax: number;
};

/** The default limits. */
export const duckdbLimits: DuckdbLimits = { memoryMegabytes: 384, readersMax: 8 };

/** Opens the warehouse in `folder`, which no other process may have open. */
export async function openDuckdb(
  folder: string,
  limits: DuckdbLimits = duckdbLimits,
  clock: Clock = systemClock,
): Promise<Warehouse> {
  const stagingFolder = join(folder, 'staging');
  const temporaryFolder = join(folder, 'temporary');
  mkdirSync(folder, { recursive: true });
  const instance = await openFile(folder);
  // The lock on the file proves that no other process still uses these folders.
  for (const leftover of [stagingFolder, temporaryFolder])
    rmSync(leftover, { recursive: true, force: true });
  mkdirSync(stagingFolder, { recursive: true });
  const writer = await instance.connect();
  const settings = {
    threads: String(Math.max(1, availableParallelism() >> 1)),
    memory_limit: `${limits.memoryMegabytes}MB`,
    // Otherwise freed memory stays with every thread that has asked.
    allocator_background_threads: 'true',
    temp_directory: temporaryFolder,
    preserve_insertion_order: 'false',
    allowed_directories: [`${stagingFolder}/`],
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    enable_external_access: 'false',
    lock_configuration: 'true',
  };
  for (const [name, value] of Object.entries(settings)) {
    const literal = Array.isArray(value) ? `[${value.map(quoted).join(', ')}]` : quoted(value);
    await writer.run(`SET ${name} = ${literal}`);
  }
  const readers = new ReaderPool(instance, limits.readersMax, clock);
  return new DuckdbWarehouse(instance, writer, readers, stagingFolder);
}

async function openFile(folder: string): Promise<DuckDBInstance> {
  const file = join(folder, 'warehouse.duckdb');
  try {
    return await DuckDBInstance.create(file);
  } catch (error) {
    throw openingError(folder, file, error as Error);
  }
}

/** The error for the operator: why the file does not open, and how to continue. */
function openingError(folder: string, file: string, cause: Error): Error {
  const { message } = cause;
  const [reason = ''] = message.split('\n');
  if (/^IO Error: Could not set lock/.test(message))
    return new StartRefusal(
      `Another process has the data folder ${folder} open: stop it, or set VITRINE_DATA to another folder`,
      { cause },
    );
  if (/Permission denied|Read-only file system/.test(message))
    return new StartRefusal(
      `The warehouse ${file} cannot be written: make the user who runs the service its owner (${reason})`,
      { cause },
    );
  if (/No space left|File too large|Disk quota exceeded/.test(message))
    return new StoreUnavailable('warehouse', cause);
  return new StartRefusal(
    `The warehouse ${file} is damaged: restore backups of it and of the registry that were made at the same time (${reason})`,
    { cause },
  );
}

class DuckdbWarehouse implements Warehouse {
  readonly engine = 'duckdb';
  readonly stagingFolder: string;
  readonly #instance: DuckDBInstance;
  readonly #writer: DuckDBConnection;
  readonly #readers: ReaderPool;
  #isClosed = false;

  constructor(
    instance: DuckDBInstance,
    writer: DuckDBConnection,
    readers: ReaderPool,
    stagingFolder: string,
  ) {
    this.#instance = instance;
    this.#writer = writer;
    this.#readers = readers;
    this.stagingFolder = stagingFolder;
  }

  async migrate(): Promise<void> {
    await migrate(this.#writer);
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
    const lease = await this.#readers.acquire(limits);
    const { reader, signal } = lease;
    let isWithCaller = false;
    // A caller that works on a portion beyond the deadline must not keep the reader.
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
      throw reasonOf(error, signal);
    } finally {
      await lease.release();
    }
  }

  async read<T>(
    _channels: readonly number[],
    limits: QueryLimits,
    use: (ask: Ask, stream: Stream) => Promise<T>,
  ): Promise<T> {
    return await this.#read(limits, async (lease) => {
      const { reader, signal } = lease;
      await lease.begin();
      const inTurn = oneStreamAtATime(
        (question, parameters) => ask(reader, question, parameters, signal),
        (question, parameters) => stream(reader, question, parameters, signal),
      );
      return await use(inTurn.ask, inTurn.stream);
    });
  }

  async begin(key: BatchKey): Promise<ImportBatch> {
    return new DuckdbBatch(await this.#instance.connect(), key);
  }

  async isCommitted(importId: number): Promise<boolean> {
    const sql = `SELECT 1 FROM committed_import WHERE import_id = ${importId}`;
    return (await rows(this.#writer, sql)).length > 0;
  }

  async committedImports(first: number, last: number): Promise<number[]> {
    const found = await rows(
      this.#writer,
      `SELECT DISTINCT import_id FROM committed_import
       WHERE import_id BETWEEN ${first} AND ${last}`,
    );
    return found.map((row) => row.import_id as number);
  }

  async readMark(): Promise<WarehouseMark> {
    const [row] = await rows(
      this.#writer,
      `SELECT (SELECT any_value(installation_id) FROM installation) AS installation,
         (SELECT max(import_id) FROM committed_import) AS last`,
    );
    const { installation, last } = row as { installation: string | null; last: number | null };
    return { installationId: installation, lastImport: last ?? 0 };
  }

  async setInstallation(installationId: string): Promise<void> {
    await this.#change(async (connection) => {
      await connection.run('DELETE FROM installation');
      await connection.run(`INSERT INTO installation VALUES (${quoted(installationId)})`);
    });
  }

  async rebuild(key: BatchKey, timezone: string): Promise<void> {
    const { channel, importId } = key;
    await this.#change(async (connection) => {
      const changed = await allDays(connection, channel);
      for (const { name } of rollups)
        await connection.run(`DELETE FROM ${name} WHERE channel = ${channel}`);
      await computeRollups(connection, key, timezone, changed, null);
      await connection.run(`INSERT INTO committed_import VALUES (${importId}, ${channel})`);
    });
  }

  async amend(
    key: BatchKey,
    amendments: readonly Amendment[],
    timezone: string,
  ): Promise<Record<string, number>> {
    return await this.#change((connection) => amendFacts(connection, key, amendments, timezone));
  }

  async deleteFacts(channel: number): Promise<void> {
    await this.#change(async (connection) => {
      for (const { name } of [...facts, ...rollups])
        await connection.run(`DELETE FROM ${name} WHERE channel = ${channel}`);
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
    const found = await rows(
      this.#writer,
      `SELECT * FROM (${parts.join(' UNION ALL ')}) AS extent(fact, first, last, row_count)
       WHERE row_count > 0`,
    );
    return extentsOf(found, timezone);
  }

  /** Does nothing: DuckDB frees replaced rows by itself. */
  async prune(): Promise<void> {}

  async ping(): Promise<void> {
    this.#checkOpen();
    await this.#writer.run('SELECT 1');
  }

  async checkHealth(): Promise<StoreStatus> {
    this.#checkOpen();
    const [row] = await rows(
      this.#writer,
      'SELECT version() AS engine, (SELECT max(version) FROM warehouse_version) AS held',
    );
    const { engine, held } = row as { engine: string; held: number };
    return {
      engine: `DuckDB ${engine.replace(/^v/, '')}`,
      schema: { held, newest: schemaVersion },
      clock: null,
    };
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#readers.close();
    await this.#writer.run('CHECKPOINT').catch(() => undefined);
    this.#writer.closeSync();
    this.#instance.closeSync();
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new StoreUnavailable('warehouse', new Error('closed'));
  }

  /** Makes a change of several statements as a whole. */
  async #change<T>(change: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    const connection = await this.#instance.connect();
    try {
      return await inTransaction(connection, () => change(connection));
    } finally {
      connection.closeSync();
    }
  }

  async #read<T>(limits: QueryLimits, use: (lease: Lease) => Promise<T>): Promise<T> {
    const lease = await this.#readers.acquire(limits);
    try {
      return await use(lease);
    } catch (error) {
      throw reasonOf(error, lease.signal);
    } finally {
      await lease.release();
    }
  }
}

/** The error for the caller: why the read was cancelled, or what went wrong. */
function reasonOf(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  return isBroken(error) ? new StoreUnavailable('warehouse', error) : error;
}
