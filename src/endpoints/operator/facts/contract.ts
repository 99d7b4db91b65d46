/** Facts of a dataset. */
import Type from 'typebox';
import { contract } from '../../../contract/endpoint.ts';
import { datasetNames } from '../../../contract/importable.ts';
import { ChannelId, coverageRules } from '../../../contract/imports.ts';
import { CalendarDate } from '../../../contract/records.ts';
import { dryRun, FactsRemoved } from '../../../contract/removals.ts';
import { OneOf } from '../../../contract/shapes.ts';

/** Remove facts of a dataset. */
export const deleteFacts = contract({
  operation: 'deleteFacts',
  access: 'operator',
  method: 'DELETE',
  path: '/operator/facts',
  summary: 'Remove facts of a dataset',
  description:
    'Removes the facts of a channel from one date to another, whichever imports brought them, and ' +
    "computes the sums of these dates again. Dates are those of the channel's zone; a fact of " +
    'several days belongs to the last of them. Datasets without dates, such as products, are ' +
    'removed as a whole. The removal becomes visible as a whole.',
  query: Type.Object({
    channelId: Type.Optional(ChannelId),
    dataset: OneOf(datasetNames, { description: 'The dataset.' }),
    from: Type.Optional(CalendarDate('First date. Absent for datasets without dates.')),
    to: Type.Optional(CalendarDate('Last date.')),
    ...dryRun,
  }),
  rules: coverageRules,
  answer: FactsRemoved,
});
