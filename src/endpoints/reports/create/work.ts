/** The jobs that compute reports. */
import { Refusal } from '../../../contract/refusal.ts';
import type { Registry } from '../../../engine/registry.ts';
import type { Warehouse } from '../../../engine/warehouse.ts';
import type { FileStore } from '../../../files/store.ts';
import { JobRefused, type Work } from '../../../jobs/worker.ts';
import { createCsvWriter } from '../../../report/csv.ts';
import { storedNameOf } from '../../../report/requestedReports.ts';
import type { Report, ReportPayload } from './report.ts';
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
      const report = reports[reportType] as Report;
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
      const csv = createCsvWriter(report.columns(options, channel));
      let rows = 0;
      const draft = await files.begin(storedNameOf(jobId));
      try {
        await draft.write(csv.header());
        await report.rows(options, { channel, warehouse, registry, limits }, async (portion) => {
          stopped.throwIfAborted();
          rows += portion.length;
          await draft.write(csv.rows(portion));
        });
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
