/** The freshness of facts. */
import Type from 'typebox';
import { contract } from '../../../contract/endpoint.ts';
import { ChannelId, nullableDate } from '../../../contract/imports.ts';
import { OneOf } from '../../../contract/shapes.ts';

/** Read the freshness of facts. */
export const readFreshness = contract({
  operation: 'readFreshness',
  access: 'operator',
  method: 'GET',
  path: '/operator/freshness',
  summary: 'Read the freshness of facts',
  description:
    "The dates that the facts of a channel cover, by dataset; those of instants are dates in the channel's time zone. Without channelId the answer is about exchange rates, which belong to no channel.",
  query: Type.Object({ channelId: Type.Optional(ChannelId) }),
  answer: Type.Object({
    channelId: Type.Union([Type.String(), Type.Null()]),
    heldBack: Type.Array(Type.String(), {
      description:
        'The inventory reports that were held back, because they have far fewer rows than those before, and what to do about each.',
    }),
    notes: Type.Array(
      Type.Object({
        about: OneOf(['earlierPrices', 'earlierReadings', 'unstatedTax', 'searchTermsOnly'], {
          description:
            'earlierPrices: orders whose prices were read without regard to the tax in them, or ' +
            'under another setting. earlierReadings: reports of targets, and of campaigns by ' +
            'placement or audience, that an earlier version read in another way. unstatedTax: prices hold a tax that neither a document nor a ' +
            'rate states. searchTermsOnly: figures of campaigns come from search terms alone, ' +
            'which hold clicked terms only.',
        }),
        text: Type.String({ description: 'What is wrong, and what to do.' }),
        from: nullableDate('First date of the facts concerned.'),
        to: nullableDate('Last date of them.'),
        imports: Type.Array(Type.Integer(), {
          description: 'The imports whose documents want importing again; at most 100.',
        }),
      }),
      { description: 'Facts whose figures are not what they should be.' },
    ),
    datasets: Type.Array(
      Type.Object({
        dataset: Type.String(),
        from: nullableDate('First date with facts; null for datasets without dates.'),
        to: nullableDate('Last date with facts.'),
        rows: Type.Integer(),
        rowsCoarse: Type.Integer({
          description: 'Rows of all imports that were booked on the last day of their period.',
        }),
        lastImport: Type.Union([
          Type.Object({
            importId: Type.Integer(),
            dataset: Type.String(),
            finishedAt: Type.Integer(),
            rowsAccepted: Type.Integer(),
            rowsCoarse: Type.Integer(),
          }),
          Type.Null(),
        ]),
      }),
    ),
  }),
});
