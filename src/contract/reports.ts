/** Shared parts of every operation on CSV reports. */
import Type from 'typebox';
import { OneOf } from './shapes.ts';

/** The types of CSV reports. */
export const reportTypes = [
  'customerLifetimeValue',
  'trafficAndConversion',
  'inventoryReplenishment',
] as const;

/** A type of CSV report. */
export type ReportType = (typeof reportTypes)[number];

/** A report in an answer. */
export const reportFields = {
  reportId: Type.String({ description: 'Identifier of the report.' }),
  reportType: OneOf(reportTypes, { description: 'Type of the report.' }),
  status: OneOf(['started', 'inProgress', 'done', 'errored'], {
    description:
      'State of the report: started, then inProgress, then done or errored, which are final.',
  }),
};
