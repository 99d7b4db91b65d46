/** The workers of a process: what does the jobs of each kind. */
import type { FastifyInstance } from 'fastify';
import { type Config, defaultLimits, type Limits, type SmtpSettings } from './config.ts';
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
import { type JobShares, startWorker, type Work } from './jobs/worker.ts';
import { type Meter, silentMeter } from './observation/meter.ts';
import { reportJob } from './report/requestedReports.ts';
import { createMailLinks } from './schedules/mailLinks.ts';
import { type MailParts, mailWork } from './schedules/mailWork.ts';
import { mailJob, scheduleJob } from './schedules/runs.ts';
import { scheduleWork } from './schedules/work.ts';
import { type Announcer, deliveryJob } from './webhooks/announce.ts';
import { deliveryWork } from './webhooks/deliveries.ts';
import type { Resolve } from './webhooks/networks.ts';

/** Imports of unit costs are short, and the importer has a limit of its own. */
const unitCostsShares: JobShares = { runningMax: 3, organisationMax: 2, ownerMax: 2 };
/**
 * Deliveries mostly wait for answers. One that waits for long leaves its place, so that addresses
 * which do not answer delay no others.
 */
const deliveryShares: JobShares = {
  runningMax: 32,
  organisationMax: 6,
  ownerMax: 3,
  slow: { afterMilliseconds: 500, max: 256 },
};
/** Runs mostly wait for the questions that they ask, which have turns of their own. */
const runShares: JobShares = { runningMax: 16, organisationMax: 1, ownerMax: 1 };
const mailShares: JobShares = { runningMax: 4, organisationMax: 1, ownerMax: 1 };

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
  readonly config: Pick<ServiceConfig, 'secret' | 'webhooks' | 'publicUrl' | 'mailDomains'> &
    Pick<Config, 'mail'>;
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
  const { secret, webhooks: networks, mail } = config;
  const deliveries = {
    registry,
    secret,
    networks,
    announcer,
    clock: systemClock,
    ...(resolve && { resolve }),
  };
  const { files } = stores;
  const schedules = {
    registry,
    jobs,
    announcer,
    clock: systemClock,
    operationOf: scheduledOperation,
    files,
    askAs: server.askAs,
    sendsMail: mail !== undefined,
    storedFilesMax: limits.organisationRetainedReports,
  };
  const start = (kind: string, work: Work, shares: JobShares) =>
    startWorker({ queue: jobs, kind, work, shares, onError, meter });
  const workers = [
    start(unitCostsKind, unitCostsJob(registry, importer), unitCostsShares),
    start(reportJob, reportWork({ ...stores, reports, announcer }), reportShares(limits)),
    start(deliveryJob, deliveryWork(deliveries), deliveryShares),
    start(scheduleJob, scheduleWork(schedules), runShares),
  ];
  if (mail !== undefined) {
    const parts = mailParts({ registry, files, config, limits }, mail);
    workers.push(start(mailJob, mailWork(parts), mailShares));
  }
  return {
    async close() {
      await Promise.all(workers.map((worker) => worker.close()));
    },
  };
}

/** One organisation leaves a place for others, if there are several. */
function reportShares({ reports, organisationReports }: Limits): JobShares {
  const organisationMax = Math.max(1, Math.min(organisationReports, reports - 1));
  return { runningMax: reports, organisationMax, ownerMax: organisationMax };
}

/** The dependencies of the jobs that send e-mails. */
function mailParts(
  {
    registry,
    files,
    config,
    limits,
  }: Pick<JobParts, 'registry' | 'files' | 'config'> & {
    readonly limits: Limits;
  },
  mail: SmtpSettings,
): MailParts {
  const { secret, publicUrl, mailDomains = [] } = config;
  const { now } = systemClock;
  return {
    registry,
    files,
    clock: systemClock,
    mail,
    limits,
    operationOf: scheduledOperation,
    domains: mailDomains,
    links: createMailLinks(secret, publicUrl, now),
    pageUrl: `${publicUrl}/console/settings/schedules`,
  };
}
