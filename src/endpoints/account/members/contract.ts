/** The members of the user's organisation, for its owners and administrators. */
import Type from 'typebox';
import {
  GrantedChannels,
  passwordLinkFields,
  Role,
  UserChannels,
  UserEmail,
  UserName,
} from '../../../contract/account.ts';
import { contract } from '../../../contract/endpoint.ts';
import { AllOptional, Id, Instant, ListOf, OrNull, pages } from '../../../contract/records.ts';
import { NoAnswer } from '../../../contract/shapes.ts';

/** The most users that an organisation may have when one of them invites another. */
export const membersMax = 1_000;

const confirmed =
  'Status 403 with `passwordRequired` when the password must be entered again first. The audit log records it.';

const Member = Type.Object({
  userId: Type.String(),
  email: Type.String(),
  name: OrNull(Type.String({ description: 'The name; null without one.' })),
  role: Role,
  channelIds: UserChannels,
  hasPassword: Type.Boolean({ description: 'False until the member has chosen a password.' }),
  invitedUntil: OrNull(Instant('When the pending password link expires.')),
  hasSecondFactor: Type.Boolean({ description: 'Whether sign-in asks for a code, too.' }),
  lastSignInAt: OrNull(Instant('When the member last signed in.')),
  isYou: Type.Boolean({ description: 'Whether this is the signed-in user.' }),
  mayChange: Type.Boolean({ description: 'Whether the signed-in user may change this member.' }),
});

/** List the members of the organisation. */
export const listMembers = contract({
  operation: 'listMembers',
  access: 'session',
  method: 'GET',
  path: '/account/members',
  summary: 'List the members of the organisation',
  description:
    'Sorted by e-mail address. Status 403 for members. Users whose channels are restricted see ' +
    'only those among the channels of others.',
  query: Type.Object(pages),
  answer: Type.Object({
    ...ListOf('members', Member).properties,
    roles: Type.Array(Role, { description: 'The roles that the signed-in user may give.' }),
  }),
});

/** Invite a member. */
export const inviteMember = contract({
  operation: 'inviteMember',
  access: 'session',
  method: 'POST',
  path: '/account/members',
  summary: 'Invite a member',
  description:
    'Creates a user of the organisation, and a link by which this person chooses a password. Send ' +
    `the link yourself: anybody who has it can sign in as this user. ${confirmed}`,
  body: Type.Object({
    email: UserEmail,
    name: Type.Optional(UserName),
    role: Role,
    channelIds: Type.Optional(GrantedChannels),
  }),
  personal: true,
  answer: Type.Object({ userId: Type.String(), ...passwordLinkFields }),
});

/** Renew an invitation. */
export const renewInvitation = contract({
  operation: 'renewInvitation',
  access: 'session',
  method: 'POST',
  path: '/account/members/{userId}/invitation',
  summary: 'Renew an invitation',
  description:
    'Issues another link in place of the one before. Status 409 for a member who has a password: ' +
    `only the operator resets that. ${confirmed}`,
  pathParameters: Type.Object({ userId: Id('member') }),
  personal: true,
  answer: Type.Object(passwordLinkFields),
});

/** Change a member. */
export const changeMember = contract({
  operation: 'changeMember',
  access: 'session',
  method: 'PATCH',
  path: '/account/members/{userId}',
  summary: 'Change a member',
  description:
    'Absent fields stay unchanged. Who becomes a member keeps only the channels that were granted ' +
    'by name; a member who becomes an owner or administrator may use all. Keys of members do not ' +
    `work. ${confirmed}`,
  pathParameters: Type.Object({ userId: Id('member') }),
  body: AllOptional({ role: Role, channelIds: GrantedChannels }),
  answer: Member,
});

/** Remove a member. */
export const removeMember = contract({
  operation: 'removeMember',
  access: 'session',
  method: 'DELETE',
  path: '/account/members/{userId}',
  summary: 'Remove a member',
  description: `Deletes the user with all keys and ends all sessions at once. ${confirmed}`,
  pathParameters: Type.Object({ userId: Id('member') }),
  answer: NoAnswer,
});
