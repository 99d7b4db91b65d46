/** The session of the browser. */
import Type from 'typebox';
import {
  confirmationSecondsMax,
  EnteredPassword,
  SecondFactorCode,
  Session,
} from '../../../contract/account.ts';
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
    'Begins a session and sets its cookie. Every failure gets the same answer after the same time, ' +
    'but for a right password without the code of the second factor: `codeRequired` is then true.',
  body: Type.Object({
    email: Type.String({
      minLength: 1,
      maxLength: 254,
      trimmed: true,
      letters: 'lower',
      description: 'E-mail address.',
    }),
    password: EnteredPassword,
    code: Type.Optional(SecondFactorCode),
  }),
  answer: Session,
});

/** Read the session. */
export const readSession = contract({
  operation: 'readSession',
  access: 'session',
  withoutSecondFactor: true,
  method: 'GET',
  path: '/account/session',
  summary: 'Read the session',
  description:
    'Status 401 when nobody is signed in. `needsSecondFactor` says whether this user must set up a second factor first.',
  answer: Session,
});

/** Sign out. */
export const signOut = contract({
  operation: 'signOut',
  access: 'session',
  withoutSecondFactor: true,
  method: 'DELETE',
  path: '/account/session',
  summary: 'Sign out',
  description: 'Ends the session and deletes its cookie.',
  answer: NoAnswer,
});

/** Enter the password again. */
export const confirmPassword = contract({
  operation: 'confirmPassword',
  access: 'session',
  method: 'POST',
  path: '/account/session/confirmation',
  summary: 'Enter the password again',
  description: `For ${confirmationSecondsMax / 60} minutes it allows what needs the password, such as to reveal keys. The session gets a new token, and the old one ends. Status 403 when the password is wrong.`,
  body: Type.Object({ password: EnteredPassword }),
  answer: Session,
});
