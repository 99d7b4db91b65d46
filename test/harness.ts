/** A server over fresh stores, for tests that send it requests by `inject`. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { PasswordCost } from '../src/access/passwords.ts';
import { type Config, defaultLimits, type Limits, type SmtpSettings } from '../src/config.ts';
import type { AnyEndpoint, ServiceConfig } from '../src/endpoints/handler.ts';
import { endpoints } from '../src/endpoints/handlers.ts';
import type { Reports } from '../src/endpoints/reports/create/reports.ts';
import { type Budgets, openBudgets } from '../src/engine/budgets.ts';
import type { Registry } from '../src/engine/registry.ts';
import type { Warehouse } from '../src/engine/warehouse.ts';
import { openFiles } from '../src/files/open.ts';
import type { FileStore } from '../src/files/store.ts';
import { buildServer, type ServerDependencies } from '../src/http/server.ts';
import { Importer } from '../src/import/importer.ts';
import { JobQueue } from '../src/jobs/queue.ts';
import { openRegistry, openWarehouse } from '../src/main.ts';
import { createAnnouncer } from '../src/webhooks/announce.ts';
import { startJobs } from '../src/workers.ts';
import { HandClock, standingClock } from './clock.ts';
import { atEnd } from './endings.ts';
import { level, oneIn, testDepth } from './level.ts';
import { acquireStores, copyEmbeddedStores } from './servers/pool.ts';
import { temporaryRoot } from './servers/process.ts';
import type { ServerAddresses } from './servers/shared.ts';

/** Two stores that are run together: DuckDB with SQLite, or ClickHouse with PostgreSQL. */
export type Pair = 'embedded' | 'served';

/** The pairs that tests run on: both, or the one of VITRINE_TEST_PAIRS. */
export const pairs: readonly Pair[] = (['embedded', 'served'] as const).filter(
  (pair) => pair === (level === 'fast' ? 'embedded' : (process.env.VITRINE_TEST_PAIRS ?? pair)),
);

/** Both stores, open, empty and migrated, and the budgets of keys. */
export type Stores = {
  readonly pair: Pair;
  /** Absolute path of the folder of whatever is embedded. */
  readonly dataFolder: string;
  readonly registry: Registry;
  readonly warehouse: Warehouse;
  readonly budgets: Budgets;
  /** The address of ClickHouse, if the stores are served. */
  readonly clickhouseUrl: string | undefined;
  /** Closes them and removes their contents. */
  close(): Promise<void>;
};

/** An answer of the server. */
// biome-ignore lint/suspicious/noExplicitAny: each test states the shape that it expects.
export type Answer<Body = any> = {
  readonly status: number;
  readonly body: Body;
  readonly headers: Readonly<Record<string, unknown>>;
};

/** The methods of requests. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The settings of a channel, as the operator states them. */
export type ChannelSettings = {
  merchantId: string;
  marketplace: string;
  kind: 'seller' | 'vendor';
  countryCode: string;
  displayName: string;
  currency: string;
  timezone: string;
  hasAdvertisingConnected: boolean;
  pricesIncludeTax?: 0 | 1;
};

/** An organisation with one owner, the owner's key and one channel. */
export type Tenant = {
  readonly organisationId: string;
  readonly userId: string;
  readonly keyId: string;
  readonly key: string;
  readonly channelId: string;
  readonly merchantId: string;
};

/** The settings of a tenant. */
export type TenantSettings = {
  readonly organisation?: Readonly<Record<string, unknown>>;
  readonly channelId?: string;
  readonly channel?: Partial<ChannelSettings>;
  readonly limits?: { perSecond?: number; burst?: number; perDay?: number };
};

