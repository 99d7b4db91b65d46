/** The session of the browser. */
import Type from 'typebox';
import { confirmationSecondsMax, EnteredPassword, Session } from '../../../contract/account.ts';
import { contract } from '../../../contract/endpoint.ts';
import { NoAnswer } from '../../../contract/shapes.ts';

/** Sign in. */
export const signIn = contract({
  operation: 'signIn',
  access: 'open',
  method: 'POST',
  path: '/account/session',
  summary: 'Sign in',
  description:
    'Begins a session, whose cookie the answer sets. Whatever is wrong is answered alike, after the same time.',
  body: Type.Object({
    email: Type.String({
      minLength: 1,
      maxLength: 254,
      trimmed: true,
      letters: 'lower',
      description: 'E-mail address.',
    }),
    password: EnteredPassword,
  }),
  answer: Session,
});

/** Read who is signed in. */
export const readSession = contract({
  operation: 'readSession',
  access: 'session',
  method: 'GET',
  path: '/account/session',
  summary: 'Read who is signed in',
  description: '401 where nobody is.',
  answer: Session,
});

/** Sign out. */
export const signOut = contract({
  operation: 'signOut',
  access: 'session',
  method: 'DELETE',
  path: '/account/session',
  summary: 'Sign out',
  description: 'Ends the session and takes its cookie away.',
  answer: NoAnswer,
});

/** Enter the password again. */
export const confirmPassword = contract({
  operation: 'confirmPassword',
  access: 'session',
  method: 'POST',
  path: '/account/session/confirmation',
  summary: 'Enter the password again',
  description: `For ${confirmationSecondsMax / 60} minutes after it a key may be revealed. 403 where it is wrong.`,
  body: Type.Object({ password: EnteredPassword }),
  answer: Session,
});
