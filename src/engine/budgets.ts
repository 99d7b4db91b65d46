/**
 * Budgets count the requests of a key within a window of time. A single node keeps them in memory;
 * several nodes share them in PostgreSQL, or in Redis for more requests per second.
 */
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRedis } from 'rate-limiter-flexible';
import { type Clock, systemClock } from './clock.ts';

/** How much of a budget is consumed in its current window, and how long the window lasts. */
export type Spent = { readonly spent: number; readonly millisecondsLeft: number };

/** The port. */
export interface Budgets {
  readonly store: 'memory' | 'postgres' | 'redis';
  /**
   * Consumes one request of a budget. Its window opens with the first request and lasts
   * `windowSeconds`. When a window opens, `before` returns what earlier requests have consumed.
   * Never rejects for a failing shared store: this node then counts alone, and tries the store
   * again every few seconds.
   */
  consume(name: string, windowSeconds: number, before?: () => Promise<number>): Promise<Spent>;
  /** Gives one request back to a budget, except the one that opened its window. */
  refund(name: string): Promise<void>;
  /** How many requests of a budget its current window has counted; 0 without a window. */
  read(name: string): Promise<number>;
  /** Resolves if the shared store answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** The shortest time between two reports of a failing shared store. */
const reportMilliseconds = 60_000;
/** How long a failed store is not tried, so that requests need not wait for it. */
const retryMilliseconds = 5_000;
const connectionsMax = 4;
const prefix = 'vitrine';

/** How patient a node is with its shared store. */
export type BudgetLimits = {
  /** How long one call of `consume` waits for the shared store in total. */
  readonly answerMilliseconds: number;
};

/** The default limits. */
export const budgetLimits: BudgetLimits = { answerMilliseconds: 500 };

/** The limiter only counts; the caller compares the count with its limit. */
const counting = { points: Number.MAX_SAFE_INTEGER, duration: 1, keyPrefix: prefix };

/** Where budgets are shared: Redis, PostgreSQL, or nowhere. */
export type BudgetStore = {
  readonly redisUrl: string | undefined;
  readonly databaseUrl: string | undefined;
  /** The only trusted certificates for Redis, in PEM; those of Node.js by default. */
  readonly storeAuthorities?: string | undefined;
};

/**
 * Opens the configured store, which need not answer yet. `onError` is called with its failures, at
 * most once a minute.
 */
export async function openBudgets(
  { redisUrl, databaseUrl, storeAuthorities }: BudgetStore,
  onError: (error: unknown) => void,
  { answerMilliseconds }: BudgetLimits = budgetLimits,
  clock: Clock = systemClock,
): Promise<Budgets> {
  const waiting: Waiting = { answerMilliseconds, clock };
  if (redisUrl !== undefined) return openRedis(redisUrl, storeAuthorities, onError, waiting);
  if (databaseUrl !== undefined) return openPostgres(databaseUrl, onError, waiting);
  return {
    store: 'memory',
    ...countIn(new RateLimiterMemory(counting), waiting),
    ping: async () => {},
    close: async () => {},
  };
}

type Waiting = BudgetLimits & { readonly clock: Clock };

async function openRedis(
  url: string,
  authorities: string | undefined,
  onError: (error: unknown) => void,
  waiting: Waiting,
): Promise<Budgets> {
  const { answerMilliseconds } = waiting;
  const { Redis } = await import('ioredis');
  const client = new Redis(url, {
    connectionName: 'vitrine',
    ...(authorities && url.startsWith('rediss://') && { tls: { ca: authorities } }),
    connectTimeout: answerMilliseconds,
    // Ends a silent connection and its commands; the system would take a quarter of an hour.
    socketTimeout: answerMilliseconds,
    // If its connection fails, a command fails, and this node counts the request itself.
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
  });
  // The failing call reports the error.
  client.on('error', () => {});
  const limiter = new RateLimiterRedis({ ...counting, storeClient: client });
  return {
    store: 'redis',
    ...countShared(limiter, onError, waiting),
    ping: async () => void (await client.ping()),
    close: async () => client.disconnect(),
  };
}

async function openPostgres(
  url: string,
  onError: (error: unknown) => void,
  waiting: Waiting,
): Promise<Budgets> {
  const { answerMilliseconds } = waiting;
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'vitrine budgets',
    max: connectionsMax,
    connectionTimeoutMillis: answerMilliseconds,
    query_timeout: answerMilliseconds,
    // Losing the last half second of counts is better than a wait for the disk per request.
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
    ...countShared(limiter, onError, waiting),
    ping: async () => void (await pool.query('SELECT 1')),
    close: () => pool.end(),
  };
}

