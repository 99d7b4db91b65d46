/** All sessions of the user. */
import Type from 'typebox';
import { confirmationSecondsMax } from '../../../contract/account.ts';
import { contract } from '../../../contract/endpoint.ts';
import { Instant } from '../../../contract/records.ts';
import { NoAnswer, Text } from '../../../contract/shapes.ts';

/** List the sessions of the user. */
export const listSessions = contract({
  operation: 'listSessions',
  access: 'session',
  method: 'GET',
  path: '/account/sessions',
  summary: 'List the sessions of the user',
  description: 'The present session first, then by last use.',
  answer: Type.Object({
    sessions: Type.Array(
      Type.Object({
        sessionId: Type.String(),
        browser: Type.String({ description: 'Such as Firefox on Linux.' }),
        createdAt: Instant('When it began.'),
        lastSeenAt: Instant('When it was last used, accurate to the minute.'),
        expiresAt: Instant('When it ends at the latest.'),
        isCurrent: Type.Boolean(),
      }),
    ),
  }),
});

const enteredLately = `Status 403 with \`passwordRequired\` unless the password was entered within ${confirmationSecondsMax / 60} minutes.`;

/** End one session. */
export const endSession = contract({
  operation: 'endSession',
  access: 'session',
  method: 'DELETE',
  path: '/account/sessions/{sessionId}',
  summary: 'End one session',
  description: `Its browser must sign in again. ${enteredLately}`,
  pathParameters: Type.Object({ sessionId: Text({ maxLength: 100 }) }),
  answer: NoAnswer,
});

/** End all other sessions. */
export const endOtherSessions = contract({
  operation: 'endOtherSessions',
  access: 'session',
  method: 'DELETE',
  path: '/account/sessions',
  summary: 'End all other sessions',
  description: `Their browsers must sign in again. ${enteredLately}`,
  answer: NoAnswer,
});
