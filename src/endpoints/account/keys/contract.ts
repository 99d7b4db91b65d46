/** The user's keys, and the smaller keys that the user makes from them. */
import Type from 'typebox';
import { contract } from '../../../contract/endpoint.ts';
import {
  ForAssistant,
  KeyNameText,
  keyBounds,
  madeKeysMax,
  NewKey,
} from '../../../contract/keys.ts';
import { AllOptional, Id } from '../../../contract/records.ts';
import { NoAnswer, Text } from '../../../contract/shapes.ts';

const confirmed =
  'Status 403 with `passwordRequired` when the password must be entered again first. The audit log records it.';

/** Reveal a key. */
export const revealKey = contract({
  operation: 'revealKey',
  access: 'session',
  method: 'POST',
  path: '/account/keys/{keyId}/reveal',
  summary: 'Reveal a key',
  description:
    'Status 403 with `passwordRequired` when the password must be entered again first. The audit log records each reveal.',
  pathParameters: Type.Object({ keyId: Text({ maxLength: 100 }) }),
  personal: true,
  answer: Type.Object({ key: Type.String() }),
});

/** Make a key from another. */
export const makeKey = contract({
  operation: 'makeKey',
  access: 'session',
  method: 'POST',
  path: '/account/keys',
  summary: 'Make a key from another',
  description:
    'Makes a key from one that the operator issued to the user. It counts with that key, ends with ' +
    `it and never may do more. A user makes at most ${madeKeysMax} from one. ${confirmed}`,
  body: Type.Object({
    madeFrom: Id('key'),
    name: KeyNameText,
    ...AllOptional(keyBounds).properties,
    assistant: ForAssistant,
  }),
  personal: true,
  answer: NewKey,
});

/** Change a key that the user has made. */
export const changeMadeKey = contract({
  operation: 'changeMadeKey',
  access: 'session',
  method: 'PATCH',
  path: '/account/keys/{keyId}',
  summary: 'Change a key that the user has made',
  description: `Absent fields stay unchanged. ${confirmed}`,
  pathParameters: Type.Object({ keyId: Id('key') }),
  body: AllOptional({ name: KeyNameText, ...keyBounds }),
  answer: NoAnswer,
});

/** Revoke a key that the user has made. */
export const revokeMadeKey = contract({
  operation: 'revokeMadeKey',
  access: 'session',
  method: 'DELETE',
  path: '/account/keys/{keyId}',
  summary: 'Revoke a key that the user has made',
  description:
    'The key stops working at once, on other nodes within five seconds. The audit log records it.',
  pathParameters: Type.Object({ keyId: Id('key') }),
  answer: NoAnswer,
});