/** A server over stores of its own. */
export type World = Stores & {
  readonly server: FastifyInstance;
  /**
   * Starts another node over the same stores, with a connection of its own to a served warehouse.
   * It ends with the world.
   */
  node(limits?: Partial<Limits>): Promise<FastifyInstance>;
  /** The token of the operator API. */
  readonly operatorToken: string;
  readonly importer: Importer;
  readonly jobs: JobQueue;
  readonly files: FileStore;
  /** The server's clock, in epoch milliseconds; a test may set it. */
  readonly clock: { now: number };
  /** The server's timers, which fire when a test moves this clock. */
  readonly timers: HandClock;
  /** The server's log, one line per entry. */
  readonly logLines: string[];
  /**
   * Notes that the world has something that concerns all tenants, so that no other suite gets it.
   */
  spoil(): void;
  /** Whether another suite may use the world: it only has tenants. */
  isSpoilt(): boolean;
  /** Sends a request to the operator's interface with the right token. */
  operator(method: Method, path: string, body?: unknown): Promise<Answer>;
  /** Sends a request to the operator's interface and expects 200; returns the body. */
  // biome-ignore lint/suspicious/noExplicitAny: each test states the shape that it expects.
  operate(method: Method, path: string, body?: unknown): Promise<any>;
  /** Sends a request to the public interface, with a key or without one. */
  ask(
    key: string | undefined,
    method: Method,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  /** Like `ask`, but to a node that caches nothing, so that questions find every answer. */
  askUncached: World['ask'];
  /** Makes an organisation with an owner, a key and a channel in one call. */
  tenant(settings?: TenantSettings): Promise<Tenant>;
  /** Connects one more channel of an organisation, or changes it; returns its identifier. */
  channel(
    organisationId: string,
    channelId: string,
    settings?: Partial<ChannelSettings>,
  ): Promise<string>;
};

/** Facts of all tenants, such as exchange rates, in worlds that suites share by the name. */
export type Beginning = { readonly name: string; prepare(world: World): Promise<unknown> };

/** The options for opening a world. */
export type WorldOptions = {
  /**
   * Whether the tests read lists that must show no other tenant; such a world is for them alone.
   */
  readonly isOwn?: true;
  /** Facts that the world has from its beginning; suites that begin with the same share it. */
  readonly begins?: Beginning;
  /** The public interface; the operator interface and the account pages are always there. */
  readonly endpoints?: readonly AnyEndpoint[];
  readonly logLevel?: string;
  /** Puts something between the server and its warehouse, to watch it or to have it fail. */
  readonly between?: (warehouse: Warehouse) => Warehouse;
  /** Reports to offer instead of the service's own. */
  readonly reports?: Reports;
  /** The server that takes e-mails; none by default. */
  readonly mail?: SmtpSettings;
  /** Where the files of reports lie instead of the data folder. */
  readonly files?: FileStore;
  /** Configuration that differs from the default. */
  readonly config?: Partial<Omit<ServiceConfig, 'dataFolder'>>;
  /** Limits that differ from the default. */
  readonly limits?: Partial<Limits>;
};

/** Longer than anything takes, even on a slow machine. */
const slowestMilliseconds = 15 * 60_000;
const conditionPollMilliseconds = 10;

/** When the clock of a world starts: 2026-01-15T12:00:00Z, in epoch milliseconds. */
export const clockStart = Date.UTC(2026, 0, 15, 12);

/** The cost of passwords in tests, which make hundreds; the service's takes 30 ms. */
export const cheapPasswords: PasswordCost = { memory: 64, passes: 1, parallelism: 1 };

const operatorToken = 'operator-token-of-the-tests';
const config: Omit<ServiceConfig, 'dataFolder'> = {
  secret: 'secret-of-the-tests',
  environment: 'production',
  operatorTokens: [operatorToken],
  publicUrl: 'http://vitrine.test',
  contact: undefined,
  trustedProxies: [],
  origins: undefined,
  webhooks: { allowsHttp: true, networks: ['127.0.0.0/8'] },
  requiresSecondFactor: false,
  breachedPasswords: undefined,
  mailDomains: undefined,
  host: '127.0.0.1',
  passwordCost: cheapPasswords,
};

/**
 * Opens both stores of a pair, migrated and empty. The warehouse goes by the clock, whose standing
 * still means that no deadline passes on a slow machine.
 */
export async function openStores(pair: Pair, clock = standingClock()): Promise<Stores> {
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const one of closers.splice(0).reverse()) await one();
  };
  try {
    const dataFolder = await mkdtemp(join(await temporaryRoot(), 'vitrine-test-'));
    closers.push(() => rm(dataFolder, { recursive: true, force: true }));
    let urls: Urls = { databaseUrl: undefined, clickhouseUrl: undefined };
    if (pair === 'served') {
      const pooled = await acquireStores((made) => migrate({ ...urlsOf(made), dataFolder }));
      closers.push(() => pooled.release());
      urls = urlsOf(pooled);
    } else {
      await copyEmbeddedStores(dataFolder, (made) => migrate({ ...urls, dataFolder: made }));
    }
    const config = { ...urls, dataFolder, limits: patient };
    const registry = await openRegistry(config);
    closers.push(() => registry.close());
    const warehouse = await openWarehouse(config, clock);
    closers.push(() => warehouse.close());
    const budgets = await openBudgets(
      { databaseUrl: urls.databaseUrl, redisUrl: undefined },
      (error) => assert.fail(String(error)),
      { answerMilliseconds: slowestMilliseconds },
    );
    closers.push(() => budgets.close());
    const { clickhouseUrl } = urls;
    return { pair, dataFolder, registry, warehouse, budgets, close, clickhouseUrl };
  } catch (error) {
    await close();
    throw error;
  }
}

