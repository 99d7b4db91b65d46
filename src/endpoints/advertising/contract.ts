import Type, { type TSchema } from 'typebox';
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

/** Channels of one request. */
export const channelsMax = 5;
/** Campaign groups, campaigns or products of one request. */
const filterEntriesMax = 10;
/** The longest range, in months of the calendar of UTC. */
const rangeMonthsMax = 6;

/** The failure of a range of epoch seconds that ends too early or is too long, if any. */
export function rangeFailure(fromDate: number, toDate: number): string | undefined {
  if (toDate < fromDate) return 'toDate must not be before fromDate';
  return toDate > monthsLater(fromDate, rangeMonthsMax)
    ? `fromDate to toDate must be at most ${rangeMonthsMax} months`
    : undefined;
}

/** The same time of the day so many months later; where that month has no such day, on its last. */
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

const text = (description: string) => Type.String({ description });
const count = (description: string) => Type.Integer({ description });
const number = (description: string) => Type.Number({ description });

const entityColumns = {
  channel_id: text('The channel.'),
  campaign_id: text('The campaign.'),
};
const adType = text('SP Sponsored Products, SB Sponsored Brands or SD Sponsored Display.');
const costType = text('cpc per click or vcpm per thousand views.');
const status = text('active, paused or archived; "" when it is not known.');

const figures = {
  impressions: count('Times the ads were shown.'),
  clicks: count('Clicks on the ads.'),
  cost: number('Spend.'),
  attributed_sales: number('Sales attributed to the ads.'),
  attributed_sales_same_sku: number('Those of the advertised product itself.'),
  attributed_conversions: count('Orders attributed to the ads.'),
  attributed_conversions_same_sku: count('Those of the advertised product itself.'),
  attributed_units_ordered: count('Units attributed to the ads.'),
  attributed_units_ordered_same_sku: count('Those of the advertised product itself.'),
};
const newToBrand = {
  attributed_orders_ntb: count(
    'Attributed orders of customers new to the brand; Sponsored Products have none.',
  ),
  attributed_units_ordered_ntb: count('Attributed units of customers new to the brand.'),
  attributed_sales_ntb: number('Attributed sales to customers new to the brand.'),
  attributed_orders_ntb_percentage: number(
    'attributed_orders_ntb / attributed_conversions, in percent.',
  ),
  attributed_units_ordered_ntb_percentage: number(
    'attributed_units_ordered_ntb / attributed_units_ordered, in percent.',
  ),
  attributed_sales_ntb_percentage: number('attributed_sales_ntb / attributed_sales, in percent.'),
  attributed_detail_page_views_clicks: count('Views of product pages after a click.'),
};
const acos = number('cost / attributed_sales, in percent.');
const clickThroughRate = number('clicks / impressions, in percent.');
const costPerClick = number('cost / clicks.');
const costPerAcquisition = number('cost / attributed_conversions.');
const conversionRate = number('attributed_conversions / clicks, in percent.');
const roas = number('attributed_sales / cost.');

const Campaign = Type.Object(
  {
    ...entityColumns,
    ad_type: adType,
    campaign_name: text('Its name.'),
    campaign_status: status,
    budget_type: text('daily or lifetime.'),
    start_date: text('First date, YYYY-MM-DD.'),
    end_date: text('Last date, YYYY-MM-DD; "" when it is open-ended.'),
    targeting_type: text('auto, manual or "".'),
    bidding_strategy: text('legacyForSales, autoForSales, manual, ruleBased or "".'),
    cost_type: costType,
    budget: number('The budget, converted at the rate of the last day of the range.'),
    ...figures,
    ...newToBrand,
    acos,
    click_through_rate: clickThroughRate,
    cost_per_click: costPerClick,
    cost_per_acquisition: costPerAcquisition,
    conversion_rate: conversionRate,
    roas,
  },
  { component: 'Campaign' },
);

const AdGroup = Type.Object(
  {
    ...entityColumns,
    ad_group_id: text('The ad group.'),
    ad_type: adType,
    campaign_name: text("Its campaign's name."),
    ad_group_name: text('Its own name.'),
    ad_group_status: status,
    cost_type: costType,
    default_bid: number(
      'The bid where none is set, converted at the rate of the last day of the range.',
    ),
    ...figures,
    ...newToBrand,
    acos,
    click_through_rate: clickThroughRate,
    cost_per_click: costPerClick,
    conversion_rate: conversionRate,
    roas,
  },
  { component: 'AdGroup' },
);

const Keyword = Type.Object(
  {
    ...entityColumns,
    ad_group_id: text('The ad group.'),
    keyword_id: text('The keyword, or the target.'),
    ad_type: adType,
    campaign_name: text("Its campaign's name."),
    ad_group_name: text("Its ad group's name."),
    keyword_text: text('The text of the keyword, or the expression of the target.'),
    match_type: text(
      'broad, phrase, exact or theme; targetingExpression for products and categories, and ' +
        'targetingExpressionPredefined for what an automatic campaign targets; "" when it is not ' +
        'known.',
    ),
    keyword_status: status,
    bid: number('The bid, converted at the rate of the last day of the range.'),
    cost_type: costType,
    ...figures,
    ...newToBrand,
    acos,
    click_through_rate: clickThroughRate,
    cost_per_click: costPerClick,
    cost_per_acquisition: costPerAcquisition,
    conversion_rate: conversionRate,
    roas,
  },
  { component: 'Keyword' },
);

const Product = Type.Object(
  {
    channel_id: entityColumns.channel_id,
    product_sku: text(
      "The platform's product id; the seller's SKU where the figures have no product id.",
    ),
    product_title: text('Its title, "" when it is not known.'),
    image_url: text('Address of its picture, "" when it is not known.'),
    link_url: text('Address of its page, "" when it is not known.'),
    ...figures,
    acos,
    click_through_rate: clickThroughRate,
    cost_per_click: costPerClick,
    conversion_rate: conversionRate,
    roas,
  },
  { component: 'AdvertisedProduct' },
);

/** The columns that campaigns may be sorted by: all of them. */
export const campaignColumns = namesOf(Campaign.properties);
/** The columns that ad groups may be sorted by: all of them. */
export const adGroupColumns = namesOf(AdGroup.properties);
/** The columns that keywords may be sorted by: all of them. */
export const keywordColumns = namesOf(Keyword.properties);
/** The columns that products may be sorted by: those that are in the figures. */
export const productColumns = namesOf(Product.properties).filter(
  (name) => name !== 'product_title' && name !== 'image_url' && name !== 'link_url',
);

function namesOf<Columns extends Readonly<Record<string, TSchema>>>(
  columns: Columns,
): (keyof Columns & string)[] {
  return Object.keys(columns);
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
  summary: 'List campaigns with their figures',
  keepable: true,
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
  summary: 'List ad groups with their figures',
  keepable: true,
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
  summary: 'List keywords with their figures',
  keepable: true,
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
  summary: 'List advertised products with their figures',
  keepable: true,
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
