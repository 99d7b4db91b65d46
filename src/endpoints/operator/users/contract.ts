/** Users of organisations. */
import Type from 'typebox';
import { contract } from '../../../contract/endpoint.ts';
import { AllOptional, Id, Instant, ListOf, pages } from '../../../contract/records.ts';
import { List, NoAnswer, OneOf } from '../../../contract/shapes.ts';

const linkSecondsMax = 30 * 86_400;

const Email = Type.String({
  minLength: 3,
  maxLength: 254,
  pattern: '^[^\\s@]+@[^\\s@]+$',
  trimmed: true,
  letters: 'lower',
  words: { pattern: 'must be an e-mail address' },
  description: 'E-mail address, taken in lower case; no two users have the same.',
});

const Role = OneOf(['owner', 'administrator', 'member'], {
  description:
    'Owners and administrators reach every channel of their organisation and may have keys; members reach what they are granted.',
});

const Password = Type.String({
  minLength: 12,
  maxLength: 200,
  description: 'Password for the account pages. Only a hash of it is kept.',
});

const User = Type.Object({
  userId: Type.String(),
  organisationId: Type.String(),
  email: Type.String(),
  role: Role,
  channelIds: Type.Union([Type.Array(Type.String()), Type.Literal('all')], {
    description: 'The channels that the user may reach.',
  }),
  hasPassword: Type.Boolean({ description: 'Whether the user can sign in to the account pages.' }),
  createdAt: Instant('When it was made.'),
});

/** Create a user. */
export const createUser = contract({
  operation: 'createUser',
  access: 'operator',
  method: 'POST',
  path: '/operator/users',
  summary: 'Create a user',
  description:
    'An owner or administrator reaches every channel of the organisation at first, a member none.',
  body: Type.Object({
    organisationId: Id('organisation'),
    email: Email,
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
  description: 'By e-mail address; those of one organisation where it is named.',
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
  description: 'Role and reach of a user.',
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
    'Fields that are left out stay as they are. Who becomes a member keeps only the channels that were granted by name; ' +
    'a member who becomes owner or administrator reaches all channels, until that is restricted again. ' +
    'Another password signs the user out everywhere; it ends a link to choose one, and so does another e-mail address.',
  pathParameters: Type.Object({ userId: Id('user') }),
  body: AllOptional({ email: Email, role: Role, password: Password }),
  idempotencyKey: true,
  answer: User,
});

/** Delete a user with all keys of this user. */
export const deleteUser = contract({
  operation: 'deleteUser',
  access: 'operator',
  method: 'DELETE',
  path: '/operator/users/{userId}',
  summary: 'Delete a user with all keys of this user',
  description:
    'The keys end at once, on other nodes within five seconds. Nothing of the user is left but the entries of the audit.',
  pathParameters: Type.Object({ userId: Id('user') }),
  answer: NoAnswer,
});

/** Say which channels a user may reach. */
export const grantChannels = contract({
  operation: 'grantChannels',
  access: 'operator',
  method: 'PUT',
  path: '/operator/users/{userId}/channels',
  summary: 'Say which channels a user may reach',
  description:
    'Replaces what was granted before: a list of channels of the user\'s organisation, or "all" for all that it has and will have.',
  pathParameters: Type.Object({ userId: Id('user') }),
  body: Type.Object({
    channelIds: Type.Union([List(Id('channel'), { maxItems: 10_000 }), Type.Literal('all')], {
      words: { anyOf: 'must be an array of channel identifiers or all' },
    }),
  }),
  answer: User,
});

/** Issue a link by which a user chooses a password. */
export const issuePasswordLink = contract({
  operation: 'issuePasswordLink',
  access: 'operator',
  method: 'POST',
  path: '/operator/users/{userId}/passwordLinks',
  summary: 'Issue a link by which a user chooses a password',
  description:
    'Works once, and in place of a link that was issued before. Send it to the user yourself: whoever has it can sign in as the user.',
  pathParameters: Type.Object({ userId: Id('user') }),
  body: AllOptional({
    purpose: OneOf(['invitation', 'reset'], {
      description:
        'What the page says; invitation where the user has no password, else reset, unless it is said.',
    }),
    validSeconds: Type.Integer({
      minimum: 60,
      maximum: linkSecondsMax,
      description:
        'For how long it can be used; 7 days for an invitation, 1 day for a reset unless it is said.',
    }),
  }),
  idempotencyKey: true,
  answer: Type.Object({
    url: Type.String({ description: 'The link, which is answered only here.' }),
    purpose: OneOf(['invitation', 'reset']),
    expiresAt: Instant('When it ends.'),
  }),
});

/** Sign a user out everywhere. */
export const endUserSessions = contract({
  operation: 'endUserSessions',
  access: 'operator',
  method: 'DELETE',
  path: '/operator/users/{userId}/sessions',
  summary: 'Sign a user out everywhere',
  description: 'Ends every session of the account pages at once. Keys stay valid.',
  pathParameters: Type.Object({ userId: Id('user') }),
  answer: NoAnswer,
});
