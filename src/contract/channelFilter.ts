/** The fields that choose the channels of views over all channels, and the sales of vendors. */
import Type from 'typebox';
import { CountryCode, List, OneOf, Text } from './shapes.ts';

/** The revenue that counts as the sales of vendor channels. */
export const VendorRevenue = OneOf(['orderedRevenue', 'shippedRevenue'], {
  default: 'orderedRevenue',
  description:
    'What counts as the sales of vendor channels: what was ordered, or what the vendor ' +
    'supplied and was shipped.',
});

/** Which channels a view shows. */
export const channelFilterFields = {
  filter: Type.Optional(
    Type.Object({
      marketplaces: Type.Optional(
        List(Text({ maxLength: 100 }), {
          description:
            'Marketplaces by name or identifier, such as primarymkt or ATVPDKIKX0DER, in any letter case.',
        }),
      ),
      countries: Type.Optional(List(CountryCode, { description: 'Countries.' })),
      tags: Type.Optional(
        List(Text({ maxLength: 100, trimmed: true }), {
          description:
            "Tags that the caller sees on the channel: the caller's own and the " +
            "organisation's. Letter case matters.",
        }),
      ),
    }),
  ),
  searchText: Type.Optional(
    Type.String({
      maxLength: 200,
      trimmed: true,
      description:
        'Part of the name of the store, of the name of the marketplace or of the ' +
        'marketplace_id, in any letter case.',
    }),
  ),
};
