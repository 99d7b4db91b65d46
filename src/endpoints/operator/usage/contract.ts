/** The usage of keys. */
import Type from 'typebox';
import { contract } from '../../../contract/endpoint.ts';
import { CalendarDate, Id, ListOf, pages } from '../../../contract/records.ts';

/** Days of usage that are listed by default, including today. */
export const usageDaysDefault = 30;

const count = (description: string) => Type.Integer({ description });

/** List the usage of keys. */
export const listUsage = contract({
  operation: 'listUsage',
  access: 'operator',
  method: 'GET',
  path: '/operator/usage',
  summary: 'List the usage of keys',
  description:
    'One row per key, day of UTC and operation with requests; newest day first, then by key and operation. ' +
    'Requests to this node are counted up to this moment, those to other nodes a few seconds later.',
  query: Type.Object({
    organisationId: Type.Optional(Id('organisation')),
    userId: Type.Optional(Id('user')),
    keyId: Type.Optional(Id('key')),
    from: Type.Optional(CalendarDate(`First day; by default the last ${usageDaysDefault} days.`)),
    to: Type.Optional(CalendarDate('Last day; today by default.')),
    ...pages,
  }),
  rules: [
    {
      at: 'to',
      reads: ['from'],
      check: ({ from, to }: { from?: string; to?: string }) =>
        from !== undefined && to !== undefined && to < from
          ? 'to must not be before from'
          : undefined,
    },
  ],
  answer: ListOf(
    'usage',
    Type.Object({
      date: Type.String({ format: 'date' }),
      organisationId: Type.String(),
      userId: Type.String(),
      keyId: Type.String(),
      operation: Type.String({
        description: 'The operationId in the description of the public interface.',
      }),
      requests: count('All requests, whatever their status.'),
      refused: count('Requests answered with a status of 400 to 499, except 429.'),
      limited: count('Requests that exceeded a rate limit, answered with 429.'),
      failed: count('Requests answered with a status of 500 or more.'),
    }),
  ),
});
