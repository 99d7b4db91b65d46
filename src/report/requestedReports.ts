/** Reports that were asked for, and how far they are. */

import { type Caller, reachableChannels } from '../access/channels.ts';
import type { reportTypes } from '../contract/reports.ts';
import type { Registry } from '../engine/registry.ts';
import type { JobQueue, JobStatus } from '../jobs/queue.ts';

/** The kind of the jobs that compute reports. */
export const reportJob = 'report';

/** A report as its user sees it. */
export type RequestedReport = {
  readonly reportId: string;
  readonly reportType: (typeof reportTypes)[number];
  readonly status: 'started' | 'inProgress' | 'done' | 'errored';
  readonly channel: { readonly channelId: string; readonly merchantId: string };
  /** What its file is to be called where it is downloaded, in letters that every system takes. */
  readonly fileName: string;
  /** What its file is called in the file store. */
  readonly storedAs: string;
};

/** What the file of a report's job is called in the file store. */
export function storedNameOf(jobId: string): string {
  return `${jobId}.csv`;
}

/** Whether the jobs of these stored files are still known. */
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

/** The caller's report of that identifier: undefined where it is unknown, another's, expired, or its channel out of the caller's reach. */
export async function findReport(
  registry: Registry,
  jobs: Pick<JobQueue, 'find'>,
  caller: Pick<Caller, 'organisationId' | 'userId' | 'restricted'>,
  reportId: string,
): Promise<RequestedReport | undefined> {
  const report = await registry.records
    .selectFrom('report')
    .selectAll()
    .where((row) => row.and({ reportId, userId: caller.userId }))
    .executeTakeFirst();
  const job = report && (await jobs.find(reportJob, report.jobId));
  if (job === undefined) return undefined;
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
    channel,
    fileName: `${reportType}-${store}-${date}.csv`,
    storedAs: storedNameOf(jobId),
  };
}

const channelLettersMax = 80;

function statusOf({ state, startedAt }: JobStatus): RequestedReport['status'] {
  if (state === 'done') return 'done';
  if (state === 'failed') return 'errored';
  // What was begun and waits for another attempt does not go back to the start.
  return startedAt === null ? 'started' : 'inProgress';
}
