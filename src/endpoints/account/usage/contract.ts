/** The usage of the user's keys. */
import Type from 'typebox';
import { usageDays } from '../../../contract/account.ts';
import { contract } from '../../../contract/endpoint.ts';

const counts = {
  requests: Type.Integer({ description: 'All requests, whatever came of them.' }),
  refused: Type.Integer({ description: 'Answered with a status of 400 to 499, but not 429.' }),
  limited: Type.Integer({ description: 'Beyond the limits of the key, answered with 429.' }),
  failed: Type.Integer({ description: 'Answered with a status of 500 or more.' }),
};

/** Read how the user’s keys were used. */
export const readUsage = contract({
  operation: 'readUsage',
  access: 'session',
  method: 'GET',
  path: '/account/usage',
  summary: 'Read how the user’s keys were used',
  description: `The last ${usageDays} days of UTC with today, a row for each day; and a row for each operation that was asked for, the most used first.`,
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
    usedToday: Type.Integer({
      description: 'Requests of today that count against the limit of the day, of the newest key.',
    }),
  }),
});
