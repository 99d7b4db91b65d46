/** The interface of the account pages: sign-in, sessions, the key, its usage. Only these pages call it, from the same origin. */
import Type, { type Static } from 'typebox';
import { type Contract, contract } from '../../contract/endpoint.ts';
import { NoAnswer, OneOf, Text } from '../../contract/shapes.ts';

/** The password of a user, as the operator and the user may set it. */
export const passwordLengthMin = 12;
export const passwordLengthMax = 200;
/** How long after the password was entered a key may be revealed. */
export const confirmationSecondsMax = 900;
/** Days of usage that are shown, today included. */
export const usageDays = 30;
/** Requests that are listed one by one, and the days for which they are kept. */
export const recentRequestsMax = 50;
export const recentRequestDays = 7;

const Instant = (description: string) =>
  Type.Integer({ description: `${description} Unix epoch time in whole seconds.` });
const OrNull = <Schema extends ReturnType<typeof Instant> | ReturnType<typeof Type.String>>(
  schema: Schema,
) => Type.Union([schema, Type.Null()]);
const Role = OneOf(['owner', 'administrator', 'member']);
/** A password that is entered: whatever it is, it is only compared. */
const EnteredPassword = Type.String({
  minLength: 1,
  maxLength: passwordLengthMax,
  description: 'The password.',
});
const NewPassword = Type.String({
  minLength: passwordLengthMin,
  maxLength: passwordLengthMax,
  description: 'The new password.',
});
const LinkToken = Text({ maxLength: 100, description: 'What follows # in the link.' });

/** Who is signed in. */
export const Session = Type.Object({
  userId: Type.String(),
  email: Type.String(),
  role: Role,
  organisation: Type.String({ description: 'Name of the organisation.' }),
  confirmedUntil: Instant(
    'Until then the password need not be entered again before a key is revealed.',
  ),
});
export type Session = Static<typeof Session>;

