/** The operator's interface: organisations, users, keys and channels. Imports stream and are described where they are. */
import Type from 'typebox';
import { countryAlpha3 } from '../../contract/countries.ts';
import { type Contract, contract } from '../../contract/endpoint.ts';
import { epochSecondsMax, List, NoAnswer, OneOf, Text, Timezone } from '../../contract/shapes.ts';
import { AllOptional, Id, Instant, ListOf, OrNull, pages } from './shapes.ts';

/** How many products one Search Query Performance answer holds when the organisation's entitlement does not say. */
export const searchQueryProductMaxDefault = 50;
/** What a key may do when nothing else is said: requests a second, in a burst, and a day. */
export const limitsDefault = { perSecond: 10, burst: 20, perDay: 10_000 } as const;
/** How a channel's stock is replenished when nothing else is said, in days. */
export const replenishmentDefault = {
  leadTimeDays: 30,
  safetyStockDays: 14,
  targetCoverDays: 60,
} as const;

/** For how long a link by which a password is chosen can be used when nothing else is said, in seconds. */
export const linkSecondsDefault = { invitation: 7 * 86_400, reset: 86_400 } as const;

const graceSecondsMax = 30 * 86_400;
const linkSecondsMax = 30 * 86_400;
const replenishmentDaysMax = 1_000;
const limitMax = 1_000_000_000;
/** How many seconds' worth of requests a key may send at once. */
export const burstSecondsMax = 3_600;
const searchQueryProductMaxMax = 100_000;

const Plan = OneOf(['standard', 'enterprise'], {
  description: 'The plan of the organisation; enterprise brings the orders endpoint.',
});
const Name = Text({ maxLength: 200, trimmed: true, description: 'Name of the organisation.' });
const SearchQueryProductMax = Type.Integer({
  minimum: 1,
  maximum: searchQueryProductMaxMax,
  description: `How many products one Search Query Performance answer may hold; ${searchQueryProductMaxDefault} unless it is said.`,
});
const organisationSettings = {
  apiAccess: Type.Boolean({ description: 'Whether keys of the organisation may be used.' }),
  searchQueryPerformance: Type.Boolean({
    description: 'Whether Search Query Performance may be read.',
  }),
  searchQueryProductMax: SearchQueryProductMax,
};
const Organisation = Type.Object({
  organisationId: Type.String(),
  name: Type.String(),
  plan: Plan,
  ...organisationSettings,
  createdAt: Instant('When it was made.'),
});

const createOrganisation = contract({
  operation: 'createOrganisation',
  access: 'operator',
  method: 'POST',
  path: '/operator/organisations',
  summary: 'Create an organisation',
  description:
    'API access is enabled and Search Query Performance is not, unless the body says otherwise.',
  body: Type.Object({
    name: Name,
    plan: Type.Enum(['standard', 'enterprise'], { ...Plan, default: 'standard' }),
    ...AllOptional(organisationSettings).properties,
  }),
  idempotencyKey: true,
  answer: Type.Object({ organisationId: Type.String() }),
});

const listOrganisations = contract({
  operation: 'listOrganisations',
  access: 'operator',
  method: 'GET',
  path: '/operator/organisations',
  summary: 'List organisations',
  description: 'By name and then identifier.',
  query: Type.Object(pages),
  answer: ListOf('organisations', Organisation),
});

const readOrganisation = contract({
  operation: 'readOrganisation',
  access: 'operator',
  method: 'GET',
  path: '/operator/organisations/{organisationId}',
  summary: 'Read an organisation',
  description: 'Its plan and what it is entitled to.',
  pathParameters: Type.Object({ organisationId: Id('organisation') }),
  answer: Organisation,
});

const changeOrganisation = contract({
  operation: 'changeOrganisation',
  access: 'operator',
  method: 'PATCH',
  path: '/operator/organisations/{organisationId}',
  summary: 'Change an organisation',
  description: 'Fields that are left out stay as they are.',
  pathParameters: Type.Object({ organisationId: Id('organisation') }),
  body: AllOptional({ name: Name, plan: Plan, ...organisationSettings }),
  idempotencyKey: true,
  answer: Organisation,
});

const deleteOrganisation = contract({
  operation: 'deleteOrganisation',
  access: 'operator',
  method: 'DELETE',
  path: '/operator/organisations/{organisationId}',
  summary: 'Delete an organisation with its users and their keys',
  description:
    'Its channels must have been deleted before. Nothing is left but the entries of the audit.',
  pathParameters: Type.Object({ organisationId: Id('organisation') }),
  answer: NoAnswer,
});

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

