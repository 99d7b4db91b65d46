/** Limits and shapes of the account pages that their contracts state and other rooms keep. */
import Type, { type Static } from 'typebox';
import { Instant } from './records.ts';
import { OneOf } from './shapes.ts';

/** Characters of a password, as the operator and the user may set it. */
export const passwordLengthMin = 12;
/** Characters of a password, at most. */
export const passwordLengthMax = 200;
/** How long a key may be revealed after the password was entered. */
export const confirmationSecondsMax = 900;
/** Days of usage that the account pages show, including today. */
export const usageDays = 30;
/** Requests of a user that are kept and listed one by one. */
export const recentRequestsMax = 50;
/** Days for which these requests are kept. */
export const recentRequestDays = 7;
/** Characters of the reason of a refused request that are kept, at most. */
export const reasonLengthMax = 300;
/** How long a password link is valid unless the operator names a time, in seconds. */
export const linkSecondsDefault = { invitation: 7 * 86_400, reset: 86_400 } as const;

/** How a key is named where its user sees it. */
export const KeyName = Type.Object({
  keyId: Type.String(),
  name: Type.String({ description: 'The name that the operator gave it.' }),
  hint: Type.String({ description: 'Its last four characters, such as ...Vj6U.' }),
});

/** The role of a user. */
export const Role = OneOf(['owner', 'administrator', 'member']);

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
  role: Role,
  organisation: Type.String({ description: 'Name of the organisation.' }),
  confirmedUntil: Instant('Until then a key may be revealed without entering the password again.'),
});
/** The signed-in user, as a value. */
export type Session = Static<typeof Session>;
