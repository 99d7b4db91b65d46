/** Opens the stores, serves, and closes all of it in order. */
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { pruneIdempotentRequests } from './access/idempotency.ts';
import { openInstallationKey } from './access/installationKey.ts';
import { pruneLinks } from './access/passwordLinks.ts';
import { pruneOldRecords } from './access/retention.ts';
import { pruneSessions } from './access/sessions.ts';
import { pruneRequests } from './access/usage.ts';
import {
  type Config,
  defaultLimits,
  type Limits,
  type ListeningAddress,
  readPackage,
} from './config.ts';
import { endpoints } from './endpoints/handlers.ts';
import { type BudgetLimits, openBudgets } from './engine/budgets.ts';
import { type Clock, systemClock } from './engine/clock.ts';
import { findDamageRegularly } from './engine/damage.ts';
import { StartRefusal, StoreUnavailable } from './engine/errors.ts';
import { letHeapsGrow } from './engine/heaps.ts';
import { pairStores } from './engine/pairing.ts';
import { QuestionQueue, queued } from './engine/questionQueue.ts';
import type { Registry } from './engine/registry.ts';
import { regularly } from './engine/regularly.ts';
import { missingRights } from './engine/rights.ts';
import { countStoreError } from './engine/storeErrors.ts';
import { traced } from './engine/traced.ts';
import type { Warehouse } from './engine/warehouse.ts';
import { openFiles } from './files/open.ts';
import { restrictToOwner } from './files/ownerOnly.ts';
import { type FileStore, pruneFiles } from './files/store.ts';
import { loggedError } from './http/errors.ts';
import { openLog } from './http/log.ts';
import { buildServer, type ServerDependencies } from './http/server.ts';
import { Importer } from './import/importer.ts';
import { markOwnRates, newestPublishedDay } from './import/storedRates.ts';
import { JobQueue } from './jobs/queue.ts';
import { type Meter, silentMeter } from './observation/meter.ts';
import { silentTracer, type Tracer } from './observation/tracer.ts';
import { wantedFiles } from './report/requestedReports.ts';
import { pruneMessages } from './schedules/mailLimits.ts';
import { pruneRuns, runRegularly } from './schedules/runs.ts';
import { watchRegularly } from './watch/watch.ts';
import { createAnnouncer } from './webhooks/announce.ts';
import { pruneDeliveries } from './webhooks/deliveries.ts';
import { type JobParts, startJobs } from './workers.ts';

const pruneEveryMilliseconds = 10 * 60_000;
/** Longer than the deadline of any question, so that the facts of its snapshot are kept. */
const pruneGraceSeconds = 15 * 60;

/** An import that has run for longer is taken to have lost its process. */
const importMillisecondsMax = 24 * 3_600_000;

/** A running service. */
export type Running = {
  /** The address that it listens on, such as http://127.0.0.1:8080. */
  readonly address: string;
  /** The installation key. */
  readonly secret: string;
  /** Where metrics are served; undefined for nowhere. */
  readonly metricsAddress: string | undefined;
  /** The address of operators alone; undefined where they have none. */
  readonly operatorAddress: string | undefined;
  readonly server: FastifyInstance;
  readonly registry: Registry;
  readonly warehouse: Warehouse;
  readonly importer: Importer;
  readonly files: FileStore;
  /** Says by `/readyz` that the service is about to stop, and lets clients leave politely. */
  drain(): void;
  /** Refuses new requests, finishes the current ones, closes the stores. May be called again. */
  close(): Promise<void>;
};

/** The parts that tests and benchmarks replace. */
export type StartOptions = Pick<ServerDependencies, 'log' | 'now'> &
  Pick<JobParts, 'reports'> & {
    readonly budgetLimits?: BudgetLimits;
    /** Whether the service is ready only when exchange rates have been imported. */
    readonly awaitsRates?: boolean;
  };