const createUser = contract({
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

const listUsers = contract({
  operation: 'listUsers',
  access: 'operator',
  method: 'GET',
  path: '/operator/users',
  summary: 'List users',
  description: 'By e-mail address; those of one organisation where it is named.',
  query: Type.Object({ organisationId: Type.Optional(Id('organisation')), ...pages }),
  answer: ListOf('users', User),
});

const readUser = contract({
  operation: 'readUser',
  access: 'operator',
  method: 'GET',
  path: '/operator/users/{userId}',
  summary: 'Read a user',
  description: 'Role and reach of a user.',
  pathParameters: Type.Object({ userId: Id('user') }),
  answer: User,
});

const changeUser = contract({
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

const deleteUser = contract({
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

const grantChannels = contract({
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

const issuePasswordLink = contract({
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

const endUserSessions = contract({
  operation: 'endUserSessions',
  access: 'operator',
  method: 'DELETE',
  path: '/operator/users/{userId}/sessions',
  summary: 'Sign a user out everywhere',
  description: 'Ends every session of the account pages at once. Keys stay valid.',
  pathParameters: Type.Object({ userId: Id('user') }),
  answer: NoAnswer,
});

const Key = Type.Object({
  keyId: Type.String(),
  userId: Type.String(),
  limits: Type.Object({ perSecond: Type.Integer(), burst: Type.Integer(), perDay: Type.Integer() }),
  createdAt: Instant('When it was issued.'),
  lastUsedAt: OrNull(Instant('When it was last used, to a few seconds.')),
  expiresAt: OrNull(Instant('When it ends.')),
  revokedAt: OrNull(Instant('When it was revoked.')),
});
const NewKey = Type.Object({
  keyId: Type.String(),
  key: Type.String({ description: 'The key itself, which is answered only here.' }),
});

/** The failing rule of limits that go together badly. */
export function burstFailure({
  perSecond,
  burst,
}: {
  readonly perSecond: number;
  readonly burst: number;
}): string | undefined {
  const burstMax = perSecond * burstSecondsMax;
  if (burst <= burstMax) return undefined;
  return `limits.burst must be at most ${burstMax}, which is ${burstSecondsMax} seconds' worth at ${perSecond} a second`;
}

const limits = {
  perSecond: Type.Integer({
    minimum: 1,
    maximum: limitMax,
    description: `Requests a second in the long run; ${limitsDefault.perSecond} unless it is said.`,
  }),
  burst: Type.Integer({
    minimum: 1,
    maximum: limitMax,
    description: `Requests at once; ${limitsDefault.burst} unless it is said, at most ${burstSecondsMax} seconds' worth.`,
  }),
  perDay: Type.Integer({
    minimum: 1,
    maximum: limitMax,
    description: `Requests a day of UTC; ${limitsDefault.perDay} unless it is said.`,
  }),
};

const issueKey = contract({
  operation: 'issueKey',
  access: 'operator',
  method: 'POST',
  path: '/operator/keys',
  summary: 'Issue a key',
  description: 'Keys are issued to owners and administrators of organisations with API access.',
  body: Type.Object({
    userId: Id('user'),
    limits: Type.Optional(AllOptional(limits)),
  }),
  rules: [
    {
      at: 'limits.burst',
      reads: ['limits.perSecond'],
      check: (asked) => burstFailure({ ...limitsDefault, ...asked.limits }),
    },
  ],
  idempotencyKey: true,
  answer: NewKey,
});

const listKeys = contract({
  operation: 'listKeys',
  access: 'operator',
  method: 'GET',
  path: '/operator/keys',
  summary: 'List keys',
  description:
    'Newest first, without the keys themselves; those of one user or organisation where it is named.',
  query: Type.Object({
    userId: Type.Optional(Id('user')),
    organisationId: Type.Optional(Id('organisation')),
    ...pages,
  }),
  answer: ListOf('keys', Key),
});

const readKey = contract({
  operation: 'readKey',
  access: 'operator',
  method: 'GET',
  path: '/operator/keys/{keyId}',
  summary: 'Read a key',
  description: 'Its user, its limits and its times; never the key itself.',
  pathParameters: Type.Object({ keyId: Id('key') }),
  answer: Key,
});

const changeKey = contract({
  operation: 'changeKey',
  access: 'operator',
  method: 'PATCH',
  path: '/operator/keys/{keyId}',
  summary: 'Change the limits or the end of a key',
  description:
    'Fields that are left out stay as they are. What has been used of the present windows counts against the new limits too. ' +
    'It holds at once, on other nodes within five seconds. A key that is revoked stays so and cannot be changed.',
  pathParameters: Type.Object({ keyId: Id('key') }),
  body: Type.Object({
    limits: Type.Optional(AllOptional(limits)),
    expiresAt: Type.Optional(
      OrNull(
        Type.Integer({
          minimum: 0,
          maximum: epochSecondsMax,
          description:
            'When the key ends; null takes the end away. Unix epoch time in whole seconds.',
        }),
        { words: { anyOf: 'must be a time in seconds, not milliseconds, or null' } },
      ),
    ),
  }),
  idempotencyKey: true,
  answer: Key,
});

const rotateKey = contract({
  operation: 'rotateKey',
  access: 'operator',
  method: 'POST',
  path: '/operator/keys/{keyId}/rotate',
  summary: 'Replace a key',
  description:
    'Issues a key with the same user and limits. The old one ends after the time of grace, at once without one.',
  pathParameters: Type.Object({ keyId: Id('key') }),
  body: Type.Object({
    graceSeconds: Type.Integer({
      minimum: 0,
      maximum: graceSecondsMax,
      default: 0,
      description: 'For how long the old key stays valid.',
    }),
  }),
  idempotencyKey: true,
  answer: NewKey,
});

const revokeKey = contract({
  operation: 'revokeKey',
  access: 'operator',
  method: 'DELETE',
  path: '/operator/keys/{keyId}',
  summary: 'Revoke a key',
  description: 'The key ends at once; on other nodes within five seconds.',
  pathParameters: Type.Object({ keyId: Id('key') }),
  answer: NoAnswer,
});

const days = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: replenishmentDaysMax, description }));
const channelSettings = {
  organisationId: Id('organisation'),
  merchantId: Id('merchant that owns the channel'),
  marketplace: Text({
    maxLength: 100,
    trimmed: true,
    description: 'Marketplace; primarymkt is the primary one.',
  }),
  kind: OneOf(['seller', 'vendor'], {
    description: 'Whether the store sells itself or supplies the marketplace.',
  }),
  countryCode: Type.String({
    pattern: '^[A-Za-z]{2,3}$',
    letters: 'upper',
    words: { pattern: 'must be a country code of two or three letters' },
    description: 'ISO 3166-1 alpha-2 or alpha-3 code; alpha-3 is kept.',
  }),
  displayName: Text({ maxLength: 200, trimmed: true, description: 'Name of the store.' }),
  currency: Type.String({
    pattern: '^[A-Za-z]{3}$',
    letters: 'upper',
    words: { pattern: 'must be a currency code of three letters' },
    description: "ISO 4217 code of the channel's own currency.",
  }),
  timezone: Timezone({ description: "IANA time zone of the store's calendar days." }),
  hasAdvertisingConnected: Type.Boolean({
    description: 'Whether advertising figures come in for the channel.',
  }),
};
const Replenishment = Type.Object(
  {
    leadTimeDays: days(
      `Days from order to arrival; ${replenishmentDefault.leadTimeDays} unless it is said.`,
    ),
    safetyStockDays: days(
      `Days that the safety stock covers; ${replenishmentDefault.safetyStockDays} unless it is said.`,
    ),
    targetCoverDays: days(
      `Days that an order is to cover; ${replenishmentDefault.targetCoverDays} unless it is said.`,
    ),
  },
  { description: "How the channel's stock is replenished." },
);
const Channel = Type.Object({
  channelId: Type.String(),
  organisationId: Type.String(),
  merchantId: Type.String(),
  marketplace: Type.String(),
  kind: channelSettings.kind,
  countryCode: Type.String({ description: 'ISO 3166-1 alpha-3 code.' }),
  displayName: Type.String(),
  currency: Type.String(),
  timezone: Type.String(),
  hasAdvertisingConnected: Type.Boolean(),
  replenishment: Type.Object({
    leadTimeDays: Type.Integer(),
    safetyStockDays: Type.Integer(),
    targetCoverDays: Type.Integer(),
  }),
  createdAt: Instant('When it was connected.'),
  updatedAt: Instant('When it was last changed.'),
});

const saveChannel = contract({
  operation: 'saveChannel',
  access: 'operator',
  method: 'PUT',
  path: '/operator/channels/{channelId}',
  summary: 'Connect a channel, or change it',
  description:
    'Another time zone has the figures of the channel divided anew into days. A channel stays with its organisation.',
  pathParameters: Type.Object({ channelId: Id('channel') }),
  body: Type.Object({ ...channelSettings, replenishment: Type.Optional(Replenishment) }),
  rules: [
    {
      at: 'countryCode',
      check: (asked) =>
        countryAlpha3(asked.countryCode) === undefined
          ? 'countryCode must be the code of a country'
          : undefined,
    },
  ],
  answer: Channel,
});

const listAllChannels = contract({
  operation: 'listAllChannels',
  access: 'operator',
  method: 'GET',
  path: '/operator/channels',
  summary: 'List channels',
  description: 'By identifier; those of one organisation where it is named.',
  query: Type.Object({ organisationId: Type.Optional(Id('organisation')), ...pages }),
  answer: ListOf('channels', Channel),
});

const readChannel = contract({
  operation: 'readChannel',
  access: 'operator',
  method: 'GET',
  path: '/operator/channels/{channelId}',
  summary: 'Read a channel',
  description: 'All settings of a channel.',
  pathParameters: Type.Object({ channelId: Id('channel') }),
  answer: Channel,
});

const deleteChannel = contract({
  operation: 'deleteChannel',
  access: 'operator',
  method: 'DELETE',
  path: '/operator/channels/{channelId}',
  summary: 'Delete a channel with all its facts',
  description: 'Nothing of the channel is left but the entries of the audit.',
  pathParameters: Type.Object({ channelId: Id('channel') }),
  answer: NoAnswer,
});

const campaignIdsMax = 10_000;
const campaignGroupSettings = {
  organisationId: Id('organisation'),
  name: Text({ maxLength: 200, trimmed: true, description: 'Name of the group.' }),
};
const CampaignGroup = Type.Object({
  groupId: Type.String(),
  organisationId: Type.String(),
  name: Type.String(),
  campaignIds: Type.Array(Type.String(), {
    description: 'Campaigns, in the order of their identifiers.',
  }),
  createdAt: Instant('When it was made.'),
  updatedAt: Instant('When it was last changed.'),
});

const saveCampaignGroup = contract({
  operation: 'saveCampaignGroup',
  access: 'operator',
  method: 'PUT',
  path: '/operator/campaignGroups/{groupId}',
  summary: 'Make a group of campaigns, or replace it',
  description:
    'GET /advertising/campaigns takes the group as customCampaignGroupId. A group stays with its organisation. ' +
    'Of two calls at the same moment one replaces all that the other has saved.',
  pathParameters: Type.Object({ groupId: Id('group') }),
  body: Type.Object({
    ...campaignGroupSettings,
    campaignIds: Type.Array(Text({ maxLength: 200 }), {
      minItems: 1,
      maxItems: campaignIdsMax,
      description: 'Identifiers of campaigns; what is named twice is kept once.',
    }),
  }),
  answer: CampaignGroup,
});

const listCampaignGroups = contract({
  operation: 'listCampaignGroups',
  access: 'operator',
  method: 'GET',
  path: '/operator/campaignGroups',
  summary: 'List groups of campaigns',
  description: 'By identifier; those of one organisation where it is named.',
  query: Type.Object({ organisationId: Type.Optional(Id('organisation')), ...pages }),
  answer: ListOf('campaignGroups', CampaignGroup),
});

const readCampaignGroup = contract({
  operation: 'readCampaignGroup',
  access: 'operator',
  method: 'GET',
  path: '/operator/campaignGroups/{groupId}',
  summary: 'Read a group of campaigns',
  description: 'Its name and its campaigns.',
  pathParameters: Type.Object({ groupId: Id('group') }),
  answer: CampaignGroup,
});

const deleteCampaignGroup = contract({
  operation: 'deleteCampaignGroup',
  access: 'operator',
  method: 'DELETE',
  path: '/operator/campaignGroups/{groupId}',
  summary: 'Delete a group of campaigns',
  description: 'The campaigns themselves stay as they are.',
  pathParameters: Type.Object({ groupId: Id('group') }),
  answer: NoAnswer,
});

/** Contracts by operation. */
export const operatorContracts = {
  createOrganisation,
  listOrganisations,
  readOrganisation,
  changeOrganisation,
  deleteOrganisation,
  createUser,
  listUsers,
  readUser,
  changeUser,
  deleteUser,
  grantChannels,
  issuePasswordLink,
  endUserSessions,
  issueKey,
  listKeys,
  readKey,
  changeKey,
  rotateKey,
  revokeKey,
  saveChannel,
  listAllChannels,
  readChannel,
  deleteChannel,
  saveCampaignGroup,
  listCampaignGroups,
  readCampaignGroup,
  deleteCampaignGroup,
} satisfies Readonly<Record<string, Contract>>;
