/** Links by which users choose a password. */
import Type from 'typebox';
import { NewPassword, SecondFactorCode, Session } from '../../../contract/account.ts';
import { contract } from '../../../contract/endpoint.ts';
import { Instant } from '../../../contract/records.ts';
import { OneOf, Text } from '../../../contract/shapes.ts';

const LinkToken = Text({ maxLength: 100, description: 'The part of the link after #.' });

/** Read a password link. */
export const readPasswordLink = contract({
  operation: 'readPasswordLink',
  access: 'open',
  method: 'POST',
  path: '/account/passwordLink',
  summary: 'Read a password link',
  description:
    'Does not use the link up. Status 404 when it was used, has expired or never existed.',
  body: Type.Object({ token: LinkToken }),
  answer: Type.Object({
    purpose: OneOf(['invitation', 'reset']),
    email: Type.String(),
    organisation: Type.String(),
    expiresAt: Instant('When it expires.'),
  }),
});

/** Choose a password by a link. */
export const usePasswordLink = contract({
  operation: 'usePasswordLink',
  access: 'open',
  method: 'PUT',
  path: '/account/passwordLink',
  summary: 'Choose a password by a link',
  description:
    'Works once. Ends all sessions of the user and begins a new one. Status 401 with `codeRequired` ' +
    'where the second factor is on and its code is missing or wrong; the link then stays.',
  body: Type.Object({
    token: LinkToken,
    newPassword: NewPassword,
    code: Type.Optional(SecondFactorCode),
  }),
  answer: Session,
});