type Counter = Pick<Budgets, 'consume' | 'refund' | 'read'>;

/** Counts in the shared store, or in this node's memory while the store does not answer. */
function countShared(
  limiter: RateLimiterPostgres | RateLimiterRedis,
  onError: (error: unknown) => void,
  waiting: Waiting,
): Counter {
  const { clock } = waiting;
  const remote = countIn(limiter, waiting);
  const alone = countIn(new RateLimiterMemory(counting), waiting);
  let hasFailed = false;
  let nextTry = 0;
  let nextReport = 0;

  function fail(error: unknown): void {
    const now = clock.now();
    hasFailed = true;
    nextTry = now + retryMilliseconds;
    if (now < nextReport) return;
    nextReport = now + reportMilliseconds;
    onError(error);
  }

  async function ask<Answer>(call: (counter: Counter) => Promise<Answer>): Promise<Answer> {
    if (hasFailed) {
      if (clock.now() < nextTry) return call(alone);
      // Only this request tries the store; the others do not wait.
      nextTry = clock.now() + retryMilliseconds;
    }
    try {
      const answer = await inTime(call(remote), waiting);
      hasFailed = false;
      return answer;
    } catch (error) {
      fail(error);
      return call(alone);
    }
  }

  return {
    consume: (...request) => ask((counter) => counter.consume(...request)),
    refund: (name) => ask((counter) => counter.refund(name)),
    read: (name) => ask((counter) => counter.read(name)),
  };
}

/** Counts in one store; rejects if the store fails. */
function countIn(
  limiter: RateLimiterMemory | RateLimiterPostgres | RateLimiterRedis,
  waiting: Waiting,
): Counter {
  const openings = new Map<string, Promise<number>>();

  async function open(
    name: string,
    before: () => Promise<number>,
    options: { customDuration: number },
  ): Promise<number> {
    // A request is answered even if earlier consumption cannot be read.
    const already = await inTime(before(), waiting).catch(() => 0);
    if (already > 0) await limiter.penalty(name, already, options);
    return already;
  }

  const consume: Counter['consume'] = async (name, windowSeconds, before) => {
    const options = { customDuration: windowSeconds };
    const { consumedPoints, msBeforeNext } = await limiter.consume(name, 1, options);
    if (before !== undefined && consumedPoints === 1) {
      openings.set(
        name,
        open(name, before, options).finally(() => openings.delete(name)),
      );
    }
    const opening = openings.get(name);
    if (opening === undefined) return { spent: consumedPoints, millisecondsLeft: msBeforeNext };
    // Requests wait until the window is open: otherwise they would find too much of the budget
    // left.
    const spent = consumedPoints + (await opening);
    // Another request's count may include the earlier consumption, so it never exceeds the total.
    const total = consumedPoints === 1 ? spent : (await limiter.get(name))?.consumedPoints;
    return { spent: Math.min(spent, total ?? spent), millisecondsLeft: msBeforeNext };
  };
  const read: Counter['read'] = async (name) => (await limiter.get(name))?.consumedPoints ?? 0;
  return {
    consume,
    read,
    async refund(name) {
      // If no request came meanwhile, a window would open again and count the earlier requests
      // twice.
      if ((await read(name)) > 1) await limiter.reward(name, 1);
    },
  };
}

/** Rejects if the answer takes too long. */
async function inTime<Answer>(
  answer: Promise<Answer>,
  { answerMilliseconds, clock }: Waiting,
): Promise<Answer> {
  const late = Promise.withResolvers<never>();
  const timer = clock.after(answerMilliseconds, () =>
    late.reject(new Error(`no answer within ${answerMilliseconds} ms`)),
  );
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    timer.cancel();
  }
}
