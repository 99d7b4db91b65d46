/** The advertising campaigns of a channel, their ad groups, and when they run. */
import { isoDate } from '../src/calendar/period.ts';
import { type Offer, offersOf } from './catalogue.ts';
import type { Plan } from './plans.ts';
import { randomOf } from './random.ts';
import type { AdType } from './rows.ts';
import { readTable } from './tables.ts';

/**
 * Each ad type's share of ad-driven orders, its cost relative to the channel's target, its
 * click-through rate, and its share of new-to-brand orders.
 */
export const adTypes = {
  SP: { share: 0.74, costLevel: 0.95, clickThroughRate: 0.006, newToBrand: 0 },
  SB: { share: 0.14, costLevel: 1.1, clickThroughRate: 0.0072, newToBrand: 0.62 },
  SD: { share: 0.12, costLevel: 1.2, clickThroughRate: 0.0036, newToBrand: 0.35 },
} as const satisfies Record<AdType, unknown>;

/** Average units per order line. */
export const unitsPerLine = 1.13;
/** Average order lines per order. */
export const linesPerOrder = 1.18;

/** The terms of a campaign; all campaigns but one have the usual terms. */
type Terms = {
  readonly name: string;
  readonly adType: AdType;
  /** The product group that it advertises; "" means all products. */
  readonly group: string;
  readonly targetingType: 'auto' | 'manual' | undefined;
  readonly biddingStrategy: 'legacyForSales' | 'autoForSales' | 'manual' | undefined;
  readonly costType: 'cpc' | 'vcpm';
  readonly status: 'active' | 'paused' | 'archived';
  /** The planned end, if there is one. */
  readonly endDay: number | undefined;
  /** The last day its ads run. */
  readonly lastDay: number;
  readonly budgetType: 'daily' | 'lifetime';
  /** Its cost and its clicks per view, relative to its ad type's. */
  readonly costLevel: number;
  readonly clickLevel: number;
};
/** A campaign. Days are day numbers; amounts are in minor units of the channel's currency. */
export type Campaign = Terms & {
  readonly campaignId: string;
  readonly startDay: number;
  readonly budget: number;
  readonly adGroups: readonly AdGroup[];
};
/** An ad group, and which of the channel's offers it advertises. */
export type AdGroup = {
  readonly adGroupId: string;
  readonly name: string;
  readonly defaultBid: number;
  readonly offerIndexes: readonly number[];
};
/** A line of campaigns.tsv: a campaign, or one for each product group or holiday season. */
type Line = Partial<Terms> &
  Pick<Terms, 'name' | 'adType'> & {
    /** Its id is derived from this and the channel. */
    readonly seed: string;
    readonly each: 'once' | 'group' | 'year';
    /** Whether only channels that pair automatic campaigns with manual ones have it. */
    readonly isPaired?: boolean;
    /** Number of campaigns that share the spend of these products. */
    readonly sharers: number;
    /** Days since it was paused because it did not pay. */
    readonly pausedDays?: number;
  };

const lines = Map.groupBy(readTable<Line>('campaigns'), ({ adType }) => adType);
const usual = {
  group: '',
  targetingType: undefined,
  biddingStrategy: undefined,
  costType: 'cpc',
  status: 'active',
  endDay: undefined,
  budgetType: 'daily',
  lastDay: Number.POSITIVE_INFINITY,
  costLevel: 1,
  clickLevel: 1,
} as const satisfies Partial<Terms>;
/** Budgets leave room for days of high demand. */
const budgetLevel = 2;
/** Bids exceed the eventual cost of a click. */
const bidLevel = 1.2;
const holidays = { first: '11-10', last: '12-31', days: 52 };

/** Number of products that an ad type advertises; display ads are for best sellers only. */
export function productsOf(adType: AdType, advertised: number): number {
  return adType === 'SD' ? Math.min(4, advertised) : advertised;
}

/** The campaigns of a channel, as they are on the `anchorDay`. */
export function campaignsOf(plan: Plan, anchorDay: number): Campaign[] {
  if (plan.adShare === 0) return [];
  const offers = offersOf(plan).slice(0, plan.advertised);
  const groups = [...new Set(offers.map(({ group }) => group))];
  const [first, last] = [anchorDay - plan.dailyDays, anchorDay].map(yearOf) as [number, number];
  const years = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  const drafts = [
    ...groups.flatMap((group) => lines.get('SP')!.map((line) => ({ line, each: group, group }))),
    ...[...lines.get('SB')!, ...lines.get('SD')!].flatMap((line) =>
      (line.each === 'year' ? years : ['']).map((each) => ({ line, each: `${each}`, group: '' })),
    ),
  ];
  return drafts.flatMap(({ line, each, group }) => {
    const dates = line.each === 'year' ? holidayOf(each, plan, anchorDay) : {};
    if (dates === undefined || (line.isPaired && !plan.pairsCampaigns)) return [];
    return [campaignOf(plan, offers, anchorDay, { ...line, ...dates, group }, each)];
  });
}

