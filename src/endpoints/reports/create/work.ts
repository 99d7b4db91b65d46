/** The jobs that compute reports. */
import { Refusal } from '../../../contract/refusal.ts';
import type { Registry } from '../../../engine/registry.ts';
import type { Warehouse } from '../../../engine/warehouse.ts';
import type { FileStore } from '../../../files/store.ts';
import { JobRefused, type Work } from '../../../jobs/worker.ts';
import { createCsvWriter } from '../../../report/csv.ts';
import { storedNameOf } from '../../../report/requestedReports.ts';
import type { ReportPayload } from './create.ts';
import type { ReportKind } from './kind.ts';
import type { ReportKinds } from './kinds.ts';

const reportMilliseconds = 10 * 60_000;

/** What reports are computed with. */
export type ReportParts = {
  readonly registry: Registry;
  readonly warehouse: Warehouse;
  readonly files: FileStore;
  readonly kinds: ReportKinds;
  /** How long a report may be computed; ten minutes by default. */
  readonly milliseconds?: number;
};

/** How a report's job is done: one file comes of it, however often it is taken up. */
export function reportWork({
  registry,
  warehouse,
  files,
  kinds,
  milliseconds = reportMilliseconds,
}: ReportParts): Work {
  return {
    inOrder: false,
    async run({ jobId, channelNumber, payload }, hold, signal) {
      const { reportType, options } = payload as ReportPayload;
      const channel = await registry.records
        .selectFrom('channel')
        .selectAll()
        .where('channelNumber', '=', channelNumber)
        .executeTakeFirst();
      if (channel === undefined) throw new JobRefused('the channel has been deleted meanwhile');
      const kind = kinds[reportType] as ReportKind;
      const endsAt = performance.now() + milliseconds;
      const late = AbortSignal.timeout(milliseconds);
      const stopped = AbortSignal.any([signal, late]);
      const limits = {
        get deadlineMilliseconds() {
          return Math.max(1, endsAt - performance.now());
        },
        signal: stopped,
      };
      const csv = createCsvWriter(kind.columns(options));
      let rows = 0;
      const draft = await files.begin(storedNameOf(jobId));
      try {
        await draft.write(csv.header());
        await kind.rows(options, { channel, warehouse, registry, limits }, async (portion) => {
          stopped.throwIfAborted();
          rows += portion.length;
          await draft.write(csv.rows(portion));
        });
        stopped.throwIfAborted();
        if (!(await hold())) throw new Error('the report is computed by somebody else meanwhile');
        await draft.keep();
        return { rows };
      } catch (error) {
        await draft.discard();
        if (late.aborted) throw new JobRefused('the report took too long', error);
        throw error instanceof Refusal ? new JobRefused(error.message, error) : error;
      }
    },
  };
}
