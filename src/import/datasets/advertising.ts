/** Campaigns, ad groups, keywords and their figures. */
import { type AdSource, adReportOf } from '../../../schema/warehouse/adReports.ts';
import { amount, entityId, oneOf, optionalDate, text } from '../cells/fields.ts';
import {
  type Column,
  correctable,
  type Dataset,
  destination,
  type Field,
  marketplaceDate,
  ofDate,
  optionalId,
  ownCurrency,
} from './dataset.ts';

const adTypes = ['SP', 'SB', 'SD', 'ST', 'DSP', 'GOOGLE', 'META'];
const typesText = 'SP, SB, SD, ST (Sponsored TV), DSP, GOOGLE or META';
const matchTypes = [
  'broad',
  'phrase',
  'exact',
  'theme',
  'targetingExpression',
  'targetingExpressionPredefined',
];

const adTypeSpellings = {
  SPONSORED_PRODUCTS: 'SP',
  SPONSORED_BRANDS: 'SB',
  SPONSORED_DISPLAY: 'SD',
  SPONSORED_TELEVISION: 'ST',
  sponsoredProducts: 'SP',
  sponsoredBrands: 'SB',
  sponsoredDisplay: 'SD',
  sponsoredTelevision: 'ST',
};
const adType: Field = {
  type: oneOf(adTypes, 'SP', adTypeSpellings),
  about: `${typesText}; SP by default.`,
};
/** Without a type, the new-to-brand figures count unchanged. */
const figuresAdType: Field = {
  type: oneOf(adTypes, '', adTypeSpellings),
  about: `${typesText}. The new-to-brand figures of SP are ignored.`,
};
/** The state of a campaign or an ad group, in the terms of the status filter. */
const adStatus: Field = {
  type: oneOf(['active', 'paused', 'archived'], 'active', {
    enabled: 'active',
    ended: 'archived',
    user_deleted: 'archived',
  }),
  about: 'active, paused or archived; active by default.',
};
/** How searches match a keyword; for a target, whether the marketplace chose its expression. */
const matchType: Field = {
  type: oneOf(matchTypes, '', {
    TARGETING_EXPRESSION: 'targetingExpression',
    TARGETING_EXPRESSION_PREDEFINED: 'targetingExpressionPredefined',
  }),
  about: `${matchTypes.slice(0, -1).join(', ')} or ${matchTypes.at(-1)}; targets of automatic campaigns are predefined.`,
};
const costType: Field = {
  type: oneOf(['cpc', 'vcpm'], 'cpc'),
  about: 'cpc or vcpm; cpc by default.',
};

const adFields: Record<string, Field> = {
  impressions: { type: correctable, about: 'Number of times the ads were shown.' },
  clicks: { type: correctable, about: 'Clicks on the ads.' },
  cost: { type: amount, about: 'Spend, in `currency`.' },
  sales: { type: amount, about: 'Attributed sales, in `currency`.' },
  salesSameSku: {
    type: amount,
    about: 'Attributed sales of the advertised product itself, in `currency`.',
  },
  conversions: { type: correctable, about: 'Attributed orders.' },
  conversionsSameSku: {
    type: correctable,
    about: 'Attributed orders of the advertised product itself.',
  },
  units: { type: correctable, about: 'Attributed units.' },
  unitsSameSku: { type: correctable, about: 'Attributed units of the advertised product itself.' },
  ordersNtb: { type: correctable, about: 'Attributed orders of customers new to the brand.' },
  unitsNtb: { type: correctable, about: 'Attributed units of customers new to the brand.' },
  salesNtb: {
    type: amount,
    about: 'Attributed sales to customers new to the brand, in `currency`.',
  },
  detailPageViews: { type: correctable, about: 'Views of the product page after a click.' },
  currency: ownCurrency,
};

/** Sponsored Products have no new-to-brand figures, whatever a source reports. */
const unlessSponsoredProducts =
  (field: string): Column =>
  (cells) =>
    cells.adType === 'SP' ? 0 : cells[field]!;
const figuresSpecial: Record<string, Column> = {
  day: (cells) => cells.date!,
  orders_ntb: unlessSponsoredProducts('ordersNtb'),
  units_ntb: unlessSponsoredProducts('unitsNtb'),
  sales_ntb: unlessSponsoredProducts('salesNtb'),
};

/** The partition of figures: the type of advertising, and the source that added them up. */
const ofReport = (source: AdSource = 'report'): Record<string, Column> => ({
  ...figuresSpecial,
  report: (cells) => adReportOf(cells.adType as string, source),
});

/** The dataset `campaigns`. */
export const campaigns: Dataset = {
  name: 'campaigns',
  about:
    "The channel's campaigns, kept by campaign id: a row replaces an earlier one with the same id.",
  ofChannel: true,
  fields: {
    campaignId: { type: entityId, required: true, about: 'The campaign id.' },
    name: { type: text(500), about: 'The name.' },
    adType,
    status: adStatus,
    budgetType: {
      type: oneOf(['daily', 'lifetime'], 'daily', {
        DAILY_BUDGET: 'daily',
        LIFETIME_BUDGET: 'lifetime',
      }),
      about: 'daily or lifetime; daily by default.',
    },
    budget: { type: amount, about: "The budget, in the channel's currency." },
    startDate: { type: optionalDate, about: 'First date of the campaign.' },
    endDate: { type: optionalDate, about: 'Last date of the campaign; open-ended by default.' },
    targetingType: { type: oneOf(['auto', 'manual'], ''), about: 'auto or manual.' },
    biddingStrategy: {
      type: oneOf(['legacyForSales', 'autoForSales', 'manual', 'ruleBased'], '', {
        LEGACY_FOR_SALES: 'legacyForSales',
        legacy: 'legacyForSales',
        AUTO_FOR_SALES: 'autoForSales',
        optimizeForSales: 'autoForSales',
        RULE_BASED: 'ruleBased',
      }),
      about: 'legacyForSales, autoForSales, manual or ruleBased.',
    },
    costType,
  },
  destinations: [destination('campaign', { updated_at: (_, { now }) => now })],
  destinationOf: () => 0,
  check: (cells) =>
    cells.startDate! > cells.endDate! && cells.endDate !== ''
      ? 'endDate must not be before startDate'
      : undefined,
};