/** The dates of a holiday season; undefined if it is outside the channel's days. */
function holidayOf(year: string, { dailyDays }: Plan, anchorDay: number) {
  const startDay = dayOf(`${year}-${holidays.first}`);
  const endDay = dayOf(`${year}-${holidays.last}`);
  if (endDay < anchorDay - dailyDays || startDay >= anchorDay) return undefined;
  const status = endDay < anchorDay ? ('archived' as const) : ('active' as const);
  return { startDay, endDay, lastDay: endDay, status };
}

function campaignOf(
  plan: Plan,
  offers: readonly Offer[],
  anchorDay: number,
  { seed, each: _, isPaired, sharers, pausedDays, ...draft }: Line & Partial<Campaign>,
  each: string,
): Campaign {
  const campaignId = idOf(`campaign ${plan.channelId} ${seed.replace('{each}', each)}`);
  const name = draft.name.replace('{each}', each).replace('{brand}', offers[0]!.brand);
  const lastDay = pausedDays === undefined ? usual.lastDay : anchorDay - pausedDays;
  const terms = { ...usual, lastDay, ...draft, name };
  const { adType, group, costLevel } = terms;
  const offerIndexes = [...offers.keys()]
    .slice(0, productsOf(adType, plan.advertised))
    .filter((index) => group === '' || offers[index]!.group === group);
  const spends = offerIndexes.map((index) => dailySpend(plan, offers, adType, index));
  const sharing = draft.group !== '' && plan.pairsCampaigns ? 2 : sharers;
  const daily = (costLevel * spends.reduce((sum, spend) => sum + spend, 0)) / sharing;
  const budgetDays = terms.budgetType === 'lifetime' ? holidays.days : 1;
  return {
    campaignId,
    startDay: anchorDay - plan.dailyDays - 20 - randomOf(`start ${campaignId}`).whole(180),
    budget: roundUp(daily * budgetLevel * budgetDays),
    adGroups: adGroupsOf(plan, offers, { ...terms, campaignId }, offerIndexes),
    ...terms,
  };
}

/** The campaigns as rows of the dataset campaigns. */
export function campaignRows({ decimals }: Plan, campaigns: readonly Campaign[]) {
  return campaigns.map(
    ({ adGroups, group, startDay, endDay, lastDay, costLevel, clickLevel, ...campaign }) => ({
      ...campaign,
      budget: campaign.budget / 10 ** decimals,
      startDate: isoDate(startDay),
      ...(endDay !== undefined && { endDate: isoDate(endDay) }),
    }),
  );
}

/** The ad groups as rows of the dataset adGroups. */
export function adGroupRows({ decimals }: Plan, campaigns: readonly Campaign[]) {
  return campaigns.flatMap(({ campaignId, adType, status, costType, adGroups }) =>
    adGroups.map(({ adGroupId, name, defaultBid }) => ({
      adGroupId,
      campaignId,
      name,
      adType,
      status,
      costType,
      defaultBid: defaultBid / 10 ** decimals,
    })),
  );
}

/** Brand campaigns group their ads by search terms, the others by product family. */
function adGroupsOf(
  plan: Plan,
  offers: readonly Offer[],
  { adType, campaignId, costLevel }: Pick<Campaign, 'adType' | 'campaignId' | 'costLevel'>,
  offerIndexes: readonly number[],
): AdGroup[] {
  const nameOf = (index: number) =>
    adType === 'SB' ? (index % 2 === 0 ? 'Brand terms' : 'Category terms') : offers[index]!.family;
  return [...Map.groupBy(offerIndexes, nameOf)].map(([name, own]) => {
    const costs = own.map((index) => costOfClick(plan, offers[index]!, adType));
    const click = costs.reduce((sum, cost) => sum + cost, 0) / own.length;
    return {
      adGroupId: idOf(`ad group ${campaignId} ${name}`),
      name,
      defaultBid: Math.ceil(click * costLevel * bidLevel),
      offerIndexes: own,
    };
  });
}

function costOfClick({ acos }: Plan, { netPrice, conversion }: Offer, adType: AdType): number {
  return netPrice * conversion * unitsPerLine * acos * adTypes[adType].costLevel;
}

/** A product's daily ad spend in an average season. */
function dailySpend(plan: Plan, offers: readonly Offer[], adType: AdType, index: number): number {
  const { weight, conversion } = offers[index]!;
  const weights = (count: number) =>
    offers.slice(0, count).reduce((sum, offer) => sum + offer.weight, 0);
  const concentration = weights(offers.length) / weights(productsOf(adType, plan.advertised));
  const lines = plan.ordersPerDay * linesPerOrder * weight;
  const orders = lines * plan.adShare * adTypes[adType].share * concentration;
  return (orders / conversion) * costOfClick(plan, offers[index]!, adType);
}

/** Rounds up to one or two significant digits, as people set budgets. */
function roundUp(minor: number): number {
  const step = 10 ** Math.floor(Math.log10(minor)) / 2;
  return Math.ceil(minor / step) * step;
}

/** An id of the advertising console, always the same for a seed. */
export function idOf(seed: string): string {
  const random = randomOf(seed);
  return String(100_000_000 + random.whole(800_000_000)) + String(100_000 + random.whole(900_000));
}

const dayOf = (date: string) => Date.parse(date) / 86_400_000;
const yearOf = (day: number) => Number(isoDate(day).slice(0, 4));
