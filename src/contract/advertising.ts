/** The rows of the advertising lists. */
import Type, { type TSchema } from 'typebox';

const text = (description: string) => Type.String({ description });
const count = (description: string) => Type.Integer({ description });
const number = (description: string) => Type.Number({ description });

const entityColumns = {
  channel_id: text('The channel.'),
  campaign_id: text('The campaign.'),
};
const adType = text(
  'SP Sponsored Products, SB Sponsored Brands, SD Sponsored Display, ST Sponsored TV, DSP, GOOGLE ' +
    'or META.',
);
const costType = text('cpc per click or vcpm per thousand views.');
const status = text('active, paused or archived; "" when it is not known.');

const figures = {
  impressions: count('Times the ads were shown.'),
  clicks: count('Clicks on the ads.'),
  cost: number('Spend.'),
  attributed_sales: number('Sales attributed to the ads.'),
  attributed_sales_same_sku: number('Attributed sales of the advertised product itself.'),
  attributed_conversions: count('Orders attributed to the ads.'),
  attributed_conversions_same_sku: count('Attributed orders of the advertised product itself.'),
  attributed_units_ordered: count('Units attributed to the ads.'),
  attributed_units_ordered_same_sku: count('Attributed units of the advertised product itself.'),
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

/** A campaign with its figures. */
export const Campaign = Type.Object(
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

/** An ad group with its figures. */
export const AdGroup = Type.Object(
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

/** A keyword or target with its figures. */
export const Keyword = Type.Object(
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

/** An advertised product with its figures. */
export const Product = Type.Object(
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
/** The columns of products. */
export const productFields = namesOf(Product.properties);
/** The columns that products may be sorted by: the columns of the figures. */
export const productColumns = productFields.filter(
  (name) => name !== 'product_title' && name !== 'image_url' && name !== 'link_url',
);

function namesOf<Columns extends Readonly<Record<string, TSchema>>>(
  columns: Columns,
): (keyof Columns & string)[] {
  return Object.keys(columns);
}
