/** Runs the jobs that compute reports. */

import type { Channel } from '../../../access/channels.ts';
import { findOne } from '../../../access/records.ts';
import { Refusal } from '../../../contract/refusal.ts';
import type { ReportFormat } from '../../../contract/reports.ts';
import type { RecordsTransaction, Registry } from '../../../engine/registry.ts';
import type { Warehouse } from '../../../engine/warehouse.ts';
import type { FileDraft, FileStore } from '../../../files/store.ts';
import type { TakenJob } from '../../../jobs/queue.ts';
import { JobRefused, type Work } from '../../../jobs/worker.ts';
import { createCsvWriter } from '../../../report/csv.ts';
import { furtherChannelsOf, storedNameOf } from '../../../report/requestedReports.ts';
import type { TypedColumn } from '../../../report/typedColumns.ts';
import { type Announcer, silentAnnouncer } from '../../../webhooks/announce.ts';
import {
  type Archive,
  furtherChannelIds,
  type Report,
  type ReportContext,
  type ReportPayload,
  type Table,
} from './report.ts';
import type { Reports } from './reports.ts';

const reportMilliseconds = 10 * 60_000;

/** The stores and services that the jobs use. */
export type ReportDependencies = {
  readonly registry: Registry;
  readonly warehouse: Warehouse;
  readonly files: FileStore;
  readonly reports: Reports;
  /** Announces finished and failed reports to webhooks; nothing by default. */
  readonly announcer?: Announcer;
  /** The time limit of a report; ten minutes by default. */
  readonly milliseconds?: number;
};

/** Computes reports. However often a job is attempted, it leaves one file. */
export function reportWork({
  registry,
  warehouse,
  files,
  reports,
  announcer = silentAnnouncer,
  milliseconds = reportMilliseconds,
}: ReportDependencies): Work {
  return {
    inOrder: false,
    async run({ jobId, organisationId, channelNumber, payload }, hold, signal) {
      const request: ReportPayload = { ...(payload as ReportPayload), format: formatOf(payload) };
      const { reportType, options, format } = request;
      const channel = await findOne(registry.records, 'channel', { channelNumber });
      if (channel === undefined) throw new JobRefused('the channel has been deleted');
      const channels = [channel, ...(await readFurther(registry, jobId, channel, options))];
      const report = reports[reportType] as Report | Archive;
      const endsAt = performance.now() + milliseconds;
      const timeout = AbortSignal.timeout(milliseconds);
      const stopped = AbortSignal.any([signal, timeout]);
      const limits = {
        get deadlineMilliseconds() {
          return Math.max(1, endsAt - performance.now());
        },
        signal: stopped,
        requester: { organisationId, keyId: jobId, isReport: true as const },
      };
      const draft = await files.begin(storedNameOf(jobId, reportType, format));
      const context = { channel, channels, warehouse, registry, limits };
      try {
        const rows =
          'tables' in report
            ? await writeArchive(report, request, context, draft)
            : await writeTable(report, request, context, draft.write);
        stopped.throwIfAborted();
        if (!(await hold())) throw new Error('another worker has taken over the report');
        await draft.store();
        return { rows };
      } catch (error) {
        await draft.discard();
        if (timeout.aborted) throw new JobRefused('the report took too long', error);
        throw error instanceof Refusal ? new JobRefused(error.message, error) : error;
      }
    },
    onEnd: (transaction, job, error) => announceReports(transaction, announcer, job, error),
  };
}

/** Announces the end of a job for each report that shares it. */
async function announceReports(
  transaction: RecordsTransaction,
  announcer: Announcer,
  { jobId, channelNumber }: TakenJob,
  error: string | undefined,
): Promise<void> {
  const reports = await transaction
    .selectFrom('report')
    .select(['reportId', 'reportType'])
    .where('jobId', '=', jobId)
    .orderBy('createdAt')
    .orderBy('reportId')
    .execute();
  const channel = await findOne(transaction, 'channel', { channelNumber });
  if (channel === undefined) return;
  const event = error === undefined ? 'report.finished' : 'report.failed';
  const also = await furtherChannelsOf({ records: transaction }, jobId);
  for (const { reportId, reportType } of reports) {
    const data = { reportId, reportType, ...(error !== undefined && { error }) };
    await announcer.announce(transaction, { event, channel, also, data });
  }
}

/** Reads the channels of a report other than its own, in the order of its options. */
async function readFurther(
  { records }: Registry,
  jobId: string,
  channel: Channel,
  options: ReportPayload['options'],
): Promise<Channel[]> {
  const named = furtherChannelIds(options, channel);
  if (named.length === 0) return [];
  const found = await records
    .selectFrom('channel')
    .innerJoin('reportChannel', 'reportChannel.channelNumber', 'channel.channelNumber')
    .selectAll('channel')
    .where('reportChannel.jobId', '=', jobId)
    .execute();
  const byId = new Map(found.map((one) => [one.channelId, one]));
  return named.map((channelId) => {
    const one = byId.get(channelId);
    if (one === undefined) throw new JobRefused('a channel of the report has been deleted');
    return one;
  });
}

/** Jobs of versions without formats have none. */
function formatOf(payload: unknown): ReportFormat {
  return (payload as Partial<ReportPayload>).format ?? 'csv';
}

/** Receives the content of a file. */
type WriteContent = FileDraft['write'];

/** Writes a table in a format; returns the number of its rows. */
async function writeTable(
  table: Table,
  { options, format }: ReportPayload,
  context: ReportContext,
  write: WriteContent,
): Promise<number> {
  const columns = table.columns(options, context.channel, context.channels);
  const file = format === 'parquet' ? await parquetFile(columns, write) : csvFile(columns, write);
  let count = 0;
  await file.begin();
  await table.rows(options, context, async (portion) => {
    context.limits.signal?.throwIfAborted();
    count += portion.length;
    await file.add(portion);
  });
  await file.end();
  return count;
}

/** A file of a table being written. */
type TableFile = {
  readonly begin: () => Promise<void>;
  readonly add: (rows: readonly unknown[]) => Promise<void>;
  readonly end: () => Promise<void>;
};

function csvFile(columns: readonly TypedColumn<unknown>[], write: WriteContent): TableFile {
  const csv = createCsvWriter(columns);
  return {
    begin: () => write(csv.header()),
    add: (rows) => write(csv.rows(rows)),
    end: async () => {},
  };
}

async function parquetFile(
  columns: readonly TypedColumn<unknown>[],
  write: WriteContent,
): Promise<TableFile> {
  // Loaded only here, because other reports do not need the library.
  const { beginParquet } = await import('../../../report/parquet.ts');
  return { begin: async () => {}, ...beginParquet(columns, write) };
}

/** Writes the tables of an archive one after another; returns the number of their rows. */
async function writeArchive(
  { tables }: Archive,
  payload: ReportPayload,
  context: ReportContext,
  draft: FileDraft,
): Promise<number> {
  // Loaded only here, because other reports do not need the library.
  const { ArchiveWriter } = await import('../../../report/archive.ts');
  const archive = new ArchiveWriter((bytes) => draft.write(bytes));
  let count = 0;
  for (const [name, table] of Object.entries(tables)) {
    archive.begin(`${name}.${payload.format}`);
    count += await writeTable(table, payload, context, (content) => archive.write(content));
    await archive.endFile();
  }
  await archive.end();
  return count;
}
