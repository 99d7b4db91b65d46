/** Columns of reports by type of advertising. */
import type { JsonObject } from '../../cells/json.ts';
import { type AdType, adTypes } from './adTypes.ts';

/** Columns that only some types have. */
const typesOfColumns: readonly { readonly column: RegExp; readonly types: readonly AdType[] }[] = [
  {
    column:
      /^(?:(?:sales|purchases|purchasesSameSku|unitsSoldClicks|unitsSoldSameSku|attributedSalesSameSku|acosClicks|roasClicks)(?:1|7|14|30)d|spend|campaignBiddingStrategy|campaignRuleBased\w*|campaignApplicable\w*|keyword|targeting|advertisedAsin|advertisedSku)$/,
    types: ['SP'],
  },
  {
    column:
      /^(?:campaignBudgetType|adStatus|keyword(?:Id|Text|Type|Bid)|matchType|targetingType|topOfSearchImpressionShare|placementClassification)$/,
    types: ['SP', 'SB'],
  },
  {
    column:
      /^(?:(?:sales|purchases|unitsSold)(?:Clicks)?|newToBrand\w*|\w*NewToBrand\w*|detailPageViews\w*|attributedDetailPageView\w*|costType|addToCart\w*|brandedSearch\w*)$/,
    types: ['SB', 'SD'],
  },
  {
    column:
      /^(?:salesPromoted|purchasesPromoted|newToBrand(?:Sales|Purchases|UnitsSold)Percentage|newToBrandPurchasesRate|newToBrandDetailPageViewsClicks|\w+NewToBrandPercentage14d|video5Second\w*|viewableImpressions|unitsSold14d)$/,
    types: ['SB'],
  },
  {
    column:
      /^(?:salesPromotedClicks|purchasesPromotedClicks|impressionsViews|impressionsFrequencyAverage|addToCartViews|brandedSearchesViews|brandedSearchRate|linkOuts|bidOptimization|newToBrandDetailPageView(?:Clicks|Views)|promotedAsin|promotedSku|view[AI]\w+)$/,
    types: ['SD'],
  },
];
/** The types of advertising that have all columns of a row. */
export function typesOf(row: JsonObject): readonly AdType[] {
  const names = Object.keys(row);
  return adTypes.filter((type) =>
    typesOfColumns.every(
      ({ column, types }) => types.includes(type) || !names.some((name) => column.test(name)),
    ),
  );
}
