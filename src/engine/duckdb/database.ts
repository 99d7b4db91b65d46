/**
 * The database file of the embedded warehouse. An error such as a full disk during a checkpoint
 * ends a DuckDB database for good, but not its file, which is then closed and opened again.
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { Clock } from '../clock.ts';
import { StartRefusal, StoreUnavailable } from '../errors.ts';
import { interrupt } from './interrupt.ts';
import { MemoryLimit } from './memoryLimit.ts';
import { damageAdvice, isDamaged, isFatal, storeError } from './queries.ts';
import { ReaderPool } from './readers.ts';
import { quoted } from './schema.ts';

/** The in-memory database of rows that wait for their import. */
export const sharedRows = 'shared_rows';

/** The limits of the embedded warehouse. */
export type DuckdbLimits = {
  /** DuckDB's memory limit; larger work uses its temporary folder. */
  readonly memoryMegabytes: number;
  /** The number of connections that answer questions at the same time. */
  readonly readersMax: number;
};

/** The folders of the embedded warehouse. */
export type DuckdbFolders = {
  readonly data: string;
  readonly staging: string;
  readonly temporary: string;
};

/** The database while it is open. */
export type OpenDatabase = {
  readonly instance: DuckDBInstance;
  readonly writer: DuckDBConnection;
  readonly readers: ReaderPool;
  /** The connections of import batches. */
  readonly batches: Set<DuckDBConnection>;
  readonly memory: MemoryLimit;
  /** The number of calls that currently use it. */
  uses: number;
  isEnded: boolean;
};

/** The database, opened again after an error that ended it. */
export class Database {
  readonly #open: () => Promise<OpenDatabase>;
  /** Undefined from when an ended database is closed until the next use. */
  #current: OpenDatabase | undefined;
  #opening: Promise<OpenDatabase> | undefined;
  /** Called when the last use has ended. */
  #whenUnused = () => {};
  #isClosed = false;
  #isDamaged = false;

  private constructor(open: () => Promise<OpenDatabase>) {
    this.#open = open;
  }

  /** Opens the file, which no other process may have open. */
  static async open(folders: DuckdbFolders, limits: DuckdbLimits, clock: Clock): Promise<Database> {
    const database = new Database(() =>
      openDatabase(folders, limits, clock, (open) => database.leave(open)),
    );
    database.#current = await database.#open();
    return database;
  }

  /** Uses the database. A batch passes its own as `before`, and ends with it. */
  async use<T>(work: (open: OpenDatabase) => Promise<T>, before?: OpenDatabase): Promise<T> {
    const open = await this.enter(before);
    try {
      return await work(open);
    } catch (error) {
      this.check(open, error);
      throw storeError(error);
    } finally {
      this.leave(open);
    }
  }

