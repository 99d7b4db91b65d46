/** Waits for reports and downloads them. */
import type { CallOptions } from './caller.ts';
import { ReportError } from './errors.ts';
import type { ReadReportStatusAnswer } from './generated/schemas.ts';

const firstWaitMilliseconds = 500;
const waitMillisecondsMax = 5_000;

/** The options of the wait for a report. */
export type ReportOptions = CallOptions & {
  /** Called with each status. */
  readonly onStatus?: (status: ReadReportStatusAnswer['status']) => void;
};

/** A report that is done. */
export type FinishedReport = {
  readonly reportId: string;
  readonly reportType: ReadReportStatusAnswer['reportType'];
  /**
   * Downloads the file by a new link. The body of the response is a stream; abort the signal or
   * cancel the body to end the download.
   */
  download(options?: CallOptions): Promise<Response>;
};

/** The calls that a wait needs. */
export type ReportCalls = {
  read(): Promise<ReadReportStatusAnswer>;
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>;
  download(address: string, options: CallOptions): Promise<{ readonly read: Response }>;
};

/** Waits until a report is done: half a second at first, and never longer than five. */
export async function waitForReport(
  { read, wait, download }: ReportCalls,
  { signal, onStatus }: ReportOptions,
): Promise<FinishedReport> {
  for (let milliseconds = firstWaitMilliseconds; ; milliseconds *= 2) {
    const { reportId, reportType, status, error } = await read();
    onStatus?.(status);
    if (status === 'errored') throw new ReportError(reportId, error ?? 'no reason is known');
    if (status === 'done') {
      return {
        reportId,
        reportType,
        async download(options = {}) {
          // Links end after an hour, so each download asks for its own.
          const { downloadUrl } = await read();
          if (downloadUrl === undefined) throw new ReportError(reportId, 'it has no file any more');
          return (await download(downloadUrl, options)).read;
        },
      };
    }
    await wait(Math.min(milliseconds, waitMillisecondsMax), signal);
  }
}
