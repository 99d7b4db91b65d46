/** The advertising campaigns of a channel, their ad groups, and when they run. */
import { isoDate } from '../src/calendar/period.ts';
import { type Offer, offersOf } from './catalogue.ts';
import type { Plan } from './plans.ts';
import { randomOf } from './random.ts';

/** Sponsored Products, Sponsored Brands, Sponsored Display. */
export type AdType = 'SP' | 'SB' | 'SD';

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

/** A campaign. Days are day numbers; amounts are in minor units of the channel's currency. */
export type Campaign = {
  readonly campaignId: string;
  readonly name: string;
  readonly adType: AdType;
  /** The product group that it advertises; "" means all products. */
  readonly group: string;
  readonly targetingType: 'auto' | 'manual' | undefined;
  readonly biddingStrategy: 'legacyForSales' | 'autoForSales' | 'manual' | undefined;
  readonly costType: 'cpc' | 'vcpm';
  readonly status: 'active' | 'paused' | 'archived';
  readonly startDay: number;
  /** The planned end, if there is one. */
  readonly endDay: number | undefined;
  /** The last day its ads run. */
  readonly lastDay: number;
  readonly budgetType: 'daily' | 'lifetime';
  readonly budget: number;
  readonly adGroups: readonly AdGroup[];
  /** Its cost and its clicks per view, relative to those of its ad type. */
  readonly costLevel: number;
  readonly clickLevel: number;
};

/** An ad group, and which of the channel's offers it advertises. */
export type AdGroup = {
  readonly adGroupId: string;
  readonly name: string;
  readonly defaultBid: number;
  readonly offerIndexes: readonly number[];
};

/** A row of the dataset campaigns. */
export type CampaignRow = Omit<
  Campaign,
  'group' | 'startDay' | 'endDay' | 'lastDay' | 'adGroups' | 'costLevel' | 'clickLevel'
> & {
  startDate: string;
  endDate?: string;
};
/** A row of the dataset adGroups. */
export type AdGroupRow = Pick<Campaign, 'campaignId' | 'adType' | 'status' | 'costType'> &
  Omit<AdGroup, 'offerIndexes'>;

/** Budgets leave room for days of high demand. */
const budgetLevel = 2;
/** Bids exceed the eventual cost of a click. */
const bidLevel = 1.2;
/** Days since the unprofitable campaign was paused. */
const pausedDays = 60;
const holidays = { first: '11-10', last: '12-31', days: 52 };
const always = Number.POSITIVE_INFINITY;

/** Number of products that an ad type advertises; display ads are for best sellers only. */
export function productsOf(adType: AdType, advertised: number): number {
  return adType === 'SD' ? Math.min(4, advertised) : advertised;
}

/** The campaigns of a channel, as they are on the `anchorDay`. */
export function campaignsOf(plan: Plan, anchorDay: number): Campaign[] {
  if (plan.adShare === 0) return [];
  const offers = offersOf(plan).slice(0, plan.advertised);
  const drafts = [
    ...sponsoredProducts(plan, offers),
    brandStore(offers),
    ...holidayCampaigns(anchorDay - plan.dailyDays, anchorDay),
    retargeting,
    competitors(anchorDay),
  ];
  return drafts.map((draft) => campaignOf(plan, offers, anchorDay, draft));
}

/** A campaign before its ids, budgets and ad groups are made. */
type Draft = {
  /** Its id is derived from this and the channel. */
  readonly seed: string;
  /** Number of campaigns that share the spend of these products. */
  readonly sharers: number;
  readonly settings: Pick<
    Campaign,
    'name' | 'adType' | 'group' | 'targetingType' | 'biddingStrategy'
  > &
    Partial<Campaign>;
};

const wholeRange = { group: '', targetingType: undefined, biddingStrategy: undefined } as const;

/** The campaign for the store page of the brand of the best seller. */
function brandStore([bestSeller]: readonly Offer[]): Draft {
  return {
    seed: 'SB',
    sharers: 1,
    settings: {
      ...wholeRange,
      name: `SB | ${bestSeller!.brand} | Store`,
      adType: 'SB',
      biddingStrategy: 'manual',
    },
  };
}

const retargeting: Draft = {
  seed: 'SD',
  sharers: 1,
  settings: { ...wholeRange, name: 'SD | Retargeting', adType: 'SD', costType: 'vcpm' },
};

/** A campaign that did not pay and was paused. */
function competitors(anchorDay: number): Draft {
  return {
    seed: 'SD competitors',
    sharers: 2,
    settings: {
      ...wholeRange,
      name: 'SD | Competitors',
      adType: 'SD',
      targetingType: 'manual',
      status: 'paused',
      lastDay: anchorDay - pausedDays,
      ...{ costLevel: 1.5, clickLevel: 0.6 },
    },
  };
}

