/** The second factor of the user: codes of an authenticator app. */
import Type from 'typebox';
import { EnteredPassword, SecondFactorCode } from '../../../contract/account.ts';
import { contract } from '../../../contract/endpoint.ts';
import { Instant, OrNull } from '../../../contract/records.ts';
import { NoAnswer } from '../../../contract/shapes.ts';

const RecoveryCodes = Type.Object({
  recoveryCodes: Type.Array(Type.String(), {
    description: 'Each works once in place of a code. No other answer contains them.',
  }),
});

/** Read whether the second factor is on. */
export const readSecondFactor = contract({
  operation: 'readSecondFactor',
  access: 'session',
  withoutSecondFactor: true,
  method: 'GET',
  path: '/account/secondFactor',
  summary: 'Read whether the second factor is on',
  description: 'With the number of recovery codes that are left.',
  answer: Type.Object({
    onSince: OrNull(Instant('When it was turned on; null while it is off.')),
    codesLeft: Type.Integer({ description: 'Recovery codes that were not used.' }),
    isRequired: Type.Boolean({ description: 'Whether the service requires one of every user.' }),
  }),
});

/** Begin to turn the second factor on. */
export const enrolSecondFactor = contract({
  operation: 'enrolSecondFactor',
  access: 'session',
  withoutSecondFactor: true,
  method: 'POST',
  path: '/account/secondFactor',
  summary: 'Begin to turn the second factor on',
  description:
    'Answers a secret for an authenticator app (RFC 6238). Sign-in asks for codes once the first one is confirmed.',
  body: Type.Object({ password: EnteredPassword }),
  answer: Type.Object({
    secret: Type.String({ description: 'The secret in base32.' }),
    address: Type.String({ description: 'The same as an otpauth address, which apps open.' }),
  }),
});

/** Turn the second factor on by its first code. */
export const confirmSecondFactor = contract({
  operation: 'confirmSecondFactor',
  access: 'session',
  withoutSecondFactor: true,
  method: 'PUT',
  path: '/account/secondFactor',
  summary: 'Turn the second factor on by its first code',
  description: 'Ends all other sessions. Status 403 when the code is wrong.',
  body: Type.Object({ code: SecondFactorCode }),
  answer: RecoveryCodes,
});

/** Turn the second factor off. */
export const removeSecondFactor = contract({
  operation: 'removeSecondFactor',
  access: 'session',
  method: 'DELETE',
  path: '/account/secondFactor',
  summary: 'Turn the second factor off',
  description:
    'Deletes its recovery codes, too. Status 403 when the password is wrong, 409 when the service requires a second factor.',
  body: Type.Object({ password: EnteredPassword }),
  answer: NoAnswer,
});

/** Replace the recovery codes. */
export const renewRecoveryCodes = contract({
  operation: 'renewRecoveryCodes',
  access: 'session',
  method: 'POST',
  path: '/account/secondFactor/recoveryCodes',
  summary: 'Replace the recovery codes',
  description: 'Status 403 when the password is wrong, 409 while the second factor is off.',
  body: Type.Object({ password: EnteredPassword }),
  answer: RecoveryCodes,
});
