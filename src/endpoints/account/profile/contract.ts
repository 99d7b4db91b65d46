/** The signed-in user's own record. */
import Type from 'typebox';
import { Role, userNameLengthMax } from '../../../contract/account.ts';
import { contract } from '../../../contract/endpoint.ts';
import { Instant, OrNull } from '../../../contract/records.ts';

const Profile = Type.Object({
  userId: Type.String(),
  email: Type.String(),
  name: OrNull(Type.String({ description: 'The name that the user has chosen.' })),
  role: Role,
  organisation: Type.String({ description: 'Name of the organisation.' }),
  isRestricted: Type.Boolean({
    description: 'Whether the user may use only the channels that were granted by name.',
  }),
  channels: Type.Integer({ description: 'Number of channels that the user may use.' }),
  lastSignInAt: OrNull(Instant('When the user last signed in.')),
  createdAt: Instant('When the user was created.'),
});

/** Read the profile of the user. */
export const readProfile = contract({
  operation: 'readProfile',
  access: 'session',
  method: 'GET',
  path: '/account/profile',
  summary: 'Read the profile of the user',
  description: 'The record of the signed-in user.',
  answer: Profile,
});

/** Change the profile of the user. */
export const changeProfile = contract({
  operation: 'changeProfile',
  access: 'session',
  method: 'PATCH',
  path: '/account/profile',
  summary: 'Change the profile of the user',
  description:
    'Users change their name. The e-mail address, the role and the channels are for others to change.',
  body: Type.Object({
    name: Type.String({
      maxLength: userNameLengthMax,
      trimmed: true,
      description: 'Name of the user; an empty one removes it.',
    }),
  }),
  answer: Profile,
});
