/** Opens the stores, serves, and closes all of it in order. */
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { pruneIdempotentRequests } from './access/idempotency.ts';
import { pruneLinks } from './access/passwordLinks.ts';
import { pruneSessions } from './access/sessions.ts';
import { pruneRequests } from './access/usage.ts';
import type { Config } from './config.ts';
import { endpoints } from './endpoints/handlers.ts';
import { reports as ownReports, type Reports } from './endpoints/reports/create/reports.ts';
import { reportWork } from './endpoints/reports/create/work.ts';
import { openBudgets } from './engine/budgets.ts';
import type { Registry } from './engine/registry.ts';
import type { Warehouse } from './engine/warehouse.ts';
import { openFiles } from './files/open.ts';
import { type FileStore, pruneFiles } from './files/store.ts';
import { loggedError } from './http/errors.ts';
import { buildServer, type ServerDependencies } from './http/server.ts';
import { Importer } from './import/importer.ts';
import { unitCostsWork } from './import/landUnitCosts.ts';
import { JobQueue } from './jobs/queue.ts';
import { unitCostsKind } from './jobs/unitCosts.ts';
import { startWorker } from './jobs/worker.ts';
import { reportJob, wantedFiles } from './report/requestedReports.ts';

const sweepEveryMilliseconds = 10 * 60_000;
/** Longer than any question may take: what a question began with stays until it ends. */
const sweepGraceSeconds = 15 * 60;

/** An import that began longer ago is not on its way any more. */
const importMillisecondsMax = 24 * 3_600_000;

/** Reports that a node computes at a time: more than one organisation may have, so that the others get on as well. */
const reportsMax = 4;
/** Reports of an organisation that are computed at a time, on all nodes together. */
const reportsOfOrganisationMax = 3;

/** A service that takes requests. */
export type Running = {
  /** Where it listens, such as http://127.0.0.1:8080. */
  readonly address: string;
  readonly server: FastifyInstance;
  readonly registry: Registry;
  readonly warehouse: Warehouse;
  readonly importer: Importer;
  readonly files: FileStore;
  /** Takes no more requests, finishes those that are on their way, then closes the stores. A second call waits for the first. */
  close(): Promise<void>;
};

/** What may differ from a plain start. */
export type StartOptions = Pick<ServerDependencies, 'log' | 'now'> & Pick<JobParts, 'reports'>;

/** Starts the service; rejects, with everything closed again, where a store or the port is not to be had. */
export async function start(config: Config, options: StartOptions = {}): Promise<Running> {
  // What has been opened is closed in the opposite order.
  const closers: (() => Promise<unknown>)[] = [];
  const closeAll = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    // Side by side, because each waits for its store most of the time.
    const opening = [openRegistry(config), openWarehouse(config)] as const;
    for (const opened of await Promise.allSettled(opening)) {
      if (opened.status === 'fulfilled') closers.push(() => opened.value.close());
    }
    const [registry, warehouse] = await Promise.all(opening);
    await Promise.all([registry.migrate(), warehouse.migrate()]);
    const importer = new Importer({ registry, warehouse, secret: config.secret });
    const jobs = new JobQueue(registry);
    const files = await openFiles(config);
    // Only an embedded warehouse is sure to have had no other process at work meanwhile.
    if (config.clickhouseUrl === undefined)
      await Promise.all([importer.settleInterrupted(Date.now()), jobs.releaseAll()]);
    const budgets = await openBudgets(config, (error) =>
      server.log.error(
        { error: loggedError(error) },
        'the shared budgets of keys are out of reach: this node counts for itself',
      ),
    );
    closers.push(() => budgets.close());
    const server = await buildServer({
      ...options,
      config,
      registry,
      warehouse,
      budgets,
      jobs,
      files,
      importer,
      endpoints,
    });
    closers.push(() => server.close());
    const failed = (error: unknown) =>
      server.log.error({ error: loggedError(error) }, 'the sweep failed');
    closers.push(sweepRegularly({ registry, warehouse, importer, jobs, files }, failed));
    const address = await server.listen({ host: config.host, port: config.port });
    closers.push(
      startJobs({
        jobs,
        registry,
        warehouse,
        importer,
        files,
        server,
        ...(options.reports && { reports: options.reports }),
      }).close,
    );
    let closing: Promise<void> | undefined;
    const close = () => {
      closing ??= closeAll();
      return closing;
    };
    return { address, server, registry, warehouse, importer, files, close };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

type Swept = Pick<Running, 'registry' | 'warehouse' | 'importer' | 'files'> & {
  readonly jobs: JobQueue;
};

/**
 * Forgets calls that are no longer repeated, requests that are no longer shown, sessions and links that have ended, jobs that are long
 * over and their files, settles imports whose node has died and frees what imports have replaced, on one node at a time. Returns what
 * ends it.
 */
function sweepRegularly(
  { registry, warehouse, importer, jobs, files }: Swept,
  failed: (error: unknown) => void,
): () => Promise<void> {
  let sweeping: Promise<void> | undefined;
  const timer = setInterval(() => {
    sweeping ??= registry
      .withLock('sweep', async () => {
        await pruneIdempotentRequests(registry, Date.now());
        await pruneRequests(registry, Date.now());
        await pruneSessions(registry, Date.now());
        await pruneLinks(registry, Date.now());
        await jobs.prune();
        await importer.settleInterrupted(Date.now() - importMillisecondsMax);
        await warehouse.prune(sweepGraceSeconds);
        await pruneFiles(files, Date.now(), (names) => wantedFiles(registry, names));
      })
      .catch(failed)
      .finally(() => {
        sweeping = undefined;
      });
  }, sweepEveryMilliseconds);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await sweeping;
  };
}

