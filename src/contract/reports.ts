/** What is said of every CSV report. */
import Type from 'typebox';
import { OneOf } from './shapes.ts';

/** The types of CSV reports. */
export const reportTypes = [
  'customerLifetimeValue',
  'trafficAndConversion',
  'inventoryReplenishment',
] as const;

/** A report in an answer. */
export const reportFields = {
  reportId: Type.String({ description: 'Identifier of the report.' }),
  reportType: OneOf(reportTypes, { description: 'Type of the report.' }),
  status: OneOf(['started', 'inProgress', 'done', 'errored'], {
    description:
      'How far the report is. It goes from started by inProgress to done or errored, which are final.',
  }),
};