/** On a busy machine servers may be silent for long, and a standing clock must not skip that. */
const patient: Limits = { ...defaultLimits, silenceMilliseconds: slowestMilliseconds / 2 };

type Urls = Pick<Config, 'databaseUrl' | 'clickhouseUrl'>;

function urlsOf({ postgresUrl, clickhouseUrl }: ServerAddresses): Urls {
  return { databaseUrl: postgresUrl, clickhouseUrl };
}

async function migrate(config: Urls & Pick<Config, 'dataFolder'>): Promise<void> {
  const registry = await openRegistry(config);
  await registry.migrate();
  await registry.close();
  const warehouse = await openWarehouse(config);
  await warehouse.migrate();
  await warehouse.close();
}

/** Records that no tenant has. */
const ofInstallation = /^\/operator\/(?:financeCodes|operators|imports\/exchangeRates)\b/;

const isPublic = ({ contract }: AnyEndpoint) => contract.access === 'key';

/** A public interface together with the operator interface and the account pages. */
function withInterfaces(
  publicEndpoints: readonly AnyEndpoint[] | undefined,
): readonly AnyEndpoint[] {
  if (publicEndpoints === undefined) return endpoints;
  return [...publicEndpoints.filter(isPublic), ...endpoints.filter((one) => !isPublic(one))];
}

