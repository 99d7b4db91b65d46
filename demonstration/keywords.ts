/** The keywords and targets of ad groups, and how the results of a day are divided among them. */
import { type AdGroup, type Campaign, idOf } from './campaigns.ts';
import type { Offer } from './catalogue.ts';
import type { Plan } from './plans.ts';
import { pickIndex, runningSums } from './random.ts';
import type { AdMetrics } from './rows.ts';
import { searchTermsOf } from './searchTerms.ts';

/** A keyword or target of an ad group. Its bid is in minor units of the channel's currency. */
export type Keyword = {
  readonly keywordId: string;
  readonly keywordText: string;
  readonly matchType: MatchType;
  readonly bid: number;
  readonly status: Campaign['status'];
  /** The last day on which its ads are shown. */
  readonly lastDay: number;
  /** Its share of the ad group's impressions, relative to the others. */
  readonly weight: number;
};

type MatchType = 'broad' | 'phrase' | 'exact' | 'targetingExpressionPredefined';

/** A keyword before its id and bid are made. */
type Draft = {
  readonly text: string;
  readonly matchType: MatchType;
  readonly weight: number;
  /** Its bid, relative to the default bid of the ad group. */
  readonly bidLevel: number;
};

/** Bids relative to the default bid, and orders per click relative to other keywords. */
const matchLevels: Readonly<Record<MatchType, { bid: number; orders: number }>> = {
  exact: { bid: 1.15, orders: 1.3 },
  phrase: { bid: 1, orders: 1 },
  broad: { bid: 0.85, orders: 0.75 },
  targetingExpressionPredefined: { bid: 1, orders: 1 },
};
/** The targets of automatic campaigns. */
const predefined = (
  [
    ['close-match', 5, 1.1],
    ['loose-match', 2.2, 0.75],
    ['substitutes', 1.8, 0.95],
    ['complements', 1, 0.7],
  ] as const
).map(([text, weight, bidLevel]): Draft => {
  return { text, weight, bidLevel, matchType: 'targetingExpressionPredefined' };
});
/** How the most popular search terms of a family are matched, the most popular first. */
const matchTypes: readonly MatchType[] = ['exact', 'phrase', 'broad', 'exact', 'broad'];
/** Days since the keyword that brought too few orders was paused. */
const pausedDays = 45;
/** Searches that an ad group of brand campaigns is shown for. */
const brandTermsMax = 4;
const always = Number.POSITIVE_INFINITY;

/** The keywords of each ad group of a channel, as they are on the `anchorDay`; display has none. */
export function keywordsOf(
  plan: Plan,
  offers: readonly Offer[],
  campaigns: readonly Campaign[],
  anchorDay: number,
): ReadonlyMap<AdGroup, readonly Keyword[]> {
  const ofAdGroup = (campaign: Campaign, adGroup: AdGroup): Keyword[] => {
    const drafts = draftsOf(plan, offers, campaign, adGroup);
    const isTried = campaign.targetingType === 'manual' && drafts.length > 2;
    return drafts.map(({ text, matchType, weight, bidLevel }, at) => {
      const isPaused = isTried && at === drafts.length - 1 && campaign.status === 'active';
      return {
        keywordId: idOf(`keyword ${adGroup.adGroupId} ${text} ${matchType}`),
        keywordText: text,
        matchType,
        weight,
        bid: Math.max(1, Math.round(adGroup.defaultBid * bidLevel)),
        status: isPaused ? 'paused' : campaign.status,
        lastDay: isPaused ? anchorDay - pausedDays : always,
      };
    });
  };
  return new Map(
    campaigns.flatMap((campaign) =>
      campaign.adGroups.map((adGroup) => [adGroup, ofAdGroup(campaign, adGroup)] as const),
    ),
  );
}

