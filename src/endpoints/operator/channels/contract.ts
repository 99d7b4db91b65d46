/** Channels of all organisations. */
import Type from 'typebox';
import { countryAlpha3 } from '../../../contract/countries.ts';
import { isCurrency } from '../../../contract/currencies.ts';
import { contract } from '../../../contract/endpoint.ts';
import { Id, Instant, ListOf, OrNull, pages } from '../../../contract/records.ts';
import { NoAnswer, OneOf, Text, Timezone } from '../../../contract/shapes.ts';

/** The default replenishment settings of a channel, in days. */
export const replenishmentDefault = {
  leadTimeDays: 30,
  safetyStockDays: 14,
  targetCoverDays: 60,
} as const;

const replenishmentDaysMax = 1_000;

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
    description:
      'seller for a store that sells by itself, vendor for one that supplies the marketplace.',
  }),
  countryCode: Type.String({
    pattern: '^[A-Za-z]{2,3}$',
    letters: 'upper',
    words: { pattern: 'must be a country code of two or three letters' },
    description: 'ISO 3166-1 alpha-2 or alpha-3 code; stored as alpha-3.',
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
    description: 'Whether advertising data is imported for the channel.',
  }),
};

const Replenishment = Type.Object(
  {
    leadTimeDays: days(
      `Days from order to arrival; ${replenishmentDefault.leadTimeDays} by default.`,
    ),
    safetyStockDays: days(
      `Days that the safety stock covers; ${replenishmentDefault.safetyStockDays} by default.`,
    ),
    targetCoverDays: days(
      `Days that an order should cover; ${replenishmentDefault.targetCoverDays} by default.`,
    ),
  },
  { component: 'Replenishment', description: 'Settings for the replenishment of stock.' },
);

const pricesIncludeTax = (description: string) => OrNull(Type.Boolean(), { description });

const Channel = Type.Object(
  {
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
    pricesIncludeTax: pricesIncludeTax(
      'Whether prices in its documents include tax; null where the marketplace decides.',
    ),
    createdAt: Instant('When it was connected.'),
    updatedAt: Instant('When it was last changed.'),
  },
  { component: 'Channel' },
);

/** Connect or change a channel. */
export const saveChannel = contract({
  operation: 'saveChannel',
  access: 'operator',
  method: 'PUT',
  path: '/operator/channels/{channelId}',
  summary: 'Connect or change a channel',
  description:
    'A new time zone rebuilds the days of the channel. A channel cannot move to another organisation.',
  pathParameters: Type.Object({ channelId: Id('channel') }),
  body: Type.Object({
    ...channelSettings,
    replenishment: Type.Optional(Replenishment),
    pricesIncludeTax: Type.Optional(
      pricesIncludeTax(
        'Whether prices in documents of orders include tax, unless a document says it itself. ' +
          'null, the default: in every primary marketplace but those of the United States, ' +
          'Canada and Mexico. It holds for documents imported from then on.',
      ),
    ),
  }),
  rules: [
    {
      at: 'countryCode',
      check: (input) =>
        countryAlpha3(input.countryCode) === undefined
          ? 'countryCode must be the code of a country'
          : undefined,
    },
    {
      at: 'currency',
      check: (input) =>
        isCurrency(input.currency) ? undefined : 'currency must be a currency code of ISO 4217',
    },
  ],
  answer: Channel,
});

/** List channels. */
export const listAllChannels = contract({
  operation: 'listAllChannels',
  access: 'operator',
  method: 'GET',
  path: '/operator/channels',
  summary: 'List channels',
  description: 'Sorted by identifier; optionally of one organisation.',
  query: Type.Object({ organisationId: Type.Optional(Id('organisation')), ...pages }),
  answer: ListOf('channels', Channel),
});

/** Read a channel. */
export const readChannel = contract({
  operation: 'readChannel',
  access: 'operator',
  method: 'GET',
  path: '/operator/channels/{channelId}',
  summary: 'Read a channel',
  description: 'All settings of a channel.',
  pathParameters: Type.Object({ channelId: Id('channel') }),
  answer: Channel,
});

/** Delete a channel with all its facts. */
export const deleteChannel = contract({
  operation: 'deleteChannel',
  access: 'operator',
  method: 'DELETE',
  path: '/operator/channels/{channelId}',
  summary: 'Delete a channel with all its facts',
  description: 'Only the entries of the audit log remain.',
  pathParameters: Type.Object({ channelId: Id('channel') }),
  answer: NoAnswer,
});
