/** Users of organisations. */
import Type from 'typebox';
import {
  GrantedChannels,
  passwordLinkFields,
  UserChannels,
  UserEmail,
  UserName,
} from '../../../contract/account.ts';
import { contract } from '../../../contract/endpoint.ts';
import { AllOptional, Id, Instant, ListOf, OrNull, pages } from '../../../contract/records.ts';
import { roles } from '../../../contract/roles.ts';
import { NoAnswer, OneOf } from '../../../contract/shapes.ts';

const linkSecondsMax = 30 * 86_400;

const Role = OneOf([...roles], {
  description:
    'Owners and administrators use all channels of their organisation and may have keys; members ' +
    'use the channels that they are granted; viewers read these and change nothing.',
});

const Password = Type.String({
  minLength: 12,
  maxLength: 200,
  description: 'Password for the account pages. Only its hash is stored.',
});

const User = Type.Object(
  {
    userId: Type.String(),
    organisationId: Type.String(),
    email: Type.String(),
    name: OrNull(Type.String({ description: 'The name; null without one.' })),
    role: Role,
    channelIds: UserChannels,
    hasPassword: Type.Boolean({
      description: 'Whether the user can sign in to the account pages.',
    }),
    lastSignInAt: OrNull(Instant('When the user last signed in.')),
    createdAt: Instant('When it was created.'),
  },
  { component: 'User' },
);

/** Create a user. */
export const createUser = contract({
  operation: 'createUser',
  access: 'operator',
  method: 'POST',
  path: '/operator/users',
  summary: 'Create a user',
  description:
    'At first an owner or administrator may use every channel of the organisation, a member none.',
  body: Type.Object({
    organisationId: Id('organisation'),
    email: UserEmail,
    name: Type.Optional(UserName),
    role: Role,
    password: Type.Optional(Password),
  }),
  idempotencyKey: true,
  answer: Type.Object({ userId: Type.String() }),
});

/** List users. */
export const listUsers = contract({
  operation: 'listUsers',
  access: 'operator',
  method: 'GET',
  path: '/operator/users',
  summary: 'List users',
  description: 'Sorted by e-mail address; optionally of one organisation.',
  query: Type.Object({ organisationId: Type.Optional(Id('organisation')), ...pages }),
  answer: ListOf('users', User),
});

/** Read a user. */
export const readUser = contract({
  operation: 'readUser',
  access: 'operator',
  method: 'GET',
  path: '/operator/users/{userId}',
  summary: 'Read a user',
  description: 'The role and the channels of a user.',
  pathParameters: Type.Object({ userId: Id('user') }),
  answer: User,
});

/** Change a user. */
export const changeUser = contract({
  operation: 'changeUser',
  access: 'operator',
  method: 'PATCH',
  path: '/operator/users/{userId}',
  summary: 'Change a user',
  description:
    'Absent fields stay unchanged.\n\n' +
    'A user who becomes a member keeps only the channels that were granted by name. A member who becomes ' +
    'owner or administrator may use all channels until they are restricted again.\n\n' +
    'A new password signs the user out everywhere. A new password or e-mail address also ends a pending password link.',
  pathParameters: Type.Object({ userId: Id('user') }),
  body: AllOptional({ email: UserEmail, name: UserName, role: Role, password: Password }),
  idempotencyKey: true,
  answer: User,
});

/** Delete a user with all keys. */
export const deleteUser = contract({
  operation: 'deleteUser',
  access: 'operator',
  method: 'DELETE',
  path: '/operator/users/{userId}',
  summary: 'Delete a user with all keys',
  description:
    'The keys stop working at once, on other nodes within five seconds. Only the entries of the audit log remain.',
  pathParameters: Type.Object({ userId: Id('user') }),
  answer: NoAnswer,
});

/** Grant channels to a user. */
export const grantChannels = contract({
  operation: 'grantChannels',
  access: 'operator',
  method: 'PUT',
  path: '/operator/users/{userId}/channels',
  summary: 'Grant channels to a user',
  description:
    'Replaces earlier grants with a list of channels of the organisation, or with "all" for its present and future channels.',
  pathParameters: Type.Object({ userId: Id('user') }),
  body: Type.Object({ channelIds: GrantedChannels }),
  answer: User,
});

/** Issue a password link. */
export const issuePasswordLink = contract({
  operation: 'issuePasswordLink',
  access: 'operator',
  method: 'POST',
  path: '/operator/users/{userId}/passwordLinks',
  summary: 'Issue a password link',
  description:
    'By the link a user chooses a password. It works once and replaces an earlier link. Send it to the user yourself: anybody who has it can sign in as the user.',
  pathParameters: Type.Object({ userId: Id('user') }),
  body: AllOptional({
    purpose: OneOf(['invitation', 'reset'], {
      description:
        'The wording of the page; by default invitation for a user without a password, otherwise reset.',
    }),
    validSeconds: Type.Integer({
      minimum: 60,
      maximum: linkSecondsMax,
      description:
        'How long the link is valid; by default 7 days for an invitation, 1 day for a reset.',
    }),
  }),
  idempotencyKey: true,
  answer: Type.Object({
    ...passwordLinkFields,
    purpose: OneOf(['invitation', 'reset']),
  }),
});

/** Sign a user out everywhere. */
export const endUserSessions = contract({
  operation: 'endUserSessions',
  access: 'operator',
  method: 'DELETE',
  path: '/operator/users/{userId}/sessions',
  summary: 'Sign a user out everywhere',
  description: 'Ends all sessions of the account pages at once. Keys stay valid.',
  pathParameters: Type.Object({ userId: Id('user') }),
  answer: NoAnswer,
});

/** Turn the second factor of a user off. */
export const removeUserSecondFactor = contract({
  operation: 'removeUserSecondFactor',
  access: 'operator',
  method: 'DELETE',
  path: '/operator/users/{userId}/secondFactor',
  summary: 'Turn the second factor of a user off',
  description: 'For a user who has lost the authenticator app and the recovery codes.',
  pathParameters: Type.Object({ userId: Id('user') }),
  answer: NoAnswer,
});
