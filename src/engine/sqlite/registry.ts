/**
 * The registry embedded in this process: one SQLite file, one connection. Transactions and queries take turns on it, so
 * a query inside a transaction must go through the transaction and never through `records`.
 */
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import {
  CamelCasePlugin,
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
} from 'kysely';
import { migrateRecords, schemaOf } from '../../../schema/registry/migrations.ts';
import { StoreUnavailable } from '../errors.ts';
import { createMutex } from '../mutex.ts';
import type { Records, Registry } from '../registry.ts';

const busyTimeoutMilliseconds = 5_000;

/**
 * Opens the file, which is made with its folder where it is missing, readable by its owner only. A commit is on the disk
 * when it returns. Throws StoreUnavailable where the file cannot be opened.
 */
export async function openSqlite(file: string): Promise<Registry> {
  const database = openFile(file);
  const records = new Kysely<Records>({
    dialect: new FileDialect(database),
    plugins: [new CamelCasePlugin()],
  });
  return {
    engine: 'sqlite',
    records,
    migrate: () => migrateRecords(records.withoutPlugins(), 'sqlite'),
    // One process owns the data folder (the warehouse's lock sees to it), so a lock within the process is a lock.
    withLock: createMutex(),
    async ping() {
      translated(() => database.prepare('SELECT count(*) FROM sqlite_schema').get());
    },
    async checkHealth() {
      const { version } = translated(() =>
        database.prepare('SELECT sqlite_version() AS version').get(),
      ) as { version: string };
      return { engine: `SQLite ${version}`, schema: await schemaOf(records), clock: null };
    },
    async close() {
      await records.destroy();
      if (database.isOpen) database.close();
    },
  };
}

function openFile(file: string): DatabaseSync {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // SQLite gives its other two files the mode of this one.
    closeSync(openSync(file, 'a', 0o600));
    const database = new DatabaseSync(file, {
      timeout: busyTimeoutMilliseconds,
      enableForeignKeyConstraints: true,
    });
    // Without recursive triggers a REPLACE would delete an audit row unseen.
    database.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA recursive_triggers = ON',
    );
    return database;
  } catch (error) {
    throw new StoreUnavailable('registry', error);
  }
}

// Kysely's own adapter leaves migrations outside a transaction; SQLite can do better.
class FileAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class FileDriver extends SqliteDriver {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    super({ database: adapted(database) });
    this.#database = database;
  }

  // A transaction that begins by reading and then writes could not wait for another process's writer: it would fail at once.
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  // On a full disk SQLite has already rolled back by itself, and a second rollback would hide the first error.
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.isTransaction) await super.rollbackTransaction(connection);
  }
}

class FileDialect extends SqliteDialect {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    super({ database: adapted(database) });
    this.#database = database;
  }

  override createDriver(): SqliteDriver {
    return new FileDriver(this.#database);
  }

  override createAdapter(): SqliteAdapter {
    return new FileAdapter();
  }
}

function adapted(database: DatabaseSync): SqliteDatabase {
  return {
    close: () => database.close(),
    prepare(sql) {
      const statement = translated(() => database.prepare(sql));
      return {
        reader: statement.columns().length > 0,
        all: (parameters) => translated(() => statement.all(...(parameters as SQLInputValue[]))),
        run: (parameters) => translated(() => statement.run(...(parameters as SQLInputValue[]))),
        iterate: (parameters) => statement.iterate(...(parameters as SQLInputValue[])),
      };
    },
  };
}

function translated<T>(ask: () => T): T {
  try {
    return ask();
  } catch (error) {
    throw isUnavailable(error) ? new StoreUnavailable('registry', error) : error;
  }
}

// SQLITE_BUSY, SQLITE_LOCKED, SQLITE_NOMEM, SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN.
const unavailableCodes: ReadonlySet<number> = new Set([5, 6, 7, 8, 10, 13, 14]);

function isUnavailable(error: unknown): boolean {
  const { errcode } = error as { errcode?: unknown };
  // The low byte of an extended result code is the primary one.
  return typeof errcode === 'number' && unavailableCodes.has(errcode & 0xff);
}