/** Starts the service. Rejects, with everything closed, if a store or the port is unavailable. */
export async function start(config: Config, options: StartOptions = {}): Promise<Running> {
  const closers = new Closers();
  try {
    letHeapsGrow();
    restrictToOwner(config.dataFolder);
    const { metricsAddress, ...observers } = await openObservers(config, closers);
    const { meter } = observers;
    const { registry, warehouse, secret } = await openStores(config, observers, closers);
    const { limits } = config;
    const stopping = new AbortController();
    const jobs = new JobQueue(registry);
    const announcer = createAnnouncer(jobs, Date.now, limits.organisationWaitingDeliveries);
    const shared = { registry, warehouse, limits, announcer };
    const importer = new Importer({ ...shared, secret, ...observers });
    const files = await openFiles(config);
    const parts = { registry, warehouse, importer, jobs, files };
    // With an embedded warehouse, no other process can have run meanwhile.
    const startedAt = config.clickhouseUrl === undefined ? Date.now() : undefined;
    const unsettled = startedAt && (await settleEarlier(startedAt, importer, jobs));
    const logs = (text: string) => (error: unknown) => {
      countStoreError(meter, error);
      server.log.error({ error: loggedError(error) }, text);
    };
    const onBudgetError = logs('the shared rate limits are unavailable: this node counts alone');
    const budgets = await openBudgets(config, onBudgetError, options.budgetLimits);
    closers.push(() => budgets.close());
    // Imports whose clients are cut off end before their stores close.
    closers.push(() => importer.settle());
    const server = await buildServer({
      ...options,
      log: options.log ?? (await openLog(config.log)),
      ...parts,
      config: { ...config, secret },
      budgets,
      endpoints,
      limits,
      ...observers,
      stopping: stopping.signal,
      ...(options.awaitsRates === true && {
        hasRates: async () => (await newestPublishedDay(warehouse)) !== undefined,
      }),
    });
    // These end at the same time, so that the time until then is that of the slowest.
    const serving: (() => Promise<unknown>)[] = [() => server.close()];
    closers.push(() => Promise.all(serving.map((close) => close())));
    const onPruneError = logs('pruning failed');
    if (unsettled) onPruneError(unsettled);
    serving.push(pruneRegularly({ ...parts, limits, startedAt }, onPruneError));
    serving.push(findDamageRegularly(parts, server.log, logs('looking for damage failed')));
    const addresses = await listenAt(config, server);
    const { reports } = options;
    const ofJobs = { ...shared, ...parts, server, meter, config: { ...config, secret } };
    if (config.runsJobs) {
      serving.push(startJobs({ ...ofJobs, ...(reports && { reports }) }).close);
      serving.push(watchRegularly(shared, logs('watching the channels failed')));
      serving.push(runRegularly(registry, jobs, logs('the schedules could not be read')));
    }
    const running = { ...addresses, ...parts, secret, metricsAddress, server };
    return { ...running, drain: () => stopping.abort(), close: () => closers.close() };
  } catch (error) {
    await closers.close();
    throw missingRights(error) ?? error;
  }
}

/** Opens and migrates both stores, opens the installation key and checks that they are a pair. */
async function openStores(config: Config, { meter, tracer }: Observers, closers: Closers) {
  const opening = [openRegistry(config), openWarehouse(config, systemClock, meter)] as const;
  for (const opened of await Promise.allSettled(opening)) {
    if (opened.status === 'fulfilled') closers.push(() => opened.value.close());
  }
  const [registry, warehouse] = await Promise.all(opening);
  await Promise.all([registry.migrate(), warehouse.migrate()]);
  const secret = await openInstallationKey(registry, config.secrets, Date.now());
  await pairStores({ registry, warehouse });
  await markOwnRates(registry, warehouse);
  const engines = { registry: registry.engine, warehouse: warehouse.engine };
  meter.gauge('vitrine_build_info', () => [[{ version: readPackage().version, ...engines }, 1]]);
  const watched = tracer === silentTracer ? warehouse : traced(warehouse, tracer);
  return { registry, warehouse: watched, secret };
}

/** The ports that watch the service. */
type Observers = { readonly meter: Meter; readonly tracer: Tracer };

/** The parts of a service that have been opened; closed in the reverse order, and once. */
class Closers {
  readonly #opened: (() => Promise<unknown>)[] = [];
  #closing: Promise<void> | undefined;

  push(close: () => Promise<unknown>): void {
    this.#opened.push(close);
  }

  close(): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  async #closeAll(): Promise<void> {
    for (const close of this.#opened.reverse()) await close();
  }
}

/**
 * Settles the imports and jobs of an earlier process. Returns the error if a store cannot change
 * now: a full disk must not prevent a start, and pruning settles the imports later.
 */
async function settleEarlier(
  startedAt: number,
  importer: Importer,
  jobs: JobQueue,
): Promise<StoreUnavailable | undefined> {
  try {
    await Promise.all([importer.settleInterrupted(startedAt), jobs.releaseAll()]);
    return undefined;
  } catch (error) {
    if (error instanceof StoreUnavailable) return error;
    throw error;
  }
}

/** Opens what is configured of metrics and traces; the libraries of others are not loaded. */
async function openObservers({ metrics, hasTraces }: Config, closers: Closers) {
  let tracer: Tracer = silentTracer;
  if (hasTraces) {
    const { openTracer } = await import('./observation/opentelemetry.ts');
    const sending = openTracer(readPackage().version);
    closers.push(() => sending.close());
    tracer = sending;
  }
  if (metrics === undefined) return { meter: silentMeter, tracer, metricsAddress: undefined };
  const { createMeter, serveMetrics } = await import('./observation/prometheus.ts');
  const meter = createMeter();
  const server = await listen(metrics, 'VITRINE_METRICS', () => serveMetrics(meter, metrics));
  closers.push(() => server.close());
  return { meter, tracer, metricsAddress: server.address };
}

/** Listens at the address of the service, and at that of operators if they have one. */
async function listenAt(
  config: Config,
  server: FastifyInstance,
): Promise<Pick<Running, 'address' | 'operatorAddress'>> {
  const { host, port, operatorAddress: ofOperators } = config;
  // Before the other one, which would answer operators meanwhile.
  const operatorAddress =
    ofOperators &&
    (await listen(ofOperators, 'VITRINE_OPERATOR_ADDRESS', () =>
      server.listenForOperators(ofOperators),
    ));
  const address = await listen(config, 'VITRINE_PORT or VITRINE_HOST', () =>
    server.listen({ host, port }),
  );
  return { address, operatorAddress };
}

