/**
 * The registry in PostgreSQL, for several nodes. Each lock is held by a session of its own, so the
 * URL must lead to the server itself or to a pooler in session mode.
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
import { type Clock, systemClock } from '../clock.ts';
import { StoreUnavailable } from '../errors.ts';
import { createMutex } from '../mutex.ts';
import { type RecordTable, recordTables, storedName } from '../recordCopies.ts';
import type { Records, Registry } from '../registry.ts';
import { ServerWatch } from '../serverWatch.ts';
import { readSnapshot } from './snapshot.ts';

/** How long connections and probes may take, unless the server may be silent for longer. */
const pingTimeoutMilliseconds = 5_000;
const statementTimeoutMilliseconds = 30_000;
// Longer than the server's own limit, so it only ends queries to a silent server.
const queryTimeoutMilliseconds = 35_000;
const idleTransactionTimeoutMilliseconds = 60_000;
const keepAliveSeconds = 10;

/** The limits of the connection. */
export type PostgresLimits = {
  readonly connectionsMax: number;
  /** How long the server may answer nothing, not even a probe. */
  readonly silenceMilliseconds: number;
};

/** The default limits; the service sets its own, whose silence is shorter. */
const postgresLimits: PostgresLimits = { connectionsMax: 10, silenceMilliseconds: 60_000 };

/**
 * Connects to `postgres://...`. Throws StoreUnavailable without a server, like every later call.
 */
export async function openPostgres(
  url: string,
  { connectionsMax, silenceMilliseconds }: PostgresLimits = postgresLimits,
  clock: Clock = systemClock,
): Promise<Registry> {
  const pingMilliseconds = Math.max(pingTimeoutMilliseconds, silenceMilliseconds);
  const connection: pg.ClientConfig = {
    connectionString: url,
    application_name: 'vitrine',
    connectionTimeoutMillis: pingMilliseconds,
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
  const { watch, probes } = watchServer(connection, silenceMilliseconds, clock);
  const records = new Kysely<Records>({
    dialect: new PostgresDialect({ pool: translatedPool(pool, watch) }),
    plugins: [new CamelCasePlugin()],
  });
  const inTurn = createMutex();

  async function close(): Promise<void> {
    if (pool.ending) return;
    watch.close();
    await Promise.all([records.destroy(), probes.end()]);
    if (!pool.ending) await pool.end();
  }

  try {
    await watch.during(() => pingServer(pool, pingMilliseconds));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    engine: 'postgres',
    records,
    close,
    async checkHealth() {
      const { rows } = await sql<{ version: string; clock: number }>`
        SELECT current_setting('server_version') AS version,
               floor(extract(epoch FROM clock_timestamp()) * 1000) AS clock`.execute(records);
      const { version, clock } = rows[0]!;
      return { engine: `PostgreSQL ${version}`, clock, schema: await schemaOf(records) };
    },
    // The server compares the checksums of pages as it reads them, and refuses damaged ones.
    verify: async () => false,
    ...numbersIn(records),
    snapshot: (use) => readSnapshot(openAlone(connection).withPlugin(new CamelCasePlugin()), use),
    migrate: () => migrateAlone(connection),
    // Callers on one node queue in its memory, so a lock takes at most one session per node.
    withLock: (name, work) =>
      inTurn(name, () => holdingAdvisoryLock({ connection, watch }, name, work)),
  };
}

async function pingServer(pool: pg.Pool, milliseconds: number): Promise<void> {
  try {
    // The types of pg lack this setting of a query.
    const ping: pg.QueryConfig & { query_timeout: number } = {
      text: 'SELECT 1',
      query_timeout: milliseconds,
    };
    await pool.query(ping);
  } catch (error) {
    throw new StoreUnavailable('registry', error);
  }
}

/** Watches the server by probes from a pool of their own. */
function watchServer(
  connection: pg.ClientConfig,
  silenceMilliseconds: number,
  clock: Clock,
): { readonly watch: ServerWatch; readonly probes: pg.Pool } {
  const probes = createPool({
    ...connection,
    max: 1,
    connectionTimeoutMillis: silenceMilliseconds,
    query_timeout: silenceMilliseconds,
    allowExitOnIdle: true,
  });
  const probe = () => probeServer(probes);
  const watch = new ServerWatch({ store: 'registry', probe, silenceMilliseconds }, clock);
  return { watch, probes };
}

/** Any answer shows that the server is alive, even a refused connection. */
async function probeServer(probes: pg.Pool): Promise<void> {
  await probes.query('SELECT 1').catch((error: unknown) => {
    if (!(error instanceof pg.DatabaseError)) throw error;
  });
}

/** Waiting for another node's migration may take long. */
async function migrateAlone(connection: pg.ClientConfig): Promise<void> {
  const store = openAlone(connection);
  try {
    await migrateRecords(store, 'postgres');
  } finally {
    await store.destroy();
  }
}

/** A separate connection without time limits. */
function openAlone(connection: pg.ClientConfig): Kysely<Records> {
  const pool = createPool({ ...connection, max: 1 });
  return new Kysely<Records>({ dialect: new PostgresDialect({ pool: translatedPool(pool) }) });
}

function numbersIn(records: Kysely<Records>): Pick<Registry, 'lastNumber' | 'raiseNumber'> {
  return {
    async lastNumber(table) {
      const { rows } = await sql<{ last: number }>`
        SELECT coalesce(pg_sequence_last_value(${sequenceOf(table)}), 0) AS last`.execute(records);
      return rows[0]!.last;
    },
    async raiseNumber(table, number) {
      const sequence = sequenceOf(table);
      await sql`SELECT setval(${sequence},
        greatest(${number}, pg_sequence_last_value(${sequence})))`.execute(records);
    },
  };
}

/** The sequence that numbers the rows of a table. */
function sequenceOf(table: RecordTable) {
  const [name, column] = [storedName(table), recordTables[table]!];
  return sql`pg_get_serial_sequence(${sql.lit(name)}, ${sql.lit(column)})::regclass`;
}

/**
 * Runs `work` under the lock. Rejects with StoreUnavailable after `work` if the session was lost
 * before its end, because another node may have held the lock as well.
 */
async function holdingAdvisoryLock<T>(
  { connection, watch }: { readonly connection: pg.ClientConfig; readonly watch: ServerWatch },
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  const client = new pg.Client(connection);
  client.on('error', ignore);
  const lock = [lockNumber(name)];
  try {
    await watch.during(() => client.connect());
    // The server must tolerate idle holders, but notice when the machine of a holder has died.
    await watch.during(() =>
      client.query(
        `SELECT set_config('statement_timeout', '0', false), set_config('lock_timeout', '0', false),
              set_config('idle_session_timeout', '0', false),
              set_config('tcp_keepalives_idle', '${keepAliveSeconds}', false),
              set_config('tcp_keepalives_interval', '${keepAliveSeconds}', false),
              set_config('tcp_keepalives_count', '3', false)`,
      ),
    );
    await watch.during(() => client.query('SELECT pg_advisory_lock($1)', lock));
  } catch (error) {
    client.end().catch(ignore);
    throw new StoreUnavailable('registry', error);
  }
  let answer: T;
  try {
    answer = await work();
  } catch (error) {
    await releaseLock(client, lock, watch).catch(ignore);
    throw error;
  }
  await releaseLock(client, lock, watch);
  return answer;
}

async function releaseLock(client: pg.Client, lock: string[], watch: ServerWatch): Promise<void> {
  try {
    await watch.during(() => client.query('SELECT pg_advisory_unlock($1)', lock));
  } catch (error) {
    throw new StoreUnavailable('registry', error);
  } finally {
    // Not awaited: with a silent server, it would last until the system gives up.
    client.end().catch(ignore);
  }
}

// 64 bits of a hash. A collision only makes two names share a lock.
function lockNumber(name: string): string {
  return createHash('sha256').update(`vitrine ${name}`).digest().readBigInt64BE().toString();
}

function createPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config);
  // Without listeners, a connection lost while idle or between two statements ends the process.
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  return pool;
}

