/** The password of the user. */
import Type from 'typebox';
import { EnteredPassword, NewPassword, Session } from '../../../contract/account.ts';
import { contract } from '../../../contract/endpoint.ts';

/** Change the password. */
export const changePassword = contract({
  operation: 'changePassword',
  access: 'session',
  method: 'PUT',
  path: '/account/password',
  summary: 'Change the password',
  description:
    'Ends all other sessions, and gives this one another cookie. Status 403 when the current password is wrong.',
  body: Type.Object({ password: EnteredPassword, newPassword: NewPassword }),
  answer: Session,
});
