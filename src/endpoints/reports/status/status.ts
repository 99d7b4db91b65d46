import { Refusal } from '../../../contract/refusal.ts';
import { findReport } from '../../../report/requestedReports.ts';
import type { Handler } from '../../handler.ts';
import type { readReportStatus as statusContract } from './contract.ts';

/** Answers with the progress of a report of the caller's organisation. */
export const readReportStatus: Handler<typeof statusContract> = async (
  { reportId, channelId, merchantId },
  context,
) => {
  const { caller, jobs, registry, reportLinks } = context;
  const report = await findReport(registry, jobs, caller, reportId);
  const { channel } = report ?? {};
  const isMeant =
    (channelId ?? channel?.channelId) === channel?.channelId &&
    (merchantId ?? channel?.merchantId) === channel?.merchantId;
  if (report === undefined || !isMeant) throw new Refusal(404, 'there is no such report');
  const { reportType, status, error } = report;
  return {
    reportId,
    reportType,
    status,
    ...(status === 'done' && {
      downloadUrl: reportLinks.mint({ ...report, keyId: caller.keyId }),
    }),
    ...(error !== undefined && { error }),
  };
};
