/** The usage of keys. */
import Type from 'typebox';
import { contract } from '../../../contract/endpoint.ts';
import { CalendarDate, Id, ListOf, pages } from '../../../contract/records.ts';

/** Days of usage when none are asked for, today included. */
export const usageDaysDefault = 30;

const count = (description: string) => Type.Integer({ description });

/** List how keys were used. */
export const listUsage = contract({
  operation: 'listUsage',
  access: 'operator',
  method: 'GET',
  path: '/operator/usage',
  summary: 'List how keys were used',
  description:
    'A row for each key, day of UTC and operation with requests, newest day first, then by key and operation. What was counted up to this moment on this node is in it; ' +
    'other nodes are a few seconds behind.',
  query: Type.Object({
    organisationId: Type.Optional(Id('organisation')),
    userId: Type.Optional(Id('user')),
    keyId: Type.Optional(Id('key')),
    from: Type.Optional(
      CalendarDate(`First day; ${usageDaysDefault} days in all unless it is said.`),
    ),
    to: Type.Optional(CalendarDate('Last day; today unless it is said.')),
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
        description: 'The operation, as the description of the public interface names it.',
      }),
      requests: count('All requests, whatever came of them.'),
      refused: count('Requests that were answered with a status of 400 to 499, but not 429.'),
      limited: count('Requests beyond the limits of the key, answered with 429.'),
      failed: count('Requests that were answered with a status of 500 or more.'),
    }),
  ),
});