/** Builds a world over fresh stores. */
export async function openWorld(pair: Pair, options: WorldOptions = {}): Promise<World> {
  const stores = await openStores(pair);
  const clock = { now: clockStart };
  const timers = new HandClock();
  const logLines: string[] = [];
  const { registry, budgets, dataFolder } = stores;
  const warehouse = options.between?.(stores.warehouse) ?? stores.warehouse;
  const limits = { ...defaultLimits, ...options.limits };
  const jobs = new JobQueue(registry);
  const waitingMax = options.limits?.organisationWaitingDeliveries;
  const announcer = createAnnouncer(jobs, Date.now, waitingMax);
  const importer = new Importer({
    registry,
    warehouse,
    secret: config.secret,
    limits,
    now: () => clock.now,
    announcer,
  });
  const files = options.files ?? (await openFiles({ dataFolder, reportStore: undefined }));
  const dependencies: ServerDependencies = {
    config: { ...config, ...options.config, dataFolder },
    registry,
    warehouse,
    budgets,
    jobs,
    files,
    importer,
    endpoints: withInterfaces(options.endpoints),
    now: () => clock.now,
    after: timers.after,
    limits,
    log: {
      level: options.logLevel ?? 'info',
      stream: { write: (line) => void logLines.push(line) },
    },
  };
  const server = await buildServer(dependencies);
  const timersStart = timers.now();
  let isSpoilt = false;
  const closers: (() => Promise<unknown>)[] = [];
  const { reports } = options;
  const worker = startJobs({
    jobs,
    registry,
    warehouse,
    importer,
    files,
    server,
    announcer,
    config: { ...dependencies.config, mail: options.mail },
    // Tests call nobody else.
    resolve: async (host) => assert.fail(`there is no ${host} in tests`),
    ...(reports && { reports }),
  });

  async function inject(
    method: Method,
    url: string,
    body: unknown,
    headers: Record<string, string>,
    node = server,
  ): Promise<Answer> {
    if (method !== 'GET' && ofInstallation.test(url)) isSpoilt = true;
    const isText = typeof body === 'string' || Buffer.isBuffer(body);
    const response = await node.inject({
      method,
      url,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { payload: isText ? body : JSON.stringify(body) }),
    });
    const isJson = String(response.headers['content-type'] ?? '').startsWith('application/json');
    return {
      status: response.statusCode,
      body: isJson ? JSON.parse(response.body) : response.body,
      headers: response.headers,
    };
  }

  async function node(ofNode: Partial<Limits> = {}) {
    const { clickhouseUrl } = stores;
    const own =
      clickhouseUrl === undefined
        ? warehouse
        : await openWarehouse({ clickhouseUrl, dataFolder, limits: patient }, standingClock());
    const parts = { warehouse: own, limits: { ...limits, ...ofNode } };
    const another = await buildServer({ ...dependencies, ...parts });
    closers.push(() => another.close(), ...(own === warehouse ? [] : [() => own.close()]));
    return another;
  }
  let uncached: Promise<FastifyInstance> | undefined;
  const withKey = (key: string | undefined, headers = {}) =>
    key === undefined ? headers : { 'x-api-key': key, ...headers };

  const operator: World['operator'] = (method, path, body) =>
    inject(method, path, body, { authorization: `Bearer ${operatorToken}` });

  const operate: World['operate'] = async (method, path, body) => {
    const answer = await operator(method, path, body);
    assert.equal(answer.status, 200, `${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };

  const channel: World['channel'] = async (organisationId, channelId, settings = {}) => {
    const body = { organisationId, ...channelDefaults, ...settings };
    await operate('PUT', `/operator/channels/${encodeURIComponent(channelId)}`, body);
    return channelId;
  };

  const world: World = {
    ...stores,
    server,
    node,
    operatorToken,
    importer,
    jobs,
    files,
    clock,
    timers,
    logLines,
    spoil: () => {
      isSpoilt = true;
    },
    isSpoilt: () => isSpoilt || clock.now !== clockStart || timers.now() !== timersStart,
    operator,
    operate,
    ask: (key, method, path, body, headers) => inject(method, path, body, withKey(key, headers)),
    async askUncached(key, method, path, body, headers) {
      uncached ??= node({ workingSetMegabytes: 0, segmentsMegabytes: 0 });
      return await inject(method, path, body, withKey(key, headers), await uncached);
    },
    channel,
    async tenant(settings = {}) {
      const { organisationId } = await operate('POST', '/operator/organisations', {
        name: 'Acme',
        ...settings.organisation,
      });
      const email = `owner-${randomUUID()}@example.com`;
      const owner = { organisationId, email, role: 'owner' };
      const { userId } = await operate('POST', '/operator/users', owner);
      const limits = { ...hardlyLimited, ...settings.limits };
      const { keyId, key } = await operate('POST', '/operator/keys', { userId, limits });
      const { channelId = randomUUID() } = settings;
      await channel(organisationId, channelId, settings.channel);
      const { merchantId } = { ...channelDefaults, ...settings.channel };
      return { organisationId, userId, keyId, key, channelId, merchantId };
    },
    async close() {
      await worker.close();
      for (const one of closers) await one();
      await server.close();
      await stores.close();
    },
  };
  await options.begins?.prepare(world);
  isSpoilt = false;
  return world;
}

/**
 * How often a test of random facts tries on a pair of stores: in proportion to the depth of the
 * run, or `normal` times at the normal level.
 */
export function triesOn(
  { pair }: Pick<World, 'pair'>,
  tries: { readonly embedded: number; readonly served: number; readonly normal?: number },
): number {
  const isNormal = level === 'normal' && process.env.VITRINE_TEST_DEPTH === undefined;
  return (isNormal ? tries.normal : undefined) ?? Math.ceil(tries[pair] * testDepth);
}

/**
 * The cases to run on a pair of stores. All cases test the same question, so the served pair and
 * fast tests run one in `every`; deep tests run all.
 */
export function casesOn<Case>(
  { pair }: Pick<World, 'pair'>,
  cases: readonly Case[],
  every: number,
): readonly Case[] {
  const runsAll = level === 'deep' || (pair === 'embedded' && level === 'normal');
  return runsAll ? cases : oneIn(every, cases);
}

/** The directions to sort a column in: both in deep tests, otherwise one, by the column's place. */
export function directionsOf(place: number): readonly ('asc' | 'desc')[] {
  if (level === 'deep') return ['asc', 'desc'];
  return place % 2 === 0 ? ['asc'] : ['desc'];
}

/** High limits, because tests send requests faster than clients; tests of limits set their own. */
export const hardlyLimited = { perSecond: 1_000_000, burst: 1_000_000, perDay: 1_000_000_000 };

/** The settings of the channels of tenants. */
export const channelDefaults: ChannelSettings = {
  merchantId: 'A1MERCHANT @ ATVPDKIKX0DER',
  marketplace: 'primarymkt',
  kind: 'seller',
  countryCode: 'US',
  displayName: 'Acme US',
  currency: 'USD',
  timezone: 'America/Los_Angeles',
  hasAdvertisingConnected: true,
};

type Define = (world: () => World, pair: Pair) => void;
type Suite = (name: string, define: Define, options?: WorldOptions) => void;
type Run = (world: World) => Promise<void>;
type WorldTest = (name: string, run: Run, options?: WorldOptions) => void;

/** A suite that runs on both pairs of stores; its world is there once the tests run. */
export const onEachPair: Suite = (name, define, options = {}) => {
  for (const pair of pairs) suite(pair, name, define, options);
};

/**
 * A suite that needs one pair of stores only, because a smaller test compares both pairs or because
 * no store is involved. It runs on the embedded pair; deep tests run it on both.
 */
export const onOnePair: Suite = (name, define, options = {}) => {
  for (const pair of pairs) if (takesPart(pair)) suite(pair, name, define, options);
};

/** Like `onOnePair`, for suites that recompute or compare random facts. A fast run skips them. */
export const onRandomFacts: Suite = level === 'fast' ? () => undefined : onOnePair;

/** Returns a `test` that runs on one pair of stores only, or on both in deep tests. */
export function testOnOnePair(pair: Pair): (name: string, run: () => Promise<void>) => void {
  return (name, run) => {
    if (takesPart(pair)) test(name, run);
  };
}

/** A test that runs on both pairs of stores. */
export const eachPair: WorldTest = (name, run, options = {}) => {
  for (const pair of pairs) testInWorld(pair, name, run, options);
};

/** A test for which one pair of stores is enough. */
export const onePair: WorldTest = (name, run, options = {}) => {
  for (const pair of pairs) if (takesPart(pair)) testInWorld(pair, name, run, options);
};

/** The address of a world's server, which listens on this machine from the first call on. */
export async function addressOf({ server }: World): Promise<string> {
  const listening = server.server.address() as AddressInfo | null;
  if (listening !== null) return `http://127.0.0.1:${listening.port}`;
  return await server.listen({ host: '127.0.0.1', port: 0 });
}

/** Waits until a condition holds; fails after a time that is ample even on a slow machine. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const giveUp = performance.now() + slowestMilliseconds;
  while (!(await holds())) {
    assert.ok(performance.now() < giveUp, 'what was waited for has not happened');
    await delay(conditionPollMilliseconds);
  }
}

/** Whether suites that one pair of stores is enough for run on a pair. */
export function takesPart(pair: Pair): boolean {
  return pair === 'embedded' || level === 'deep';
}

function suite(pair: Pair, name: string, define: Define, options: WorldOptions): void {
  describe(`${name} (${pair})`, () => {
    let world: World | undefined;
    before(async () => {
      world = await takeWorld(pair, options);
    });
    after(async () => {
      if (world) await releaseWorld(world, options);
    });
    define(() => world!, pair);
  });
}

/** The worlds of this process that no suite uses at the moment, by their pairs and beginnings. */
const idle = new Map<string, World>();

const keyOf = (pair: Pair, { begins }: WorldOptions) => `${pair} ${begins?.name ?? ''}`;

atEnd(async () => {
  for (const world of idle.values()) await world.close();
});

/**
 * A world for a suite: opening one costs more than most tests do, so suites without other options
 * than a beginning follow one another in the same world, each with tenants of its own.
 */
async function takeWorld(pair: Pair, options: WorldOptions): Promise<World> {
  const world = isShared(options) ? idle.get(keyOf(pair, options)) : undefined;
  if (world === undefined) return await openWorld(pair, options);
  idle.delete(keyOf(pair, options));
  world.logLines.length = 0;
  return world;
}

async function releaseWorld(world: World, options: WorldOptions): Promise<void> {
  const key = keyOf(world.pair, options);
  if (!isShared(options) || world.isSpoilt() || idle.has(key)) await world.close();
  else idle.set(key, world);
}

const isShared = (options: WorldOptions) => Object.keys(options).every((name) => name === 'begins');

function testInWorld(pair: Pair, name: string, run: Run, options: WorldOptions): void {
  test(`${name} (${pair})`, async () => {
    const world = await takeWorld(pair, options);
    try {
      await run(world);
    } finally {
      await releaseWorld(world, options);
    }
  });
}
