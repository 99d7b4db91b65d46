/**
 * The registry served by PostgreSQL to several nodes. Locks are held by sessions of their own, so the URL must lead to the
 * server itself or to a pooler in session mode.
 */
import { createHash } from 'node:crypto';
import {
  CamelCasePlugin,
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  sql,
} from 'kysely';
import pg from 'pg';
import { migrateRecords, schemaOf } from '../../../schema/registry/migrations.ts';
import { StoreUnavailable } from '../errors.ts';
import { createMutex } from '../mutex.ts';
import type { Records, Registry } from '../registry.ts';

const connectionTimeoutMilliseconds = 5_000;
const pingTimeoutMilliseconds = 5_000;
const statementTimeoutMilliseconds = 30_000;
// Longer than the server's own limit: it speaks only where the server no longer does.
const queryTimeoutMilliseconds = 35_000;
const idleTransactionTimeoutMilliseconds = 60_000;
const keepAliveSeconds = 10;

/** Connects to `postgres://...`. Throws StoreUnavailable where the server does not answer; so does every later call. */
export async function openPostgres(url: string, connectionsMax = 10): Promise<Registry> {
  const connection: pg.ClientConfig = {
    connectionString: url,
    application_name: 'vitrine',
    connectionTimeoutMillis: connectionTimeoutMilliseconds,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveSeconds * 1000,
    types: { getTypeParser },
  };
  const pool = createPool({
    ...connection,
    max: connectionsMax,
    statement_timeout: statementTimeoutMilliseconds,
    query_timeout: queryTimeoutMilliseconds,
    idle_in_transaction_session_timeout: idleTransactionTimeoutMilliseconds,
  });
  const records = new Kysely<Records>({
    dialect: new PostgresDialect({ pool: translatedPool(pool) }),
    plugins: [new CamelCasePlugin()],
  });
  const inTurn = createMutex();

  async function ping(): Promise<void> {
    try {
      await pool.query(brief('SELECT 1'));
    } catch (error) {
      throw new StoreUnavailable('registry', error);
    }
  }

  async function close(): Promise<void> {
    if (pool.ending) return;
    await records.destroy();
    if (!pool.ending) await pool.end();
  }

  try {
    await ping();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    engine: 'postgres',
    records,
    ping,
    close,
    async checkHealth() {
      const { rows } = await sql<{ version: string; clock: number }>`
        SELECT current_setting('server_version') AS version, floor(extract(epoch FROM clock_timestamp()) * 1000) AS clock`.execute(
        records,
      );
      const { version, clock } = rows[0]!;
      return { engine: `PostgreSQL ${version}`, clock, schema: await schemaOf(records) };
    },
    // A session of its own, because waiting for another node's migration may take longer than a statement is allowed to.
    async migrate() {
      const alone = createPool({ ...connection, max: 1 });
      const store = new Kysely<unknown>({
        dialect: new PostgresDialect({ pool: translatedPool(alone) }),
      });
      try {
        await migrateRecords(store, 'postgres');
      } finally {
        await store.destroy();
      }
    },
    // Callers of one node queue within it, so a name costs at most one session of the server per node.
    withLock: (name, work) => inTurn(name, () => holdingAdvisoryLock(connection, name, work)),
  };
}

/** Rejects with StoreUnavailable after `work` where the session was lost meanwhile: another node may then have held the lock too. */
async function holdingAdvisoryLock<T>(
  connection: pg.ClientConfig,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  const client = new pg.Client(connection);
  client.on('error', ignore);
  const lock = [lockNumber(name)];
  try {
    await client.connect();
    // The server must not cut a holder off for its silence, and must notice a holder whose machine is gone.
    await client.query(
      `SELECT set_config('statement_timeout', '0', false), set_config('lock_timeout', '0', false),
              set_config('idle_session_timeout', '0', false), set_config('tcp_keepalives_idle', '${keepAliveSeconds}', false),
              set_config('tcp_keepalives_interval', '${keepAliveSeconds}', false), set_config('tcp_keepalives_count', '3', false)`,
    );
    await client.query('SELECT pg_advisory_lock($1)', lock);
  } catch (error) {
    client.end().catch(ignore);
    throw new StoreUnavailable('registry', error);
  }
  let answer: T;
  try {
    answer = await work();
  } catch (error) {
    await releaseLock(client, lock).catch(ignore);
    throw error;
  }
  await releaseLock(client, lock);
  return answer;
}

async function releaseLock(client: pg.Client, lock: string[]): Promise<void> {
  try {
    await client.query(brief('SELECT pg_advisory_unlock($1)', lock));
  } catch (error) {
    throw new StoreUnavailable('registry', error);
  } finally {
    // Not awaited: the end of a session whose server is silent would be waited for until the system gives up.
    client.end().catch(ignore);
  }
}

// The name's first 64 bits; a collision only makes two names wait for one another.
function lockNumber(name: string): string {
  return createHash('sha256').update(`vitrine ${name}`).digest().readBigInt64BE().toString();
}

function createPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config);
  // A connection may be lost while it is idle or between two statements; without listeners either would end the process.
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  return pool;
}

function translatedPool(pool: pg.Pool): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect().catch((error: unknown) => {
        throw new StoreUnavailable('registry', error);
      });
      let lost = false;
      const query = async (sql: string, parameters: readonly unknown[]) => {
        try {
          return await client.query(sql, [...parameters]);
        } catch (error) {
          if (!isUnavailable(error)) throw error;
          // An answer may still be on its way to a query that was given up: such a connection is not used again.
          lost = lost || !(error instanceof pg.DatabaseError);
          throw new StoreUnavailable('registry', error);
        }
      };
      return {
        // Kysely asks through a cursor only where it was given one.
        query: query as unknown as PostgresPoolClient['query'],
        release: (destroy) => client.release(destroy === true || lost),
      };
    },
  };
}

// Connections refused or ended (08, 28, 57P), no room or too busy (53, 55P03, 57014, 58), a standby that takes no writes (25006), and
// transactions that were given up for the sake of others (40).
const unavailableStates = /^(08|28|40|53|57P|58)|^(25006|55P03|57014)$/;
// What pg says without a code.
const unavailableMessages =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout|timeout exceeded)/;

function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof pg.DatabaseError) return unavailableStates.test(error.code ?? '');
  // Errors of the operating system and of the name service carry the call that failed.
  return (
    'syscall' in error || error instanceof AggregateError || unavailableMessages.test(error.message)
  );
}

// pg knows this setting of a single query; its types do not.
function brief(text: string, values: string[] = []): pg.QueryConfig {
  const config = { text, values, query_timeout: pingTimeoutMilliseconds };
  return config;
}

// int8, and the numeric that sum and avg make of it: numbers, as SQLite answers them.
const numberTypes: ReadonlySet<number> = new Set([20, 1700]);

function getTypeParser(type: number, format?: 'text' | 'binary') {
  return numberTypes.has(type) && format !== 'binary'
    ? exactNumber
    : pg.types.getTypeParser(type, format);
}

// SQLite's driver refuses such integers as well: a wrong number would be worse than none.
function exactNumber(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new RangeError(`${text} is too large to be held exactly`);
  return value;
}

function ignore(): void {}
