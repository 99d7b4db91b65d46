/** Shared parts of every operation on CSV reports. */
import Type from 'typebox';
import { OneOf, Timezone } from './shapes.ts';

/** The types of CSV reports. */
export const reportTypes = [
  'customerLifetimeValue',
  'trafficAndConversion',
  'inventoryReplenishment',
  'cancellationsAndRefunds',
  'orderedRevenue',
  'shippedRevenue',
  'salesByProduct',
  'campaigns',
  'marketingByProduct',
  'channelProfitAndLoss',
  'repeatPurchase',
] as const;

/** A type of CSV report. */
export type ReportType = (typeof reportTypes)[number];

/** The types whose file is a zip archive of CSV files. */
export type ArchiveType = 'campaigns';

/** The ending of the file of a report, without a dot. */
export function fileEndingOf(reportType: ReportType): 'csv' | 'zip' {
  return reportType === ('campaigns' satisfies ArchiveType) ? 'zip' : 'csv';
}

/** A report in an answer. */
export const reportFields = {
  reportId: Type.String({ description: 'Identifier of the report.' }),
  reportType: OneOf(reportTypes, { description: 'Type of the report.' }),
  status: OneOf(['started', 'inProgress', 'done', 'errored'], {
    description:
      'State of the report: started, then inProgress, then done or errored, which are final.',
  }),
};

/** The time zone of a report's dates. */
export const reportTimezone = Timezone({
  default: 'UTC',
  description: 'IANA time zone of the calendar that divides the range, such as Europe/London.',
});

/** The sentences that every description ends with. */
export const createdText =
  'The report is computed in the background. GET /reports/status/{reportId} returns its status ' +
  'and, once it is done, a link to its CSV file. A request identical to one of the last five ' +
  'minutes whose report is still under way shares its computation. An organisation can have 50 ' +
  'reports waiting.';
