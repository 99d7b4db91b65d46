/** Limits and shapes of the account pages, which their contracts state and other rooms enforce. */
import Type, { type Static } from 'typebox';
import { Id, Instant, OrNull } from './records.ts';
import { roles } from './roles.ts';
import { List, OneOf, Text } from './shapes.ts';

/** The fewest characters of a password that the operator or the user may set. */
export const passwordLengthMin = 12;
/** The most characters of a password. */
export const passwordLengthMax = 200;
/** How long a key may be revealed after the password was entered. */
export const confirmationSecondsMax = 900;
/** Days of usage that the account pages show, including today. */
export const usageDays = 30;
/** The most requests of a user that are retained and listed one by one. */
export const recentRequestsMax = 50;
/** Days for which these requests are retained. */
export const recentRequestDays = 7;
/** The most characters stored of the reason for a refused request. */
export const reasonLengthMax = 300;
/** How long a password link is valid unless the operator names a time, in seconds. */
export const linkSecondsDefault = { invitation: 7 * 86_400, reset: 86_400 } as const;

/** The identifier and name of a key, as its user sees them. */
export const KeyName = Type.Object({
  keyId: Type.String(),
  name: Type.String({ description: 'The name that the operator gave it.' }),
  hint: Type.String({ description: 'Its last four characters, such as ...Vj6U.' }),
});

/** The role of a user. */
export const Role = OneOf([...roles]);

/** The e-mail address of a user, as the operator or an administrator enters it. */
export const UserEmail = Type.String({
  minLength: 3,
  maxLength: 254,
  pattern: '^[^\\s@]+@[^\\s@]+$',
  trimmed: true,
  letters: 'lower',
  words: { pattern: 'must be an e-mail address' },
  description: 'E-mail address, stored in lower case; unique.',
});

/** The most characters in the name of a user. */
export const userNameLengthMax = 100;

/** The name of a user. */
export const UserName = Text({
  maxLength: userNameLengthMax,
  trimmed: true,
  examples: ['Maria Reyes'],
  description: 'Name of the user.',
});

/** The channels that a user may use, in an answer. */
export const UserChannels = Type.Union([Type.Array(Type.String()), Type.Literal('all')], {
  description: 'The channels that the user may use.',
});

/** The channels that a user is granted, in a request. */
export const GrantedChannels = Type.Union(
  [List(Id('channel'), { maxItems: 10_000 }), Type.Literal('all')],
  { words: { anyOf: 'must be an array of channel identifiers or all' } },
);

/** A link where a user chooses a password, in the answer that issues it. */
export const passwordLinkFields = {
  url: Type.String({ description: 'The link. No other answer contains it.' }),
  expiresAt: Instant('When it expires.'),
};

/** A password that the user enters to prove who they are. */
export const EnteredPassword = Type.String({
  minLength: 1,
  maxLength: passwordLengthMax,
  description: 'The current password.',
});

/** A password that the user chooses. */
export const NewPassword = Type.String({
  minLength: passwordLengthMin,
  maxLength: passwordLengthMax,
  description: 'The new password.',
});

/** A code of the second factor, or a recovery code. */
export const SecondFactorCode = Type.String({
  minLength: 1,
  maxLength: 40,
  description: 'The code of an authenticator app, or a recovery code.',
});

/** The signed-in user. */
export const Session = Type.Object({
  userId: Type.String(),
  email: Type.String(),
  name: OrNull(Type.String({ description: 'The name that the user has chosen.' })),
  role: Role,
  organisation: Type.String({ description: 'Name of the organisation.' }),
  confirmedUntil: Instant('Until then a key may be revealed without entering the password again.'),
  needsSecondFactor: Type.Boolean({
    description: 'Whether the user must set up a second factor before anything else is answered.',
  }),
});
/** The signed-in user, as a value. */
export type Session = Static<typeof Session>;
