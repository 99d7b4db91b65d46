/** The jobs that compute reports. */
import type { Channel } from '../../../access/channels.ts';
import { Refusal } from '../../../contract/refusal.ts';
import type { Registry } from '../../../engine/registry.ts';
import type { Warehouse } from '../../../engine/warehouse.ts';
import type { FileDraft, FileStore } from '../../../files/store.ts';
import { JobRefused, type Work } from '../../../jobs/worker.ts';
import { createCsvWriter } from '../../../report/csv.ts';
import { storedNameOf } from '../../../report/requestedReports.ts';
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
  /** Time limit of a report; ten minutes by default. */
  readonly milliseconds?: number;
};

/** Computes reports. However often a job is attempted, it leaves one file. */
export function reportWork({
  registry,
  warehouse,
  files,
  reports,
  milliseconds = reportMilliseconds,
}: ReportDependencies): Work {
  return {
    inOrder: false,
    async run({ jobId, organisationId, channelNumber, payload }, hold, signal) {
      const { reportType, options } = payload as ReportPayload;
      const channel = await registry.records
        .selectFrom('channel')
        .selectAll()
        .where('channelNumber', '=', channelNumber)
        .executeTakeFirst();
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
      const draft = await files.begin(storedNameOf(jobId, reportType));
      const context = { channel, channels, warehouse, registry, limits };
      try {
        const rows =
          'tables' in report
            ? await writeArchive(report, options, context, draft)
            : await writeTable(report, options, context, (text) => draft.write(text));
        stopped.throwIfAborted();
        if (!(await hold())) throw new Error('another worker has taken over the report');
        await draft.keep();
        return { rows };
      } catch (error) {
        await draft.discard();
        if (timeout.aborted) throw new JobRefused('the report took too long', error);
        throw error instanceof Refusal ? new JobRefused(error.message, error) : error;
      }
    },
  };
}

/** Reads the channels that a report is about beside its own one, in the order of its options. */
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

/** Writes a table as CSV; returns the number of its rows. */
async function writeTable(
  table: Table,
  options: ReportPayload['options'],
  context: ReportContext,
  write: (text: string) => Promise<void>,
): Promise<number> {
  const csv = createCsvWriter(table.columns(options, context.channel, context.channels));
  let count = 0;
  await write(csv.header());
  await table.rows(options, context, async (portion) => {
    context.limits.signal?.throwIfAborted();
    count += portion.length;
    await write(csv.rows(portion));
  });
  return count;
}

/** Writes the tables of an archive one after another; returns the number of their rows. */
async function writeArchive(
  { tables }: Archive,
  options: ReportPayload['options'],
  context: ReportContext,
  draft: FileDraft,
): Promise<number> {
  // Loaded only here, because other reports do not need the library.
  const { ArchiveWriter } = await import('../../../report/archive.ts');
  const archive = new ArchiveWriter((bytes) => draft.write(bytes));
  let count = 0;
  for (const [name, table] of Object.entries(tables)) {
    archive.begin(name);
    count += await writeTable(table, options, context, (text) => archive.write(text));
    await archive.endFile();
  }
  await archive.end();
  return count;
}
