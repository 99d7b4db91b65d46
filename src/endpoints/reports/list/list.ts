import { seconds } from '../../../access/records.ts';
import { findReports } from '../../../report/requestedReports.ts';
import type { Handler } from '../../handler.ts';
import type { listReports as contract } from './contract.ts';

/** Lists the reports of the caller's organisation. */
export const listReports: Handler<typeof contract> = async (
  { pageIndex, pageSize },
  { caller, registry, now },
) => {
  const { reports, total } = await findReports(registry, caller, now(), { pageIndex, pageSize });
  return {
    reports: reports.map(({ channel, createdAt, storedAs: _, ...report }) => ({
      ...report,
      channelId: channel.channelId,
      merchantId: channel.merchantId,
      createdAt: seconds(createdAt),
    })),
    total,
  };
};
