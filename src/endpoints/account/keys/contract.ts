/** The keys of the user. */
import Type from 'typebox';
import { contract } from '../../../contract/endpoint.ts';
import { Text } from '../../../contract/shapes.ts';

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
