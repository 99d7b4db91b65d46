/** Requested reports and their status. */

import { type Caller, reachableChannels } from '../access/channels.ts';
import type { reportTypes } from '../contract/reports.ts';
import type { Registry } from '../engine/registry.ts';
import type { JobQueue, JobStatus } from '../jobs/queue.ts';

/** The kind of the jobs that compute reports. */
export const reportJob = 'report';

/** A report as its organisation sees it. */
export type RequestedReport = {
  readonly reportId: string;
  readonly reportType: (typeof reportTypes)[number];
  readonly status: 'started' | 'inProgress' | 'done' | 'errored';
  /** Why it errored, for the caller. */
  readonly error?: string;
  readonly channel: { readonly channelId: string; readonly merchantId: string };
  /** The name of the downloaded file, in letters that every system accepts. */
  readonly fileName: string;
  /** The name of its file in the file store. */
  readonly storedAs: string;
};

/** The name of the file of a report's job in the file store. */
export function storedNameOf(jobId: string): string {
  return `${jobId}.csv`;
}

/** The files, of these names, whose jobs still exist. */
export async function wantedFiles(
  { records }: Registry,
  names: readonly string[],
): Promise<Set<string>> {
  const jobIds = names.map((name) => name.replace(/\.csv$/, ''));
  const found = await records
    .selectFrom('job')
    .select('jobId')
    .where('jobId', 'in', jobIds)
    .execute();
  return new Set(found.map(({ jobId }) => storedNameOf(jobId)));
}

/**
 * The report with that identifier; undefined where it is unknown, expired, of another organisation,
 * or of a channel that the caller may not reach.
 */
export async function findReport(
  registry: Registry,
  jobs: Pick<JobQueue, 'find'>,
  caller: Pick<Caller, 'organisationId' | 'userId' | 'restricted'>,
  reportId: string,
): Promise<RequestedReport | undefined> {
  const report = await registry.records
    .selectFrom('report')
    .selectAll()
    .where('reportId', '=', reportId)
    .executeTakeFirst();
  const job = report && (await jobs.find(reportJob, report.jobId));
  if (job?.organisationId !== caller.organisationId) return undefined;
  const channel = await reachableChannels(registry, caller)
    .where('channel.channelNumber', '=', job.channelNumber)
    .executeTakeFirst();
  if (channel === undefined) return undefined;
  const { reportType, jobId, createdAt } = report!;
  const date = new Date(createdAt).toISOString().slice(0, 10);
  const store = channel.channelId.replaceAll(/[^A-Za-z0-9_-]+/g, '_').slice(0, channelLettersMax);
  return {
    reportId,
    reportType,
    status: statusOf(job),
    ...(job.state === 'failed' && job.error !== null && { error: job.error }),
    channel,
    fileName: `${reportType}-${store}-${date}.csv`,
    storedAs: storedNameOf(jobId),
  };
}

const channelLettersMax = 80;

function statusOf({ state, startedAt }: JobStatus): RequestedReport['status'] {
  if (state === 'done') return 'done';
  if (state === 'failed') return 'errored';
  // A job that has started and waits for another attempt stays in progress.
  return startedAt === null ? 'started' : 'inProgress';
}
