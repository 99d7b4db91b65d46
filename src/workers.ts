/** The workers of a process: what does the jobs of each kind. */
import type { FastifyInstance } from 'fastify';
import { type Config, defaultLimits, type Limits } from './config.ts';
import type { ServiceConfig } from './endpoints/handler.ts';
import { reports as ownReports, type Reports } from './endpoints/reports/create/reports.ts';
import { reportWork } from './endpoints/reports/create/work.ts';
import { scheduledOperation } from './endpoints/schedules/operations.ts';
import { systemClock } from './engine/clock.ts';
import type { Registry } from './engine/registry.ts';
import { countStoreError } from './engine/storeErrors.ts';
import type { Warehouse } from './engine/warehouse.ts';
import type { FileStore } from './files/store.ts';
import { loggedError } from './http/errors.ts';
import type { Importer } from './import/importer.ts';
import { unitCostsJob } from './import/unitCostsJob.ts';
import type { JobQueue } from './jobs/queue.ts';
import { unitCostsKind } from './jobs/unitCosts.ts';
import { startWorker } from './jobs/worker.ts';
import { type Meter, silentMeter } from './observation/meter.ts';
import { reportJob } from './report/requestedReports.ts';
import { mailJob, mailWork } from './schedules/mailWork.ts';
import { scheduleJob } from './schedules/runs.ts';
import { scheduleWork } from './schedules/work.ts';
import { type Announcer, deliveryJob } from './webhooks/announce.ts';
import { deliveryWork } from './webhooks/deliveries.ts';
import type { Resolve } from './webhooks/networks.ts';

/** Deliveries that a node sends at the same time; they mostly wait for answers. */
const deliveriesMax = 8;
/** Those of one organisation on all nodes, so that a slow address delays nobody else's. */
const organisationDeliveriesMax = 4;

/** Runs of schedules of one organisation at the same time; they mostly wait for reports. */
const organisationRunsMax = 2;

const kinds = [unitCostsKind, reportJob, deliveryJob, scheduleJob, mailJob];

/** The dependencies and settings of the workers. */
export type JobParts = {
  readonly registry: Registry;
  readonly warehouse: Warehouse;
  readonly importer: Importer;
  readonly files: FileStore;
  readonly server: Pick<FastifyInstance, 'log' | 'askAs'>;
  readonly jobs: JobQueue;
  readonly announcer: Announcer;
  readonly config: Pick<ServiceConfig, 'secret' | 'webhooks' | 'publicUrl'> & Pick<Config, 'mail'>;
  /** Resolves the names of webhooks; as the system does by default. */
  readonly resolve?: Resolve;
  /** The kinds of reports; the service's own by default. */
  readonly reports?: Reports;
  readonly limits?: Limits;
  readonly meter?: Meter;
};

/**
 * Starts the workers of this process. Imports have their own, so that long reports delay none, and
 * so have deliveries.
 */
export function startJobs({
  jobs,
  reports = ownReports,
  limits = defaultLimits,
  meter = silentMeter,
  server,
  importer,
  config,
  announcer,
  resolve,
  ...stores
}: JobParts): { close(): Promise<void> } {
  const onError = (error: unknown, text: string) => {
    countStoreError(meter, error);
    server.log.error({ error: loggedError(error) }, text);
  };
  meter.gauge('vitrine_jobs', async () => {
    const open = await jobs.countOpen();
    return kinds.flatMap((kind) =>
      ['waiting', 'running'].map((state) => {
        const found = open.find((one) => one.kind === kind && one.state === state);
        return [{ kind, state }, found?.jobs ?? 0] as const;
      }),
    );
  });
  const { registry } = stores;
  const { secret, webhooks: networks, mail, publicUrl } = config;
  const deliveries = {
    ...{ registry, secret, networks, announcer, clock: systemClock },
    ...(resolve && { resolve }),
  };
  const { files } = stores;
  const schedules = {
    ...{ registry, jobs, announcer, clock: systemClock, operationOf: scheduledOperation },
    ...{ files, askAs: server.askAs, sendsMail: mail !== undefined },
  };
  const shared = { queue: jobs, onError, meter };
  const workers = [
    startWorker({ ...shared, works: { [unitCostsKind]: unitCostsJob(registry, importer) } }),
    startWorker({
      ...shared,
      works: { [reportJob]: reportWork({ ...stores, reports, announcer }) },
      runningMax: limits.reports,
      organisationMax: limits.organisationReports,
    }),
    startWorker({
      ...shared,
      works: { [deliveryJob]: deliveryWork(deliveries) },
      runningMax: deliveriesMax,
      organisationMax: organisationDeliveriesMax,
    }),
    startWorker({
      ...shared,
      works: { [scheduleJob]: scheduleWork(schedules) },
      organisationMax: organisationRunsMax,
    }),
  ];
  if (mail !== undefined) {
    const pageUrl = `${publicUrl}/console/settings/schedules`;
    const parts = { registry, files, clock: systemClock, mail, pageUrl };
    workers.push(startWorker({ ...shared, works: { [mailJob]: mailWork(parts) } }));
  }
  return {
    async close() {
      await Promise.all(workers.map((worker) => worker.close()));
    },
  };
}
