import Type from 'typebox';
import { contract } from '../../contract/endpoint.ts';
import { channelDatasets } from '../../contract/importable.ts';
import { CountryCode, List, OneOf, Text } from '../../contract/shapes.ts';

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
    kind: Type.Optional(
      OneOf(['seller', 'vendor'], {
        description: 'What the owner of the channel is on its marketplace. With details only.',
      }),
    ),
    currency: Type.Optional(
      Type.String({ description: "The channel's currency, ISO 4217. With details only." }),
    ),
    timezone: Type.Optional(
      Type.String({ description: "The channel's IANA time zone. With details only." }),
    ),
    freshness: Type.Optional(
      Type.Object(
        Object.fromEntries(
          channelDatasets.map((dataset) => [
            dataset,
            Type.Optional(Type.String({ description: `Last date with facts of ${dataset}.` })),
          ]),
        ),
        {
          description:
            'The last date with facts, YYYY-MM-DD, of each dataset that has dated ones; those of ' +
            "instants are dates in the channel's time zone. With freshness only.",
        },
      ),
    ),
  },
  { component: 'Channel' },
);

/** POST /channels */
export const listChannels = contract({
  operation: 'listChannels',
  access: 'key',
  method: 'POST',
  path: '/channels',
  needs: 'channels:read',
  summary: 'List channels',
  description:
    'Lists the channels that the caller may reach, by displayName and then channelId. Without a ' +
    'filter all of them are listed. ' +
    'Values within one list of the filter are alternatives; a channel must pass both lists. ' +
    'Further fields come only if `include` names them: `details` brings kind, currency and ' +
    'timezone, `freshness` the last dates of facts.',
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
    include: Type.Optional(
      List(OneOf(['details', 'freshness']), { description: 'Further fields of each channel.' }),
    ),
  }),
  example: { filter: { countryCodes: ['DE', 'GBR'] } },
  answer: Type.Array(Channel),
});
