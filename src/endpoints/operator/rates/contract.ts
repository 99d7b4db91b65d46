/** Exchange rates. */
import Type from 'typebox';
import { contract } from '../../../contract/endpoint.ts';
import { CalendarDate, RateSource } from '../../../contract/records.ts';
import { Currency } from '../../../contract/shapes.ts';

/** List the exchange rates of a day. */
export const listRates = contract({
  operation: 'listRates',
  access: 'operator',
  method: 'GET',
  path: '/operator/rates',
  summary: 'List the exchange rates of a day',
  description:
    'For each currency the last rate of a date on or before the day. Of a published and an own rate of the same date your own counts. Currencies without such a rate are omitted. ' +
    'Currencies that are pegged to the dollar follow its rate, unless they have rates of their own.',
  query: Type.Object({
    date: Type.Optional(CalendarDate('The day; today by default.')),
    currency: Type.Optional(
      Currency({ description: 'Only this currency: a code of three letters.' }),
    ),
  }),
  answer: Type.Object({
    date: Type.String({ format: 'date' }),
    rates: Type.Array(
      Type.Object({
        currency: Type.String(),
        perEuro: Type.Number({ description: 'Units of the currency for one euro.' }),
        publishedOn: Type.String({
          format: 'date',
          description: 'The date of the rate.',
        }),
        source: RateSource,
      }),
    ),
  }),
});