function translatedPool(pool: pg.Pool, watch?: ServerWatch): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await connectTo(pool, watch);
      let lost = false;
      const query = async (sql: string, parameters: readonly unknown[]) => {
        const send = () => client.query(sql, [...parameters]);
        try {
          return await (watch?.during(send) ?? send());
        } catch (error) {
          if (!isUnavailable(error)) throw error;
          // Not used again, because the server ends it, or the answer to an abandoned query still
          // arrives.
          lost = lost || !(error instanceof pg.DatabaseError) || endsSession(error);
          throw error instanceof StoreUnavailable ? error : new StoreUnavailable('registry', error);
        }
      };
      return {
        // Kysely uses a cursor only if the dialect has one.
        query: query as unknown as PostgresPoolClient['query'],
        release: (destroy) => client.release(destroy === true || lost),
      };
    },
  };
}

/** A client of the pool. If it arrives after the caller has given up, it returns to the pool. */
async function connectTo(pool: pg.Pool, watch: ServerWatch | undefined): Promise<pg.PoolClient> {
  let isWaiting = true;
  const connect = async () => {
    const client = await pool.connect();
    if (!isWaiting) client.release();
    return client;
  };
  try {
    return await (watch?.during(connect) ?? connect());
  } catch (error) {
    throw error instanceof StoreUnavailable ? error : new StoreUnavailable('registry', error);
  } finally {
    isWaiting = false;
  }
}

// Connections refused or ended (08, 28, 57P), a full, busy or failing server (53, 55P03, 57014,
// 58), a read-only standby (25006), and transactions rolled back in favour of others (40).
const unavailableStates = /^(08|28|40|53|57P|58)|^(25006|55P03|57014)$/;
// The server is shutting down, or an administrator ends the session.
const endedStates = /^(08|57P)/;
// Errors of pg without a code.
const unavailableMessages =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout|timeout exceeded)/;

function endsSession({ code = '' }: pg.DatabaseError): boolean {
  return endedStates.test(code);
}

function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof StoreUnavailable) return true;
  if (error instanceof pg.DatabaseError) return unavailableStates.test(error.code ?? '');
  // Errors of the operating system and of name resolution name the failed call.
  return (
    'syscall' in error || error instanceof AggregateError || unavailableMessages.test(error.message)
  );
}

// int8, and the numeric of its sum and avg, are read as numbers, as on SQLite.
const numberTypes: ReadonlySet<number> = new Set([20, 1700]);

function getTypeParser(type: number, format?: 'text' | 'binary') {
  return numberTypes.has(type) && format !== 'binary'
    ? exactNumber
    : pg.types.getTypeParser(type, format);
}

// An error is better than a wrong number. SQLite's driver also refuses such integers.
function exactNumber(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new RangeError(`${text} is too large to be represented exactly`);
  return value;
}

function ignore(): void {}