/** The keywords as rows of the dataset keywords. */
export function keywordRows(
  plan: Plan,
  campaigns: readonly Campaign[],
  keywords: ReadonlyMap<AdGroup, readonly Keyword[]>,
) {
  return campaigns.flatMap(({ campaignId, adType, adGroups }) =>
    adGroups.flatMap((adGroup) =>
      keywords.get(adGroup)!.map(({ keywordId, keywordText, matchType, status, bid }) => ({
        keywordId,
        adGroupId: adGroup.adGroupId,
        campaignId,
        keywordText,
        matchType,
        adType,
        status,
        bid: bid / 10 ** plan.decimals,
      })),
    ),
  );
}

/** Picks the keyword whose click led to an order. */
export function keywordOfOrder(keywords: readonly Keyword[], draw: number): Keyword {
  const weights = keywords.map(({ weight, matchType }) => weight * matchLevels[matchType].orders);
  return keywords[pickIndex(draw, runningSums(weights))]!;
}

/**
 * Divides the impressions, clicks and cost of an ad group among its keywords, which have their
 * orders already: every order needs a click, and every click an impression.
 */
export function divide(
  total: AdMetrics,
  parts: readonly { readonly keyword: Keyword; readonly metrics: AdMetrics }[],
): void {
  const weights = parts.map(({ keyword }) => keyword.weight);
  const orders = parts.map(({ metrics }) => metrics.conversions);
  const clicks = beyond(total.clicks, orders, weights);
  const impressions = beyond(total.impressions, clicks, weights);
  const bids = parts.map(({ keyword }, at) => clicks[at]! * keyword.bid);
  const costs = shares(total.cost, bids);
  const views = shares(total.detailPageViews, clicks);
  for (const [at, { metrics }] of parts.entries()) {
    metrics.clicks = clicks[at]!;
    metrics.impressions = impressions[at]!;
    metrics.cost = costs[at]!;
    metrics.detailPageViews = views[at]!;
  }
}

function draftsOf(
  plan: Plan,
  offers: readonly Offer[],
  { adType, targetingType }: Campaign,
  { name, offerIndexes }: AdGroup,
): readonly Draft[] {
  if (adType === 'SD') return [];
  if (targetingType === 'auto') return predefined;
  const own = offerIndexes.map((index) => offers[index]!);
  if (adType === 'SP') return draftsOfTerms(termsOf(plan, own[0]!));
  const brand = own[0]!.brand.toLowerCase();
  const families = [...new Map(own.map((offer) => [offer.family, offer])).values()];
  const terms = families.map((offer) => termsOf(plan, offer)[0]!).slice(0, brandTermsMax);
  return draftsOfTerms(
    name === 'Brand terms' ? [brand, ...terms.map((term) => `${brand} ${term}`)] : terms,
  );
}

/** A popular term is searched for more often than the next one. */
function draftsOfTerms(terms: readonly string[]): Draft[] {
  return terms.slice(0, matchTypes.length).map((text, at) => {
    const matchType = matchTypes[at]!;
    return { text, matchType, weight: 1 / (at + 1), bidLevel: matchLevels[matchType].bid };
  });
}

function termsOf({ channelId }: Plan, { family }: Offer): readonly string[] {
  const terms = searchTermsOf(channelId, family);
  return terms.length > 0 ? terms : [family.toLowerCase()];
}

/** Gives each part its least count, and divides what is left of the total by weight. */
function beyond(total: number, least: readonly number[], weights: readonly number[]): number[] {
  const left = total - least.reduce((sum, count) => sum + count, 0);
  const more = shares(left, weights);
  return least.map((count, at) => count + more[at]!);
}

/** Divides a whole number by weight; the largest remainders get what is left over. */
function shares(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  if (sum === 0) return weights.map(() => 0);
  const exact = weights.map((weight) => (total * weight) / sum);
  const whole = exact.map(Math.floor);
  const left = total - whole.reduce((all, one) => all + one, 0);
  const order = [...exact.keys()].sort(
    (one, other) => exact[other]! - whole[other]! - (exact[one]! - whole[one]!) || one - other,
  );
  for (const at of order.slice(0, left)) whole[at]!++;
  return whole;
}
