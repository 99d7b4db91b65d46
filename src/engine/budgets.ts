/**
 * Budgets: how much of what a key may do within a window of time it has done. One node keeps them in its memory; several nodes share
 * them in PostgreSQL, or in Redis, which takes more requests.
 */
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRedis } from 'rate-limiter-flexible';

/** What has been spent of a budget in its present window, and how long that lasts. */
export type Spent = { readonly spent: number; readonly millisecondsLeft: number };

/** The port. */
export interface Budgets {
  readonly store: 'memory' | 'postgres' | 'redis';
  /**
   * Spends one of the budget of that name, whose window opens with its first spending and lasts `windowSeconds`. Of a window that the
   * store knows nothing of, `before` may say what had been spent already. Never rejects: while the shared store does not answer, this
   * node goes on with a budget of its own, and asks the store again every few seconds.
   */
  consume(name: string, windowSeconds: number, before?: () => Promise<number>): Promise<Spent>;
  /** Whether the shared store answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** What goes wrong with a shared store is told at most this often. */
const troubleEveryMilliseconds = 60_000;
/** How long a spending waits for the shared store, however many answers it needs of it. */
const answerMilliseconds = 1_000;
/** How long a shared store that has failed is left alone, so that requests do not wait for it one after another. */
const retryMilliseconds = 5_000;
const connectionsMax = 4;
const prefix = 'vitrine';

/** A limiter that only counts: what a count means is for the caller to say. */
const counting = { points: Number.MAX_SAFE_INTEGER, duration: 1, keyPrefix: prefix };

/** Keeps budgets where the addresses say; a shared store need not answer yet. `troubled` hears of its failures, once a minute at most. */
export async function openBudgets(
  {
    redisUrl,
    databaseUrl,
  }: { readonly redisUrl: string | undefined; readonly databaseUrl: string | undefined },
  troubled: (error: unknown) => void,
): Promise<Budgets> {
  if (redisUrl !== undefined) return openRedis(redisUrl, troubled);
  if (databaseUrl !== undefined) return openPostgres(databaseUrl, troubled);
  return {
    store: 'memory',
    consume: spendingIn(new RateLimiterMemory(counting)),
    ping: async () => {},
    close: async () => {},
  };
}

async function openRedis(url: string, troubled: (error: unknown) => void): Promise<Budgets> {
  const { Redis } = await import('ioredis');
  const client = new Redis(url, {
    connectionName: 'vitrine',
    connectTimeout: answerMilliseconds,
    commandTimeout: answerMilliseconds,
    // A connection that has gone silent is given up for a new one: without this only after a quarter of an hour.
    socketTimeout: answerMilliseconds,
    maxRetriesPerRequest: 1,
    // What this node has counted for itself meanwhile is not to be counted again.
    autoResendUnfulfilledCommands: false,
  });
  // Told with the spending that fails.
  client.on('error', () => {});
  return {
    store: 'redis',
    consume: sharedSpending(new RateLimiterRedis({ ...counting, storeClient: client }), troubled),
    ping: async () => void (await client.ping()),
    close: async () => client.disconnect(),
  };
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
  return {
    store: 'postgres',
    consume: sharedSpending(limiter, troubled),
    ping: async () => void (await pool.query('SELECT 1')),
    close: () => pool.end(),
  };
}

type Spend = Budgets['consume'];

/** Spends in the shared store, and in this node's memory while that does not answer. */
function sharedSpending(
  limiter: RateLimiterPostgres | RateLimiterRedis,
  troubled: (error: unknown) => void,
): Spend {
  const spendShared = spendingIn(limiter);
  const spendOwn = spendingIn(new RateLimiterMemory(counting));
  let hasFailed = false;
  let nextTry = 0;
  let nextTold = 0;

  function fail(error: unknown): void {
    const now = Date.now();
    hasFailed = true;
    nextTry = now + retryMilliseconds;
    if (now < nextTold) return;
    nextTold = now + troubleEveryMilliseconds;
    troubled(error);
  }

  return async (...spending) => {
    if (hasFailed) {
      if (Date.now() < nextTry) return spendOwn(...spending);
      // This one tries for all.
      nextTry = Date.now() + retryMilliseconds;
    }
    try {
      const spent = await inTime(spendShared(...spending));
      hasFailed = false;
      return spent;
    } catch (error) {
      fail(error);
      return spendOwn(...spending);
    }
  };
}

/** Spends in one store; rejects where that fails. */
function spendingIn(limiter: RateLimiterMemory | RateLimiterPostgres | RateLimiterRedis): Spend {
  const openings = new Map<string, Promise<number>>();

  async function open(
    name: string,
    before: () => Promise<number>,
    options: { customDuration: number },
  ): Promise<number> {
    // Whether the request is answered does not hang on what was spent before.
    const already = await inTime(before()).catch(() => 0);
    if (already > 0) await limiter.penalty(name, already, options);
    return already;
  }

  return async (name, windowSeconds, before) => {
    const options = { customDuration: windowSeconds };
    const { consumedPoints, msBeforeNext } = await limiter.consume(name, 1, options);
    if (before !== undefined && consumedPoints === 1) {
      openings.set(
        name,
        open(name, before, options).finally(() => openings.delete(name)),
      );
    }
    // Whoever comes while the window is being opened waits as well: it would find more left than there is.
    const already = openings.has(name) ? await openings.get(name)! : 0;
    return { spent: consumedPoints + already, millisecondsLeft: msBeforeNext };
  };
}

/** Rejects where the answer takes too long. */
async function inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`no answer within ${answerMilliseconds} ms`)),
    answerMilliseconds,
  );
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