/** The dataset `adGroups`. */
export const adGroups: Dataset = {
  name: 'adGroups',
  about:
    "The channel's ad groups, kept by ad group id: a row replaces an earlier one with the same id.",
  ofChannel: true,
  fields: {
    adGroupId: { type: entityId, required: true, about: 'The ad group id.' },
    campaignId: { type: entityId, required: true, about: 'The id of its campaign.' },
    name: { type: text(500), about: 'The name.' },
    adType,
    status: adStatus,
    costType,
    defaultBid: { type: amount, about: "The default bid, in the channel's currency." },
  },
  destinations: [destination('ad_group', { updated_at: (_, { now }) => now })],
  destinationOf: () => 0,
};

/** The dataset `keywords`. */
export const keywords: Dataset = {
  name: 'keywords',
  about:
    "The channel's keywords and targets, kept by id: a row replaces an earlier one with the same id.",
  ofChannel: true,
  fields: {
    keywordId: { type: entityId, required: true, about: 'The id of the keyword or target.' },
    adGroupId: { type: entityId, required: true, about: 'The id of its ad group.' },
    campaignId: { type: entityId, required: true, about: 'The id of its campaign.' },
    keywordText: {
      type: text(1000),
      about: 'The text of the keyword, or the expression of the target.',
    },
    matchType,
    adType,
    status: adStatus,
    bid: { type: amount, about: "The bid, in the channel's currency." },
  },
  destinations: [destination('keyword', { updated_at: (_, { now }) => now })],
  destinationOf: () => 0,
};

const beforeOthers =
  'They go before the targets, placements and search terms of documents with the same dates.';

/** The dataset `campaignDays`. */
export const campaignDays: Dataset = {
  name: 'campaignDays',
  about: `Advertising figures per campaign and date. ${beforeOthers}`,
  ofChannel: true,
  fields: {
    date: marketplaceDate,
    campaignId: { type: entityId, required: true, about: 'The campaign id.' },
    adType: figuresAdType,
    ...adFields,
  },
  destinations: [destination('campaign_day', ofReport())],
  destinationOf: () => 0,
  dayOf: ofDate,
};

/** The dataset `adGroupDays`. */
export const adGroupDays: Dataset = {
  name: 'adGroupDays',
  about: `Advertising figures per ad group and date. ${beforeOthers}`,
  ofChannel: true,
  fields: {
    date: marketplaceDate,
    adGroupId: { type: entityId, required: true, about: 'The ad group id.' },
    campaignId: {
      type: entityId,
      about: 'The id of its campaign. Needed only if the ad group itself is not imported.',
    },
    adType: figuresAdType,
    ...adFields,
  },
  destinations: [destination('ad_group_day', ofReport())],
  destinationOf: () => 0,
  dayOf: ofDate,
};

/** The dataset `keywordDays`. */
export const keywordDays: Dataset = {
  name: 'keywordDays',
  about: `Advertising figures per keyword or target and date. ${beforeOthers}`,
  ofChannel: true,
  fields: {
    date: marketplaceDate,
    keywordId: { type: entityId, required: true, about: 'The id of the keyword or target.' },
    adGroupId: {
      type: entityId,
      about: 'The id of its ad group. Needed only if the keyword itself is not imported.',
    },
    campaignId: {
      type: entityId,
      about: 'The id of its campaign. Needed only if the keyword itself is not imported.',
    },
    adType: figuresAdType,
    ...adFields,
  },
  destinations: [destination('keyword_day', ofReport())],
  destinationOf: () => 0,
  dayOf: ofDate,
};

/** Rows of figures that documents add up from others, by name. */
export const summedAdDays: Readonly<Record<string, Dataset>> = {
  targetsCampaignDays: summed(campaignDays, 'campaign_day', 'targets'),
  targetsAdGroupDays: summed(adGroupDays, 'ad_group_day', 'targets'),
  placementsCampaignDays: summed(campaignDays, 'campaign_day', 'placements'),
  termsCampaignDays: summed(campaignDays, 'campaign_day', 'terms'),
  termsAdGroupDays: summed(adGroupDays, 'ad_group_day', 'terms'),
  termsKeywordDays: summed(keywordDays, 'keyword_day', 'terms'),
};

function summed(dataset: Dataset, table: string, source: AdSource): Dataset {
  return { ...dataset, destinations: [destination(table, ofReport(source))] };
}

/** The dataset `adProductDays`. */
export const adProductDays: Dataset = {
  name: 'adProductDays',
  about: 'Advertising figures per advertised product, ad group and date.',
  ofChannel: true,
  fields: {
    date: marketplaceDate,
    productId: { type: optionalId, about: "The platform's product id (ASIN)." },
    sku: { type: optionalId, about: "The seller's SKU." },
    adGroupId: { type: entityId, about: 'The id of the ad group with the ad.' },
    campaignId: { type: entityId, about: 'The id of its campaign.' },
    adType,
    ...adFields,
  },
  destinations: [destination('ad_product_day', figuresSpecial)],
  destinationOf: () => 0,
  dayOf: ofDate,
  check: (cells) =>
    cells.sku === '' && cells.productId === '' ? 'productId or sku is required' : undefined,
};