/** One or two campaigns for each product group. */
function sponsoredProducts(plan: Plan, offers: readonly Offer[]): Draft[] {
  const targetings = plan.pairsCampaigns
    ? (['automatic', 'manual'] as const)
    : (['automatic'] as const);
  return [...new Set(offers.map(({ group }) => group))].flatMap((group) =>
    targetings.map((targeting) => {
      const isAutomatic = targeting === 'automatic';
      return {
        seed: `SP ${group} ${targeting}`,
        sharers: targetings.length,
        settings: {
          name: `SP | ${group} | ${isAutomatic ? 'Auto' : 'Manual'}`,
          adType: 'SP',
          group,
          targetingType: isAutomatic ? 'auto' : 'manual',
          biddingStrategy: isAutomatic ? 'legacyForSales' : 'autoForSales',
          // Chosen keywords cost more than the marketplace's choice, and fit better.
          ...(isAutomatic
            ? { costLevel: 0.9, clickLevel: 0.85 }
            : { costLevel: 1.08, clickLevel: 1.15 }),
        },
      };
    }),
  );
}

/** A campaign with a lifetime budget for each holiday season between two days. */
function holidayCampaigns(firstDay: number, anchorDay: number): Draft[] {
  const drafts: Draft[] = [];
  for (let year = yearOf(firstDay); year <= yearOf(anchorDay); year++) {
    const startDay = dayOf(`${year}-${holidays.first}`);
    const endDay = dayOf(`${year}-${holidays.last}`);
    if (endDay < firstDay || startDay >= anchorDay) continue;
    drafts.push({
      seed: `SB ${year}`,
      sharers: 2,
      settings: {
        ...wholeRange,
        ...{ startDay, endDay, lastDay: endDay, budgetType: 'lifetime' },
        status: endDay < anchorDay ? 'archived' : 'active',
        name: `SB | Holiday ${year}`,
        adType: 'SB',
        biddingStrategy: 'manual',
      },
    });
  }
  return drafts;
}

function campaignOf(
  plan: Plan,
  offers: readonly Offer[],
  anchorDay: number,
  { seed, sharers, settings }: Draft,
): Campaign {
  const campaignId = idOf(`campaign ${plan.channelId} ${seed}`);
  const { adType, group } = settings;
  const offerIndexes = [...offers.keys()]
    .slice(0, productsOf(adType, plan.advertised))
    .filter((index) => group === '' || offers[index]!.group === group);
  const { costLevel = 1, clickLevel = 1 } = settings;
  const daily =
    (costLevel *
      offerIndexes.reduce((sum, index) => sum + dailySpend(plan, offers, adType, index), 0)) /
    sharers;
  const budgetDays = settings.budgetType === 'lifetime' ? holidays.days : 1;
  return {
    campaignId,
    status: 'active',
    costType: 'cpc',
    startDay: anchorDay - plan.dailyDays - 20 - randomOf(`start ${campaignId}`).whole(180),
    endDay: undefined,
    lastDay: always,
    budgetType: 'daily',
    budget: roundUp(daily * budgetLevel * budgetDays),
    adGroups: adGroupsOf(plan, offers, { adType, offerIndexes, campaignId, costLevel }),
    ...settings,
    costLevel,
    clickLevel,
  };
}

/** The campaigns as rows of the dataset campaigns. */
export function campaignRows(plan: Plan, campaigns: readonly Campaign[]): CampaignRow[] {
  return campaigns.map((campaign) => ({
    campaignId: campaign.campaignId,
    name: campaign.name,
    adType: campaign.adType,
    targetingType: campaign.targetingType,
    biddingStrategy: campaign.biddingStrategy,
    costType: campaign.costType,
    status: campaign.status,
    budgetType: campaign.budgetType,
    budget: campaign.budget / 10 ** plan.decimals,
    startDate: isoDate(campaign.startDay),
    ...(campaign.endDay !== undefined && { endDate: isoDate(campaign.endDay) }),
  }));
}

/** The ad groups as rows of the dataset adGroups. */
export function adGroupRows(plan: Plan, campaigns: readonly Campaign[]): AdGroupRow[] {
  return campaigns.flatMap(({ campaignId, adType, status, costType, adGroups }) =>
    adGroups.map(({ adGroupId, name, defaultBid }) => ({
      ...{ adGroupId, campaignId, name, adType, status, costType },
      defaultBid: defaultBid / 10 ** plan.decimals,
    })),
  );
}

/** Brand campaigns group their ads by search terms, the others by product family. */
function adGroupsOf(
  plan: Plan,
  offers: readonly Offer[],
  {
    adType,
    offerIndexes,
    campaignId,
    costLevel,
  }: Pick<Campaign, 'adType' | 'campaignId' | 'costLevel'> & {
    readonly offerIndexes: readonly number[];
  },
): AdGroup[] {
  const nameOf = (index: number) =>
    adType === 'SB' ? (index % 2 === 0 ? 'Brand terms' : 'Category terms') : offers[index]!.family;
  return [...Map.groupBy(offerIndexes, nameOf)].map(([name, own]) => {
    const click =
      own.reduce((sum, index) => sum + costOfClick(plan, offers[index]!, adType), 0) / own.length;
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
  const weights = (count: number) =>
    offers.slice(0, count).reduce((sum, { weight }) => sum + weight, 0);
  const concentration = weights(offers.length) / weights(productsOf(adType, plan.advertised));
  const orders =
    plan.ordersPerDay *
    linesPerOrder *
    offers[index]!.weight *
    plan.adShare *
    adTypes[adType].share *
    concentration;
  return (orders / offers[index]!.conversion) * costOfClick(plan, offers[index]!, adType);
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

function dayOf(date: string): number {
  return Date.parse(date) / 86_400_000;
}

function yearOf(day: number): number {
  return new Date(day * 86_400_000).getUTCFullYear();
}
