/**
 * The registry in a SQLite file, with one connection. Transactions and queries take turns, so a
 * query inside a transaction must use the transaction and never `records`.
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
  type SqliteStatement,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import { migrateRecords, schemaOf } from '../../../schema/registry/migrations.ts';
import { StartRefusal, StoreUnavailable } from '../errors.ts';
import { createMutex } from '../mutex.ts';
import { storedName } from '../recordCopies.ts';
import type { Records, Registry } from '../registry.ts';
import { isDamage, isUnavailable } from './codes.ts';
import { PageSums } from './pageSums.ts';
import { readSnapshot } from './snapshot.ts';

const busyTimeoutMilliseconds = 5_000;

/**
 * Opens the file. A missing file is created with its folder, readable by its owner only. A commit
 * is durable when it returns. Throws StoreUnavailable if the file cannot be opened, and
 * StartRefusal if it is damaged.
 */
export async function openSqlite(file: string): Promise<Registry> {
  const { database, sums, close } = openFile(file);
  if (await sums?.verify()) {
    close();
    throw new StartRefusal(damaged(file));
  }
  beginLog(database, sums);
  const records = new Kysely<Records>({
    dialect: new FileDialect(database, close),
    plugins: [new CamelCasePlugin()],
  });
  return {
    engine: 'sqlite',
    records,
    migrate: () => migrateRecords(records.withoutPlugins(), 'sqlite'),
    // The warehouse's lock lets only one process use the data folder, so a mutex is enough.
    withLock: createMutex(),
    async lastNumber(table) {
      const found = translated(() =>
        database.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').get(storedName(table)),
      ) as { seq: number } | undefined;
      return found?.seq ?? 0;
    },
    async raiseNumber(table, number) {
      const name = storedName(table);
      translated(() => {
        const sql = 'UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?';
        if (database.prepare(sql).run(number, name).changes > 0) return;
        database.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(name, number);
      });
    },
    snapshot: (use) => readSnapshot(file, (opened) => new FileDialect(opened), use),
    async checkHealth() {
      const { version } = translated(() =>
        database.prepare('SELECT sqlite_version() AS version').get(),
      ) as { version: string };
      const schema = await schemaOf(records);
      const isDamaged = sums?.isDamaged ?? false;
      return { engine: `SQLite ${version}`, schema, clock: null, isDamaged };
    },
    verify: async () => (await sums?.verify()) ?? false,
    async close() {
      await records.destroy();
      if (database.isOpen) close();
    },
  };
}

function damaged(file: string): string {
  return (
    `The registry ${file} is damaged: restore a backup (vitrine restore). If it has been replaced ` +
    `or repaired since, remove ${file}.sums and start again.`
  );
}

function openFile(file: string) {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // SQLite creates its other files with the mode of this one.
    closeSync(openSync(file, 'a', 0o600));
    const database = new DatabaseSync(file, {
      timeout: busyTimeoutMilliseconds,
      enableForeignKeyConstraints: true,
    });
    // Without recursive triggers, REPLACE could delete an audit entry.
    database.exec('PRAGMA synchronous = FULL; PRAGMA recursive_triggers = ON');
    const sums = PageSums.of(file, database);
    return { database, sums, close: () => (sums ? sums.close() : database.close()) };
  } catch (error) {
    if (isDamage(error)) throw new StartRefusal(damaged(file), { cause: error });
    throw new StoreUnavailable('registry', error);
  }
}

function beginLog(database: DatabaseSync, sums: PageSums | undefined): void {
  try {
    database.exec('PRAGMA journal_mode = WAL');
    sums?.begin();
  } catch (error) {
    throw new StoreUnavailable('registry', error);
  }
}

// Kysely's adapter runs migrations without a transaction, although SQLite supports it.
class FileAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class FileDriver extends SqliteDriver {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync, close: () => void) {
    super({ database: adapted(database, close) });
    this.#database = database;
  }

  // A deferred transaction that reads first cannot wait for another writer: its write fails at
  // once.
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  // On a full disk, SQLite has already rolled back; a second rollback would hide the error.
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.isTransaction) await super.rollbackTransaction(connection);
  }
}

class FileDialect extends SqliteDialect {
  readonly #database: DatabaseSync;
  readonly #close: () => void;

  constructor(database: DatabaseSync, close = () => database.close()) {
    super({ database: adapted(database, close) });
    this.#database = database;
    this.#close = close;
  }

  override createDriver(): SqliteDriver {
    return new FileDriver(this.#database, this.#close);
  }

  override createAdapter(): SqliteAdapter {
    return new FileAdapter();
  }
}

/** The number of statements to cache: SQLite takes longer to compile most than to run them. */
const statementsMax = 250;

function adapted(database: DatabaseSync, close: () => void): SqliteDatabase {
  const prepare = (sql: string) => translated(() => database.prepare(sql));
  const statements = new LRUCache<string, SqliteStatement>({
    max: statementsMax,
    memoMethod(sql) {
      const statement = prepare(sql);
      return {
        reader: statement.columns().length > 0,
        all: (parameters) => translated(() => statement.all(...(parameters as SQLInputValue[]))),
        run: (parameters) => translated(() => statement.run(...(parameters as SQLInputValue[]))),
        // While its rows are taken one by one, a statement serves nobody else.
        iterate: (parameters) => prepare(sql).iterate(...(parameters as SQLInputValue[])),
      };
    },
  });
  return { close, prepare: (sql) => statements.memo(sql) };
}

function translated<T>(ask: () => T): T {
  try {
    return ask();
  } catch (error) {
    throw isUnavailable(error) ? new StoreUnavailable('registry', error) : error;
  }
}
