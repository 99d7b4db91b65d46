/** Links by which users choose a password. */
import Type from 'typebox';
import { NewPassword, Session } from '../../../contract/account.ts';
import { contract } from '../../../contract/endpoint.ts';
import { Instant } from '../../../contract/records.ts';
import { OneOf, Text } from '../../../contract/shapes.ts';

const LinkToken = Text({ maxLength: 100, description: 'What follows # in the link.' });

/** Read what an invitation or a reset link is for. */
export const readPasswordLink = contract({
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

/** Choose a password by an invitation or a reset link. */
export const usePasswordLink = contract({
  operation: 'usePasswordLink',
  access: 'open',
  method: 'PUT',
  path: '/account/passwordLink',
  summary: 'Choose a password by an invitation or a reset link',
  description: 'Works once, ends all sessions of the user and begins a new one.',
  body: Type.Object({ token: LinkToken, newPassword: NewPassword }),
  answer: Session,
});
