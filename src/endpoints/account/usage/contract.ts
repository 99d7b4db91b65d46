/** The usage of the user's keys. */
import Type from 'typebox';
import { KeyName, usageDays } from '../../../contract/account.ts';
import { contract } from '../../../contract/endpoint.ts';
import { OrNull } from '../../../contract/records.ts';

const counts = {
  requests: Type.Integer({ description: 'All requests, whatever their status.' }),
  refused: Type.Integer({ description: 'Answered with a status of 400 to 499, except 429.' }),
  limited: Type.Integer({ description: 'Exceeded a rate limit, answered with 429.' }),
  failed: Type.Integer({ description: 'Answered with a status of 500 or more.' }),
};

/** Read the usage of the user’s keys. */
export const readUsage = contract({
  operation: 'readUsage',
  access: 'session',
  method: 'GET',
  path: '/account/usage',
  summary: 'Read the usage of the user’s keys',
  description: `The last ${usageDays} days of UTC, including today, of all keys of the user: one row per day, one per operation and one per key, the most used first.`,
  answer: Type.Object({
    total: Type.Object(counts),
    days: Type.Array(Type.Object({ date: Type.String({ format: 'date' }), ...counts })),
    operations: Type.Array(
      Type.Object({
        operation: Type.String(),
        call: Type.String({ description: 'Method and path.' }),
        ...counts,
      }),
    ),
    keys: Type.Array(
      Type.Object({
        ...KeyName.properties,
        ...counts,
        usedToday: Type.Integer({
          description: 'Requests that count against the limit of today.',
        }),
        perDay: OrNull(
          Type.Integer({ description: 'The limit of a day; null for a key that is not valid.' }),
        ),
      }),
      { description: 'Every valid key, and those that were valid when they were used.' },
    ),
  }),
});
