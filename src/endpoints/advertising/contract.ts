import Type from 'typebox';
import {
  AdGroup,
  adGroupColumns,
  Campaign,
  campaignColumns,
  Keyword,
  keywordColumns,
  Product,
  productColumns,
} from '../../contract/advertising.ts';
import { contract } from '../../contract/endpoint.ts';
import { exampleMonth } from '../../contract/examples.ts';
import {
  Currency,
  EpochSeconds,
  List,
  OneOf,
  PageOf,
  pageFields,
  Text,
} from '../../contract/shapes.ts';

/** The most channels of one request. */
export const channelsMax = 5;
/** The most campaign groups, campaigns or products of one request. */
const filterEntriesMax = 10;
/** The longest range, in calendar months of UTC. */
const rangeMonthsMax = 6;

/** The failure of a range of epoch seconds that ends too early or is too long, if any. */
export function rangeFailure(fromDate: number, toDate: number): string | undefined {
  if (toDate < fromDate) return 'toDate must not be before fromDate';
  return toDate > monthsLater(fromDate, rangeMonthsMax)
    ? `fromDate to toDate must be at most ${rangeMonthsMax} months`
    : undefined;
}

/** The same time of day `months` later, on the last day of a month that is too short. */
function monthsLater(epochSeconds: number, months: number): number {
  const date = new Date(epochSeconds * 1000);
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + months);
  // A day that the month lacks overflows into the next month.
  if (date.getUTCDate() < day) date.setUTCDate(0);
  return date.getTime() / 1000;
}

function listQuery<const Columns extends string[]>(
  columns: readonly [...Columns],
  byDefault: Columns[number],
) {
  return {
    channelId: List(Text({ maxLength: 200 }), {
      minItems: 1,
      distinctMax: channelsMax,
      description: `Channels with advertising, as POST /channels lists them: 1 to ${channelsMax}.`,
    }),
    fromDate: Type.Optional(EpochSeconds('Start of the range, 30 days before now when not given.')),
    toDate: Type.Optional(
      EpochSeconds(
        `End of the range, inclusive, now when not given; at most ${rangeMonthsMax} calendar ` +
          'months after its start.',
      ),
    ),
    currency: Currency({ default: 'USD' }),
    sortKey: OneOf(columns, {
      default: byDefault,
      description: 'Column that the rows are sorted by.',
    }),
    sortOrder: OneOf(['asc', 'desc'], {
      default: 'desc',
      description: 'Whether the rows rise or fall.',
    }),
    ...pageFields,
  };
}

const statuses = Type.Optional(
  List(OneOf(['active', 'paused', 'archived']), {
    minItems: 1,
    description: 'Restricts the rows to these statuses.',
  }),
);

/** A filter by the numbers of campaigns or ad groups. */
function numbersOf(noun: string, example: string) {
  const article = noun.startsWith('a') ? 'an' : 'a';
  return Type.Optional(
    List(
      Type.String({
        pattern: '^[0-9]{1,30}$',
        words: { pattern: `must be the number of ${article} ${noun}` },
      }),
      {
        minItems: 1,
        distinctMax: filterEntriesMax,
        examples: [[example]],
        description: `Restricts the rows to these ${noun}s, at most ${filterEntriesMax}.`,
      },
    ),
  );
}

const aboutLists =
  "Figures are those of the dates from fromDate to toDate, each date being the store's own. " +
  'Amounts are converted at the rate of their date and then ' +
  'summed; ratios are formed last, from sums, and are 0 without a denominator. Texts are sorted ' +
  'without regard to letter case, "" last; ' +
  'rows that are equal are sorted by their identifier, rising.';

/** GET /advertising/campaigns */
export const listCampaigns = contract({
  operation: 'listCampaigns',
  access: 'key',
  method: 'GET',
  path: '/advertising/campaigns',
  needs: 'advertising:read',
  summary: 'List campaigns with their figures',
  cacheable: true,
  description:
    `All campaigns of the channels that match the filters, also those without figures in the ` +
    `range. ${aboutLists} A campaign that is known ` +
    'by its figures only has "" for a name and for a status.',
  query: Type.Object({
    ...listQuery(campaignColumns, 'campaign_name'),
    status: statuses,
    customCampaignGroupId: Type.Optional(
      List(Text({ maxLength: 200 }), {
        minItems: 1,
        distinctMax: filterEntriesMax,
        examples: [['autumn']],
        description:
          `Restricts the rows to the campaigns of these groups, at most ` +
          `${filterEntriesMax}; each must have a campaign of the channels.`,
      }),
    ),
  }),
  example: {
    channelId: ['northwind-us', 'northwind-uk'],
    ...exampleMonth,
    currency: 'EUR',
    sortKey: 'cost',
    pageSize: 1,
    status: ['active'],
  },
  answer: PageOf(Campaign),
});

/** GET /advertising/adGroups */
export const listAdGroups = contract({
  operation: 'listAdGroups',
  access: 'key',
  method: 'GET',
  path: '/advertising/adGroups',
  needs: 'advertising:read',
  summary: 'List ad groups with their figures',
  cacheable: true,
  description:
    `All ad groups of the channels that match the filters, also those without figures in the ` +
    `range. ${aboutLists} An ad group that is known ` +
    'by its figures only has "" for a name and for a status.',
  query: Type.Object({
    ...listQuery(adGroupColumns, 'ad_group_name'),
    campaignId: numbersOf('campaign', '100200300'),
    status: statuses,
  }),
  example: { channelId: ['northwind-us'], ...exampleMonth, sortKey: 'cost', pageSize: 1 },
  answer: PageOf(AdGroup),
});

/** GET /advertising/keywords */
export const listKeywords = contract({
  operation: 'listKeywords',
  access: 'key',
  method: 'GET',
  path: '/advertising/keywords',
  needs: 'advertising:read',
  summary: 'List keywords with their figures',
  cacheable: true,
  description:
    `All keywords and targets of the channels that match the filters, also those without figures ` +
    `in the range. ${aboutLists} A keyword that is known ` +
    'by its figures only has "" for a text and for a status.',
  query: Type.Object({
    ...listQuery(keywordColumns, 'keyword_text'),
    campaignId: numbersOf('campaign', '100200300'),
    adGroupId: numbersOf('ad group', '100200300400'),
    status: statuses,
  }),
  example: { channelId: ['northwind-us'], ...exampleMonth, sortKey: 'cost', pageSize: 1 },
  answer: PageOf(Keyword),
});

/** GET /advertising/products */
export const listProducts = contract({
  operation: 'listProducts',
  access: 'key',
  method: 'GET',
  path: '/advertising/products',
  needs: 'advertising:read',
  summary: 'List advertised products with their figures',
  cacheable: true,
  description: `The products of the channels that have figures in the range. ${aboutLists}`,
  query: Type.Object({
    ...listQuery(productColumns, 'product_sku'),
    productSku: Type.Optional(
      List(Text({ maxLength: 200 }), {
        minItems: 1,
        distinctMax: filterEntriesMax,
        examples: [['B0NORTHW01']],
        description: `Restricts the rows to these values of product_sku, at most ${filterEntriesMax}.`,
      }),
    ),
  }),
  example: {
    channelId: ['northwind-us'],
    ...exampleMonth,
    sortKey: 'attributed_sales',
    pageSize: 1,
  },
  answer: PageOf(Product),
});
