/** The latest requests of the user's keys. */
import Type from 'typebox';
import {
  KeyName,
  reasonLengthMax,
  recentRequestDays,
  recentRequestsMax,
} from '../../../contract/account.ts';
import { contract } from '../../../contract/endpoint.ts';
import { OrNull } from '../../../contract/records.ts';

/** List the latest requests. */
export const listRecentRequests = contract({
  operation: 'listRecentRequests',
  access: 'session',
  method: 'GET',
  path: '/account/requests',
  summary: 'List the latest requests',
  description: `The last ${recentRequestsMax} requests of all keys of the user, newest first, none older than ${recentRequestDays} days.`,
  answer: Type.Object({
    requests: Type.Array(
      Type.Object({
        at: Type.Integer({ description: 'When it was answered. Unix epoch time in milliseconds.' }),
        operation: Type.String(),
        call: Type.String({ description: 'Method and path.' }),
        status: Type.Integer(),
        reason: OrNull(
          Type.String({
            description: `Why it was refused or failed: the first ${reasonLengthMax} characters of the message, without secrets and values of the request.`,
          }),
        ),
        key: KeyName,
        milliseconds: Type.Number({ description: 'How long the answer took.' }),
        requestId: Type.String(),
      }),
    ),
  }),
});
