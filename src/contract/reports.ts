/** Parts shared by all operations on CSV reports. */
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

/** The operation that creates reports of a type. */
export type ReportOperation<Type extends ReportType = ReportType> =
  `create${Capitalize<Type>}Report`;

/** The name of the operation that creates reports of a type. */
export function reportOperationOf(reportType: ReportType): ReportOperation {
  return `create${reportType[0]!.toUpperCase()}${reportType.slice(1)}Report` as ReportOperation;
}

/** The formats of the files of reports. */
export const reportFormats = ['csv', 'parquet'] as const;

/** A format of the files of reports. */
export type ReportFormat = (typeof reportFormats)[number];

/** The types whose file is a zip archive of several tables. */
export type ArchiveType = 'campaigns';

/** The ending of a report's file, without a dot. */
export function fileEndingOf(reportType: ReportType, format: ReportFormat): ReportFormat | 'zip' {
  return reportType === ('campaigns' satisfies ArchiveType) ? 'zip' : format;
}

/** The format of a new report. */
export const Format = OneOf(reportFormats, {
  default: 'csv',
  description:
    'Format of the file. Parquet files have the columns of the CSV, with types: dates, whole ' +
    'numbers, decimals and text; blank cells are null, and text is never escaped.',
});

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

/** The sentences at the end of every description. */
export const createdText =
  'The report is computed in the background. GET /reports/status/{reportId} returns its status ' +
  'and, once it is done, a link to its file. A request identical to one of the last five ' +
  'minutes whose report is still under way shares its computation. An organisation can have 50 ' +
  'reports waiting.';
