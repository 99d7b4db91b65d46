import Type from 'typebox';
import { contract } from '../../contract/endpoint.ts';
import { CountryCode, List, Text } from '../../contract/shapes.ts';

const Channel = Type.Object(
  {
    channelId: Type.String({ description: 'Identifier of the channel.' }),
    merchantId: Type.String({ description: 'Identifier of the merchant that owns the channel.' }),
    marketplace: Type.String({
      description: 'Marketplace on which the channel sells; primarymkt is the primary one.',
    }),
    countryCode: Type.String({ description: 'ISO 3166-1 alpha-3 code of the country.' }),
    displayName: Type.String({ description: 'Name of the store.' }),
    hasAdvertisingConnected: Type.Boolean({
      description: 'Whether advertising figures come in for the channel.',
    }),
  },
  { component: 'Channel' },
);

/** POST /channels */
export const listChannels = contract({
  operation: 'listChannels',
  access: 'key',
  method: 'POST',
  path: '/channels',
  summary: 'List channels',
  description:
    'Lists the channels that the caller may reach, by displayName and then channelId. Without a ' +
    'filter all of them are listed. ' +
    'Values within one list of the filter are alternatives; a channel must pass both lists.',
  body: Type.Object({
    filter: Type.Optional(
      Type.Object({
        marketplaces: Type.Optional(
          List(Text({ maxLength: 100 }), {
            description:
              'Marketplaces by name or identifier, such as primarymkt or ATVPDKIKX0DER, in any letter case.',
          }),
        ),
        countryCodes: Type.Optional(List(CountryCode, { description: 'Countries.' })),
      }),
    ),
  }),
  example: { filter: { countryCodes: ['DE', 'GBR'] } },
  answer: Type.Array(Channel),
});
