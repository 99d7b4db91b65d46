/** Requested reports and their status. */

import { sql } from 'kysely';
import { type Reader as AnyReader, reachableChannels } from '../access/channels.ts';
import { type KeyRights, mayCall } from '../access/keyRights.ts';
import { findOne } from '../access/records.ts';
import {
  fileEndingOf,
  type ReportFormat,
  type ReportType,
  reportOperationOf,
  reportTypes,
} from '../contract/reports.ts';
import type { Registry, ReportRecord } from '../engine/registry.ts';
import { type JobQueue, type JobStatus, jobRetentionMilliseconds } from '../jobs/queue.ts';

/** The kind of the jobs that compute reports. */
export const reportJob = 'report';

/** A report as its organisation sees it. */
export type RequestedReport = {
  readonly reportId: string;
  readonly reportType: ReportType;
  readonly status: 'started' | 'inProgress' | 'done' | 'errored';
  /** The reason for an error, for the caller. */
  readonly error?: string;
  readonly channel: { readonly channelId: string; readonly merchantId: string };
  /** The name of the downloaded file, in characters that every system accepts. */
  readonly fileName: string;
  /** The name of its stored file. */
  readonly storedAs: string;
  /** When it was requested, in epoch milliseconds. */
  readonly createdAt: number;
};

type Reader = AnyReader & { readonly rights: KeyRights };

/** Whether a reader may have reports of a type: its key must also be allowed to create them. */
function mayRead({ rights }: Reader, reportType: ReportType): boolean {
  return mayCall(rights, { operation: reportOperationOf(reportType), needs: 'reports:read' });
}

/** The name of the stored file of a report's job. */
export function storedNameOf(jobId: string, reportType: ReportType, format: ReportFormat): string {
  return `${jobId}.${fileEndingOf(reportType, format)}`;
}

/** Reads the numbers of a job's channels, other than the first, for its reports. */
export async function furtherChannelsOf(
  { records }: Pick<Registry, 'records'>,
  jobId: string,
): Promise<number[]> {
  const found = await records
    .selectFrom('reportChannel')
    .select('channelNumber')
    .where('jobId', '=', jobId)
    .execute();
  return found.map(({ channelNumber }) => channelNumber);
}

/** The files, among these names, whose jobs still exist. */
export async function wantedFiles(
  { records }: Registry,
  names: readonly string[],
): Promise<Set<string>> {
  const jobIdOf = (name: string) => name.replace(/\.(?:csv|parquet|zip)$/, '');
  const found = await records
    .selectFrom('job')
    .select('jobId')
    .where('jobId', 'in', names.map(jobIdOf))
    .execute();
  const existing = new Set(found.map(({ jobId }) => jobId));
  return new Set(names.filter((name) => existing.has(jobIdOf(name))));
}

/**
 * The report with this identifier; undefined if it is unknown, expired, of another organisation,
 * about a channel out of the caller's reach, or of a type that its key may not create.
 */
export async function findReport(
  registry: Registry,
  jobs: Pick<JobQueue, 'find'>,
  caller: Reader,
  reportId: string,
): Promise<RequestedReport | undefined> {
  const report = await findOne(registry.records, 'report', { reportId });
  const job = report && (await jobs.find(reportJob, report.jobId));
  if (job?.organisationId !== caller.organisationId) return undefined;
  if (!mayRead(caller, report!.reportType)) return undefined;
  const channel = await reachableChannels(registry, caller)
    .where('channel.channelNumber', '=', job.channelNumber)
    .executeTakeFirst();
  if (channel === undefined) return undefined;
  const hidden = await channelsOutOfReach(registry, caller)
    .where('reportChannel.jobId', '=', report!.jobId)
    .executeTakeFirst();
  if (hidden !== undefined) return undefined;
  return reportOf(report!, job, channel);
}

/**
 * The reports of the caller's organisation about channels within reach, the newest first, and their
 * total number. `now` is in epoch milliseconds.
 */
export async function findReports(
  registry: Registry,
  caller: Reader,
  now: number,
  { pageIndex, pageSize }: { readonly pageIndex: number; readonly pageSize: number },
): Promise<{ readonly reports: readonly RequestedReport[]; readonly total: number }> {
  const matching = reachableChannels(registry, caller)
    .clearSelect()
    .innerJoin('job', 'job.channelNumber', 'channel.channelNumber')
    .innerJoin('report', 'report.jobId', 'job.jobId')
    .whereRef('job.organisationId', '=', 'channel.organisationId')
    .where(
      'report.reportType',
      'in',
      reportTypes.filter((reportType) => mayRead(caller, reportType)),
    )
    .where(({ or, eb }) =>
      or([
        eb('job.finishedAt', 'is', null),
        eb('job.finishedAt', '>=', now - jobRetentionMilliseconds),
      ]),
    )
    .where(({ not, exists }) =>
      not(
        exists(
          channelsOutOfReach(registry, caller).where(
            'reportChannel.jobId',
            '=',
            sql.ref<string>('job.jobId'),
          ),
        ),
      ),
    );
  const { total } = await matching
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await matching
    .select(['report.reportId', 'report.reportType', 'report.format', 'report.jobId'])
    .select(['report.createdAt'])
    .select(['job.state', 'job.error', 'job.startedAt'])
    .select(['channel.channelId', 'channel.merchantId'])
    .orderBy('report.createdAt', 'desc')
    .orderBy('report.reportId')
    .limit(pageSize)
    .offset(pageIndex * pageSize)
    .execute();
  return { reports: rows.map((row) => reportOf(row, row, row)), total: Number(total) };
}

/** The query for reports with further channels out of the caller's reach. */
function channelsOutOfReach(registry: Registry, caller: Reader) {
  return registry.records
    .selectFrom('reportChannel')
    .select('reportChannel.jobId')
    .where(
      'reportChannel.channelNumber',
      'not in',
      reachableChannels(registry, caller).clearSelect().select('channel.channelNumber'),
    );
}

function reportOf(
  { reportId, reportType, format, jobId, createdAt }: Omit<ReportRecord, 'userId' | 'options'>,
  job: Pick<JobStatus, 'state' | 'error' | 'startedAt'>,
  { channelId, merchantId }: RequestedReport['channel'],
): RequestedReport {
  const date = new Date(createdAt).toISOString().slice(0, 10);
  const store = channelId.replaceAll(/[^A-Za-z0-9_-]+/g, '_').slice(0, channelLettersMax);
  return {
    reportId,
    reportType,
    status: statusOf(job),
    ...(job.state === 'failed' && job.error !== null && { error: job.error }),
    channel: { channelId, merchantId },
    fileName: `${reportType}-${store}-${date}.${fileEndingOf(reportType, format)}`,
    storedAs: storedNameOf(jobId, reportType, format),
    createdAt,
  };
}

const channelLettersMax = 80;

function statusOf({
  state,
  startedAt,
}: Pick<JobStatus, 'state' | 'startedAt'>): RequestedReport['status'] {
  if (state === 'done') return 'done';
  if (state === 'failed') return 'errored';
  // A started job that waits for another attempt is still in progress.
  return startedAt === null ? 'started' : 'inProgress';
}