  /** Begins a use that `leave` ends. */
  async enter(before?: OpenDatabase): Promise<OpenDatabase> {
    if (this.#isClosed) throw unavailable('closed');
    const open = before ?? this.#current ?? (await this.#openAgain());
    // The file can be opened again only after the last use of an ended database.
    if (open.isEnded) throw unavailable('the database was ended by an earlier error');
    open.uses++;
    return open;
  }

  /** Ends a use. */
  leave(open: OpenDatabase): void {
    open.uses--;
    if (open.uses > 0) return;
    this.#whenUnused();
    if (!open.isEnded || this.#current !== open) return;
    this.#current = undefined;
    closeDatabase(open);
  }

  /** Closes the connection of an import batch, and drops everything that it staged. */
  async closeBatch(open: OpenDatabase, connection: DuckDBConnection): Promise<void> {
    if (!open.batches.delete(connection)) return;
    connection.closeSync();
    await open.memory.removeBatch(connection);
  }

  /** Whether a part of the file was found damaged. Facts in other parts are still answered. */
  get isDamaged(): boolean {
    return this.#isDamaged;
  }

  /** Notes an error that may have ended the database, or that shows damage of its file. */
  check(open: OpenDatabase, error: unknown): void {
    if (isFatal(error)) open.isEnded = true;
    if (isDamaged(error)) this.#isDamaged = true;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const open = this.#current ?? (await this.#opening?.catch(() => undefined));
    if (open === undefined) return;
    open.readers.close();
    open.memory.close();
    // A connection that is closed while it runs a statement never releases its thread.
    const ends = [...open.batches].map(interrupt);
    while (open.uses > 0)
      await new Promise<void>((resolve) => {
        this.#whenUnused = resolve;
      });
    for (const end of ends) end();
    if (this.#current !== open) return;
    await open.writer.run('CHECKPOINT').catch(() => undefined);
    closeDatabase(open);
  }

  #openAgain(): Promise<OpenDatabase> {
    this.#opening ??= this.#open()
      .catch((error: unknown) => {
        throw error instanceof StoreUnavailable ? error : new StoreUnavailable('warehouse', error);
      })
      .then((open) => {
        this.#current = open;
        return open;
      })
      .finally(() => {
        this.#opening = undefined;
      });
    return this.#opening;
  }
}

function unavailable(reason: string): StoreUnavailable {
  return new StoreUnavailable('warehouse', new Error(reason));
}

async function openDatabase(
  { data, staging, temporary }: DuckdbFolders,
  limits: DuckdbLimits,
  clock: Clock,
  leave: (open: OpenDatabase) => void,
): Promise<OpenDatabase> {
  const instance = await openFile(data);
  const writer = await instance.connect();
  // Connections cannot share temporary tables.
  await writer.run(`ATTACH ':memory:' AS ${sharedRows}`);
  const settings = {
    threads: String(Math.max(1, availableParallelism() >> 1)),
    memory_limit: `${limits.memoryMegabytes}MB`,
    // Otherwise every thread that has run a statement retains freed memory.
    allocator_background_threads: 'true',
    temp_directory: temporary,
    preserve_insertion_order: 'false',
    // By default five row groups wait in memory to be written together.
    write_buffer_row_group_count: '1',
    allowed_directories: [`${staging}/`],
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    enable_external_access: 'false',
  };
  for (const [name, value] of Object.entries(settings)) {
    const literal = Array.isArray(value) ? `[${value.map(quoted).join(', ')}]` : quoted(value);
    await writer.run(`SET ${name} = ${literal}`);
  }
  const setMemory = async (megabytes: number) => {
    open.uses++;
    try {
      await writer.run(`SET memory_limit = '${megabytes}MB'`);
    } finally {
      leave(open);
    }
  };
  const memory = new MemoryLimit(setMemory, limits.memoryMegabytes);
  const readers = new ReaderPool(instance, limits.readersMax, memory, clock);
  const open: OpenDatabase = {
    instance,
    writer,
    readers,
    memory,
    batches: new Set(),
    uses: 0,
    isEnded: false,
  };
  return open;
}

/** Closes a database that nobody uses, connections first: closing the last one frees the file. */
function closeDatabase({ instance, writer, readers, memory, batches }: OpenDatabase): void {
  memory.close();
  readers.close();
  for (const connection of batches) connection.closeSync();
  batches.clear();
  writer.closeSync();
  instance.closeSync();
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
  const refusal = (text: string) => new StartRefusal(text, { cause });
  if (/^IO Error: Could not set lock/.test(message))
    return refusal(
      `Another process has the data folder ${folder} open: stop it, or set VITRINE_DATA to another folder`,
    );
  if (/Permission denied|Read-only file system/.test(message))
    return refusal(
      `The warehouse ${file} cannot be written: make the user who runs the service its owner (${reason})`,
    );
  if (/No space left|File too large|Disk quota exceeded/.test(message))
    return refusal(`The disk of ${folder} is full: free some space, then start again (${reason})`);
  return refusal(`The warehouse ${file} is damaged: ${damageAdvice} (${reason})`);
}