/** Listens on an address; `setting` names where it is from. */
async function listen<Answer>(
  { host, port }: ListeningAddress,
  setting: string,
  open: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await open();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE' && code !== 'EACCES' && code !== 'EADDRNOTAVAIL') throw cause;
    const reason = code === 'EADDRINUSE' ? 'another program uses it' : 'the system refuses it';
    throw new StartRefusal(
      `The service cannot listen on port ${port} of ${host}, because ${reason} (${code}): set ${setting}`,
      { cause },
    );
  }
}

type Prunable = Pick<Running, 'registry' | 'warehouse' | 'importer' | 'files'> & {
  readonly jobs: JobQueue;
  readonly limits: Limits;
  /** When this process started; undefined if others import too. */
  readonly startedAt: number | undefined;
};

/**
 * Prunes records, facts and files every ten minutes, on one node at a time, and settles imports
 * whose node has died. Returns the function that stops it.
 */
function pruneRegularly(
  { registry, warehouse, importer, jobs, files, limits, startedAt }: Prunable,
  onError: (error: unknown) => void,
): () => Promise<void> {
  const prune = async () => {
    await pruneIdempotentRequests(registry, Date.now());
    await pruneRequests(registry, Date.now());
    await pruneOldRecords(registry, limits, Date.now());
    await pruneSessions(registry, limits, Date.now());
    await pruneLinks(registry, Date.now());
    await pruneDeliveries(registry, Date.now());
    await pruneRuns(registry, Date.now());
    await pruneMessages(registry, Date.now());
    await jobs.prune();
    await importer.settleInterrupted(startedAt ?? Date.now() - importMillisecondsMax);
    await warehouse.prune(pruneGraceSeconds);
    await pruneFiles(files, Date.now(), (names) => wantedFiles(registry, names));
  };
  return regularly(pruneEveryMilliseconds, () => registry.withLock('prune', prune), onError);
}

type StoreConfig = Pick<Config, 'dataFolder'> & Partial<Pick<Config, 'limits'>>;

/** Opens the configured registry. The driver of the other one is not loaded. */
export async function openRegistry({
  databaseUrl,
  dataFolder,
  limits = defaultLimits,
}: StoreConfig & Pick<Config, 'databaseUrl'>): Promise<Registry> {
  if (databaseUrl !== undefined) {
    const { openPostgres } = await import('./engine/postgres/registry.ts');
    return openPostgres(databaseUrl, {
      connectionsMax: limits.postgresConnections,
      silenceMilliseconds: limits.silenceMilliseconds,
    });
  }
  const { openSqlite } = await import('./engine/sqlite/registry.ts');
  return openSqlite(join(dataFolder, 'registry.sqlite'));
}

/** Readers of DuckDB for a report beside all requests, a backup, and questions that never wait. */
const unqueuedReaders = 5;

type ClickhouseConfig = Pick<
  Config,
  'clickhouseCluster' | 'clickhouseReaderUrl' | 'storeAuthorities'
>;

/**
 * Opens the configured warehouse, with a queue in front of it. The driver of the other one is not
 * loaded.
 */
export async function openWarehouse(
  config: StoreConfig & Pick<Config, 'clickhouseUrl'> & Partial<ClickhouseConfig>,
  clock: Clock = systemClock,
  meter: Meter = silentMeter,
): Promise<Warehouse> {
  const { clickhouseUrl, clickhouseCluster: cluster, dataFolder, limits = defaultLimits } = config;
  const queue = new QuestionQueue(
    {
      runningMax: limits.questions,
      organisationMax: limits.organisationQuestions,
      waitingMax: limits.waitingQuestions,
      waitMilliseconds: limits.questionWaitSeconds * 1000,
    },
    clock,
    meter,
  );
  if (clickhouseUrl !== undefined) {
    const { openClickhouse } = await import('./engine/clickhouse/warehouse.ts');
    const clickhouseLimits = {
      connectionsMax: limits.clickhouseConnections,
      silenceMilliseconds: limits.silenceMilliseconds,
      memoryBytesMax: limits.clickhouseMegabytes * 1_000_000,
      rowsPerPass: limits.clickhousePassRows,
    };
    const staging = join(dataFolder, 'staging');
    const open = openClickhouse(clickhouseUrl, staging, clickhouseLimits, clock, cluster, {
      readerUrls: config.clickhouseReaderUrl,
      authorities: config.storeAuthorities,
    });
    return queued(await open, queue);
  }
  const { openDuckdb } = await import('./engine/duckdb/warehouse.ts');
  const duckdbLimits = {
    memoryMegabytes: limits.duckdbMegabytes,
    readersMax: limits.questions + limits.imports + unqueuedReaders,
  };
  return queued(await openDuckdb(dataFolder, duckdbLimits, clock), queue);
}
