/** Columns of reports by type of advertising, and the columns of reports that are not read. */
import type { JsonObject } from '../../cells/json.ts';
import { type AdType, adTypeNamed, sponsoredTypes } from './adTypes.ts';

/** Columns that only some types have. */
const typesOfColumns: readonly { readonly column: RegExp; readonly types: readonly AdType[] }[] = [
  {
    column:
      /^(?:(?:sales|purchases|purchasesSameSku|unitsSoldClicks|unitsSoldSameSku|attributedSalesSameSku|acosClicks|roasClicks)(?:1|7|14|30)d|spend|campaignBiddingStrategy|campaignRuleBased\w*|campaignApplicable\w*|targeting|advertisedAsin|advertisedSku)$/,
    types: ['SP'],
  },
  { column: /^keyword$/, types: ['SP', 'ST'] },
  { column: /^(?:topOfSearchImpressionShare|placementClassification)$/, types: ['SP', 'SB'] },
  {
    column: /^(?:campaignBudgetType|adStatus|keyword(?:Id|Text|Type|Bid)|matchType|targetingType)$/,
    types: ['SP', 'SB', 'ST'],
  },
  { column: /^attributed(?!\w*\W)\w*?\dd/, types: ['SP', 'SB', 'SD'] },
  { column: /^(?:costType|attributedDetailPageView\w*)$/, types: ['SB', 'SD'] },
  {
    column:
      /^(?:(?:sales|purchases|unitsSold)(?:Clicks)?|newToBrand\w*|\w*NewToBrand\w*|detailPageViews\w*|addToCart\w*|brandedSearch\w*)$/,
    types: ['SB', 'SD', 'ST'],
  },
  {
    column:
      /^(?:salesPromoted|purchasesPromoted|newToBrand(?:Sales|Purchases|UnitsSold)Percentage|newToBrandPurchasesRate|newToBrandDetailPageViewsClicks|\w+NewToBrandPercentage14d|video5Second\w*|viewableImpressions|unitsSold14d)$/,
    types: ['SB'],
  },
  {
    column: /^(?:addToCartViews|brandedSearchesViews|newToBrandDetailPageView(?:Clicks|Views))$/,
    types: ['SD', 'ST'],
  },
  {
    column:
      /^(?:salesPromotedClicks|purchasesPromotedClicks|impressionsViews|impressionsFrequencyAverage|brandedSearchRate|linkOuts|bidOptimization|promotedAsin|promotedSku|view[AI]\w+)$/,
    types: ['SD'],
  },
  {
    column:
      /^(?:(?:sales|purchases|unitsSold|newToBrandSales|newToBrandPurchases)Views|costPerThousandImpressions|frequencyAverage|household\w*|reach)$/,
    types: ['ST'],
  },
];

/** The types of advertising that have all columns of a row, or the one that the row names. */
export function typesOf(row: JsonObject): readonly AdType[] {
  const named = adTypeNamed(row.adProduct);
  if (named !== undefined) return [named];
  const names = Object.keys(row);
  return sponsoredTypes.filter((type) =>
    typesOfColumns.every(
      ({ column, types }) => types.includes(type) || !names.some((name) => column.test(name)),
    ),
  );
}

/** Columns of reports by other subjects, whose rows often do not add up to their campaign. */
const otherReports =
  /^(?:searchTerm|query|purchasedAsin|creativeId|matchedTargetAsin|lineItem\w*|conversionPath\w*)$/;

/** The first column of a report by another subject, such as search terms. */
export function columnOfOtherReport(names: readonly string[]): string | undefined {
  return names.find((name) => otherReports.test(name));
}

/** Columns of reports whose rows are parts of each campaign. */
const narrowing =
  /^(?:\w*segment\w*|\w*audience\w*|\w*site|site(?:Name|Id)|placement(?:Name|Size)?|supplySource\w*|deal(?:Id|Name|Type)?|\w*device\w*|environment\w*|(?:gross|invalid)\w+|\w*business\w*|cohort\w*|ageRange|gender|city|region|postalCode|dma\w*)$/i;

/** The first column that divides campaigns into parts, such as an audience segment. */
export function narrowingColumn(names: readonly string[]): string | undefined {
  return names.find((name) => narrowing.test(name));
}

/** Whether a report divides each campaign by where its ads appeared. */
export function hasPlacements(row: JsonObject): boolean {
  return 'placementClassification' in row || 'campaignPlacement' in row;
}