const signIn = contract({
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

const readSession = contract({
  operation: 'readSession',
  access: 'session',
  method: 'GET',
  path: '/account/session',
  summary: 'Read who is signed in',
  description: '401 where nobody is.',
  answer: Session,
});

const signOut = contract({
  operation: 'signOut',
  access: 'session',
  method: 'DELETE',
  path: '/account/session',
  summary: 'Sign out',
  description: 'Ends the session and takes its cookie away.',
  answer: NoAnswer,
});

const confirmPassword = contract({
  operation: 'confirmPassword',
  access: 'session',
  method: 'POST',
  path: '/account/session/confirmation',
  summary: 'Enter the password again',
  description: `For ${confirmationSecondsMax / 60} minutes after it a key may be revealed. 403 where it is wrong.`,
  body: Type.Object({ password: EnteredPassword }),
  answer: Session,
});

const listSessions = contract({
  operation: 'listSessions',
  access: 'session',
  method: 'GET',
  path: '/account/sessions',
  summary: 'List where the user is signed in',
  description: 'The present session first, then the one that was seen last.',
  answer: Type.Object({
    sessions: Type.Array(
      Type.Object({
        sessionId: Type.String(),
        browser: Type.String({ description: 'Such as Firefox on Linux.' }),
        createdAt: Instant('When it began.'),
        lastSeenAt: Instant('When it was last used, to the minute.'),
        expiresAt: Instant('When it ends at the latest.'),
        isCurrent: Type.Boolean(),
      }),
    ),
  }),
});

const endSession = contract({
  operation: 'endSession',
  access: 'session',
  method: 'DELETE',
  path: '/account/sessions/{sessionId}',
  summary: 'End one session',
  description: 'Whoever holds its cookie must sign in again.',
  pathParameters: Type.Object({ sessionId: Text({ maxLength: 100 }) }),
  answer: NoAnswer,
});

const endOtherSessions = contract({
  operation: 'endOtherSessions',
  access: 'session',
  method: 'DELETE',
  path: '/account/sessions',
  summary: 'End all sessions but the present one',
  description: 'Whoever holds one of their cookies must sign in again.',
  answer: NoAnswer,
});

const changePassword = contract({
  operation: 'changePassword',
  access: 'session',
  method: 'PUT',
  path: '/account/password',
  summary: 'Change the password',
  description: 'Ends all other sessions. 403 where the present password is wrong.',
  body: Type.Object({ password: EnteredPassword, newPassword: NewPassword }),
  answer: Session,
});

const readPasswordLink = contract({
  operation: 'readPasswordLink',
  access: 'open',
  method: 'POST',
  path: '/account/passwordLink',
  summary: 'Read what an invitation or a reset link is for',
  description: 'It can be used afterwards. 404 where it was used, has expired or never existed.',
  body: Type.Object({ token: LinkToken }),
  answer: Type.Object({
    purpose: OneOf(['invitation', 'reset']),
    email: Type.String(),
    organisation: Type.String(),
    expiresAt: Instant('When it ends.'),
  }),
});

const usePasswordLink = contract({
  operation: 'usePasswordLink',
  access: 'open',
  method: 'PUT',
  path: '/account/passwordLink',
  summary: 'Choose a password by an invitation or a reset link',
  description: 'Works once, ends all sessions of the user and begins a new one.',
  body: Type.Object({ token: LinkToken, newPassword: NewPassword }),
  answer: Session,
});

const Key = Type.Object({
  keyId: Type.String(),
  masked: Type.String({ description: 'Its first and last characters, such as vit_live_••••3kQ9.' }),
  limits: Type.Object({ perSecond: Type.Integer(), burst: Type.Integer(), perDay: Type.Integer() }),
  createdAt: Instant('When it was issued.'),
  lastUsedAt: OrNull(Instant('When it was last used.')),
  expiresAt: OrNull(Instant('When it ends.')),
});

const readAccess = contract({
  operation: 'readAccess',
  access: 'session',
  method: 'GET',
  path: '/account/access',
  summary: 'Read what the user may use: key, plan, entitlements',
  description:
    'Keys that are valid, the newest first: there are two only while a rotated one is in its time of grace. Members have none.',
  answer: Type.Object({
    role: Role,
    organisation: Type.String(),
    plan: OneOf(['standard', 'enterprise']),
    apiAccess: Type.Boolean({ description: 'Whether the organisation may use the API.' }),
    orders: Type.Boolean({ description: 'Whether orders may be read: with the enterprise plan.' }),
    searchQueryPerformance: Type.Boolean(),
    searchQueryProductMax: Type.Integer({
      description: 'Products in an answer of Search Query Performance, at most.',
    }),
    channels: Type.Integer({ description: 'How many channels the user may reach.' }),
    environment: OneOf(['production', 'staging']),
    address: Type.String({ description: 'The address of the API, without a slash at its end.' }),
    keys: Type.Array(Key),
    /** Whom a member asks; nobody's address is told to anybody of another organisation. */
    administrators: Type.Array(Type.String(), {
      description:
        'E-mail addresses of owners and administrators of the organisation, for members.',
    }),
    contact: OrNull(
      Type.String({
        description:
          'How the operator of the service is reached: an e-mail address or an address of the web.',
      }),
    ),
  }),
});

const revealKey = contract({
  operation: 'revealKey',
  access: 'session',
  method: 'POST',
  path: '/account/keys/{keyId}/reveal',
  summary: 'Reveal a key',
  description:
    '403 where the password must be entered again first. Every reveal is kept in the audit.',
  pathParameters: Type.Object({ keyId: Text({ maxLength: 100 }) }),
  personal: true,
  answer: Type.Object({ key: Type.String() }),
});

const counts = {
  requests: Type.Integer({ description: 'All requests, whatever came of them.' }),
  refused: Type.Integer({ description: 'Answered with a status of 400 to 499, but not 429.' }),
  limited: Type.Integer({ description: 'Beyond the limits of the key, answered with 429.' }),
  failed: Type.Integer({ description: 'Answered with a status of 500 or more.' }),
};

const readUsage = contract({
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

const listRecentRequests = contract({
  operation: 'listRecentRequests',
  access: 'session',
  method: 'GET',
  path: '/account/requests',
  summary: 'List the last requests',
  description: `The last ${recentRequestsMax} of all keys of the user, newest first, none older than ${recentRequestDays} days.`,
  answer: Type.Object({
    requests: Type.Array(
      Type.Object({
        at: Type.Integer({ description: 'When it was answered. Unix epoch time in milliseconds.' }),
        operation: Type.String(),
        call: Type.String({ description: 'Method and path.' }),
        status: Type.Integer(),
        milliseconds: Type.Number({ description: 'How long the answer took.' }),
        requestId: Type.String(),
      }),
    ),
  }),
});

/** Every operation by its name. */
export const accountContracts = {
  signIn,
  readSession,
  signOut,
  confirmPassword,
  listSessions,
  endSession,
  endOtherSessions,
  changePassword,
  readPasswordLink,
  usePasswordLink,
  readAccess,
  revealKey,
  readUsage,
  listRecentRequests,
} satisfies Readonly<Record<string, Contract>>;