/** What the workers need. */
export type JobParts = Pick<Running, 'registry' | 'warehouse' | 'importer' | 'files' | 'server'> & {
  readonly jobs: JobQueue;
  /** The kinds of reports; the service's own by default. */
  readonly reports?: Reports;
};

/** Starts the workers of this process. Imports have their own, so that long reports delay none. */
export function startJobs({
  jobs,
  reports = ownReports,
  server,
  importer,
  ...stores
}: JobParts): Pick<Running, 'close'> {
  const onError = (error: unknown, text: string) =>
    server.log.error({ error: loggedError(error) }, text);
  const workers = [
    startWorker({
      queue: jobs,
      works: { [unitCostsKind]: unitCostsWork(stores.registry, importer) },
      onError,
    }),
    startWorker({
      queue: jobs,
      works: { [reportJob]: reportWork({ ...stores, reports }) },
      onError,
      runningMax: reportsMax,
      organisationMax: reportsOfOrganisationMax,
    }),
  ];
  return {
    async close() {
      await Promise.all(workers.map((worker) => worker.close()));
    },
  };
}

/** Closes on SIGTERM and SIGINT; a second signal ends the process at once. */
export function closeOnSignals(running: Pick<Running, 'close'>): void {
  let isClosing = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (isClosing) process.exit(1);
      isClosing = true;
      running.close().then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(error);
          process.exit(1);
        },
      );
    });
  }
}

/** Opens the registry that the configuration names. The driver that is not used costs no time at the start. */
export async function openRegistry({
  databaseUrl,
  dataFolder,
}: Pick<Config, 'databaseUrl' | 'dataFolder'>): Promise<Registry> {
  if (databaseUrl !== undefined)
    return (await import('./engine/postgres/registry.ts')).openPostgres(databaseUrl);
  return (await import('./engine/sqlite/registry.ts')).openSqlite(
    join(dataFolder, 'registry.sqlite'),
  );
}

/** Opens the warehouse that the configuration names. */
export async function openWarehouse({
  clickhouseUrl,
  dataFolder,
}: Pick<Config, 'clickhouseUrl' | 'dataFolder'>): Promise<Warehouse> {
  if (clickhouseUrl !== undefined)
    return (await import('./engine/clickhouse/warehouse.ts')).openClickhouse(
      clickhouseUrl,
      join(dataFolder, 'staging'),
    );
  return (await import('./engine/duckdb/warehouse.ts')).openDuckdb(dataFolder);
}
