/**
 * Budgets: how much of what a key may do within a window of time it has done. One node keeps them in its memory; several nodes share
 * them in PostgreSQL, or in Redis, which takes more requests.
 */
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';

/** What has been spent of a budget in its present window, and how long that lasts. */
export type Spent = { readonly spent: number; readonly millisecondsLeft: number };

/** The port. */
export interface Budgets {
  readonly store: 'memory' | 'postgres' | 'redis';
  /**
   * Spends one of the budget of that name, whose window opens with its first spending and lasts `windowSeconds`. Of a window that the
   * store knows nothing of, `before` may say what had been spent already. Never rejects: where the shared store does not answer, this node
   * goes on with a budget of its own.
   */
  spend(name: string, windowSeconds: number, before?: () => Promise<number>): Promise<Spent>;
  /** Whether the shared store answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** What goes wrong with a shared store is told at most this often. */
const troubleEveryMilliseconds = 60_000;
const answerMilliseconds = 1_000;
const connectionsMax = 4;
const prefix = 'vitrine';

/** A limiter that only counts: what a count means is for the caller to say. */
const counting = { points: Number.MAX_SAFE_INTEGER, duration: 1, keyPrefix: prefix };

/** Keeps budgets where the addresses say; a store that does not answer at this moment is asked again with every spending. */
export async function openBudgets(
  { redisUrl, databaseUrl }: { readonly redisUrl: string | undefined; readonly databaseUrl: string | undefined },
  troubled: (error: unknown) => void,
): Promise<Budgets> {
  if (redisUrl !== undefined) return openRedis(redisUrl, troubled);
  if (databaseUrl !== undefined) return openPostgres(databaseUrl, troubled);
  return budgetsOf(
    'memory',
    new RateLimiterMemory(counting),
    troubled,
    async () => {},
    async () => {},
  );
}

async function openRedis(url: string, troubled: (error: unknown) => void): Promise<Budgets> {
  const { Redis } = await import('ioredis');
  const client = new Redis(url, {
    connectionName: 'vitrine',
    connectTimeout: answerMilliseconds,
    commandTimeout: answerMilliseconds,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: true,
  });
  // Told with the spending that fails.
  client.on('error', () => {});
  const limiter = new RateLimiterRedis({ ...counting, storeClient: client });
  return budgetsOf(
    'redis',
    limiter,
    troubled,
    async () => void (await client.ping()),
    async () => client.disconnect(),
  );
}

async function openPostgres(url: string, troubled: (error: unknown) => void): Promise<Budgets> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'vitrine budgets',
    max: connectionsMax,
    connectionTimeoutMillis: answerMilliseconds,
    query_timeout: answerMilliseconds,
    // The last half second of a budget is not worth a wait for the disk with every request.
    options: '-c synchronous_commit=off',
    allowExitOnIdle: true,
  });
  pool.on('error', () => {});
  const limiter = new RateLimiterPostgres({
    ...counting,
    storeClient: pool,
    storeType: 'pool',
    tableName: 'key_budget',
    tableCreated: true,
  });
  return budgetsOf(
    'postgres',
    limiter,
    troubled,
    async () => void (await pool.query('SELECT 1')),
    () => pool.end(),
  );
}

type Limiter = RateLimiterMemory | RateLimiterPostgres | RateLimiterRedis;

function budgetsOf(
  store: Budgets['store'],
  limiter: Limiter,
  troubled: (error: unknown) => void,
  ping: () => Promise<void>,
  close: () => Promise<void>,
): Budgets {
  const own = limiter instanceof RateLimiterMemory ? limiter : new RateLimiterMemory(counting);
  let nextTold = 0;

  function tell(error: unknown): void {
    if (Date.now() < nextTold) return;
    nextTold = Date.now() + troubleEveryMilliseconds;
    troubled(error);
  }

  async function spendAt(at: Limiter, name: string, windowSeconds: number, before?: () => Promise<number>): Promise<Spent> {
    const options = { customDuration: windowSeconds };
    let found: RateLimiterRes = await at.consume(name, 1, options);
    if (before !== undefined && found.consumedPoints === 1) {
      const already = await before();
      if (already > 0) found = await at.penalty(name, already, options);
    }
    return { spent: found.consumedPoints, millisecondsLeft: found.msBeforeNext };
  }

  return {
    store,
    async spend(name, windowSeconds, before) {
      try {
        return await spendAt(limiter, name, windowSeconds, before);
      } catch (error) {
        tell(error);
        return spendAt(own, name, windowSeconds);
      }
    },
    ping,
    close,
  };
}
