/** How the demonstration's organisation advertises: the campaigns of a channel, their ad groups, and when they run. */
import { isoDate } from '../calendar/period.ts';
import { brand, type Offer, offersOf, type Plan } from './catalogue.ts';
import { randomOf } from './random.ts';

/** Sponsored Products, Sponsored Brands, Sponsored Display. */
export type AdType = 'SP' | 'SB' | 'SD';

/** Which part of the orders that ads bring falls to each kind of ad, how its spend compares with the channel's, and its click-through rate. */
export const adTypes = {
  SP: { share: 0.74, dearness: 0.95, clickThroughRate: 0.0048, newCustomers: 0 },
  SB: { share: 0.14, dearness: 1.1, clickThroughRate: 0.0072, newCustomers: 0.62 },
  SD: { share: 0.12, dearness: 1.2, clickThroughRate: 0.0036, newCustomers: 0.35 },
} as const satisfies Record<AdType, unknown>;

/** Units of an order line on average. */
export const unitsPerLine = 1.13;
/** Order lines of an order on average. */
export const linesPerOrder = 1.18;

/** A campaign. Days are day numbers; amounts are in minor units of the channel's currency. */
export type Campaign = {
  readonly campaignId: string;
  readonly name: string;
  readonly adType: AdType;
  /** The group of products that it advertises, "" for all of them. */
  readonly group: string;
  readonly targetingType: 'auto' | 'manual' | undefined;
  readonly biddingStrategy: 'legacyForSales' | 'autoForSales' | 'manual' | undefined;
  readonly costType: 'cpc' | 'vcpm';
  readonly status: 'active' | 'paused' | 'archived';
  readonly startDay: number;
  /** The end that was set, if one was. */
  readonly endDay: number | undefined;
  /** The last day on which its ads are shown. */
  readonly lastDay: number;
  readonly budgetType: 'daily' | 'lifetime';
  readonly budget: number;
  readonly adGroups: readonly AdGroup[];
};

/** An ad group, with the places of its products among the channel's offers. */
export type AdGroup = {
  readonly adGroupId: string;
  readonly name: string;
  readonly defaultBid: number;
  readonly places: readonly number[];
};

/** A row of the dataset campaigns. */
export type CampaignRow = Omit<
  Campaign,
  'group' | 'startDay' | 'endDay' | 'lastDay' | 'adGroups'
> & {
  startDate: string;
  endDate?: string;
};
/** A row of the dataset adGroups. */
export type AdGroupRow = Pick<Campaign, 'campaignId' | 'adType' | 'status' | 'costType'> &
  Omit<AdGroup, 'places'>;

/** Budgets leave room for days on which more is wanted. */
const budgetRoom = 2;
/** Bids are higher than what a click costs in the end. */
const bidRoom = 1.2;
/** How long ago the campaign that did not pay was paused, in days. */
const pausedDays = 60;
const holidays = { first: '11-10', last: '12-31', days: 52 };
const always = Number.POSITIVE_INFINITY;

/** How many of the advertised products a kind of ad is bought for: display ads for the few that are wanted most. */
export function productsOf(adType: AdType, advertised: number): number {
  return adType === 'SD' ? Math.min(4, advertised) : advertised;
}

/** The campaigns of a channel, as they are on the `anchorDay`. */
export function campaignsOf(plan: Plan, anchorDay: number): Campaign[] {
  if (plan.adShare === 0) return [];
  const offers = offersOf(plan).slice(0, plan.advertised);
  const firstDay = anchorDay - plan.dailyDays;
  type Settings = Pick<
    Campaign,
    'name' | 'adType' | 'group' | 'targetingType' | 'biddingStrategy'
  > &
    Partial<Campaign>;
  const campaign = (seed: string, sharers: number, settings: Settings): Campaign => {
    const campaignId = idOf(`campaign ${plan.channelId} ${seed}`);
    const { adType, group } = settings;
    const places = [...offers.keys()]
      .slice(0, productsOf(adType, plan.advertised))
      .filter((at) => group === '' || offers[at]!.group === group);
    const daily =
      places.reduce((sum, at) => sum + dailySpend(plan, offers, adType, at), 0) / sharers;
    return {
      campaignId,
      status: 'active',
      costType: 'cpc',
      startDay: firstDay - 20 - randomOf(`start ${campaignId}`).whole(180),
      endDay: undefined,
      lastDay: always,
      budgetType: 'daily',
      budget: roundUp(
        daily * budgetRoom * (settings.budgetType === 'lifetime' ? holidays.days : 1),
      ),
      adGroups: adGroupsOf(plan, offers, adType, places, campaignId),
      ...settings,
    };
  };

  const found: Campaign[] = [];
  const targetings = plan.pairsCampaigns
    ? (['automatic', 'manual'] as const)
    : (['automatic'] as const);
  for (const group of new Set(offers.map((offer) => offer.group))) {
    for (const targeting of targetings) {
      found.push(
        campaign(`SP ${group} ${targeting}`, targetings.length, {
          name: `SP | ${group} | ${targeting === 'automatic' ? 'Auto' : 'Manual'}`,
          adType: 'SP',
          group,
          targetingType: targeting === 'automatic' ? 'auto' : 'manual',
          biddingStrategy: targeting === 'automatic' ? 'legacyForSales' : 'autoForSales',
        }),
      );
    }
  }
  const others = { group: '', targetingType: undefined, biddingStrategy: undefined };
  found.push(
    campaign('SB', 1, {
      ...others,
      name: `SB | ${brand} | Store`,
      adType: 'SB',
      biddingStrategy: 'manual',
    }),
  );
  for (let year = yearOf(firstDay); year <= yearOf(anchorDay); year++) {
    const [startDay, endDay] = [
      dayOf(`${year}-${holidays.first}`),
      dayOf(`${year}-${holidays.last}`),
    ];
    if (endDay < firstDay || startDay >= anchorDay) continue;
    const status = endDay < anchorDay ? 'archived' : 'active';
    const times = { startDay, endDay, lastDay: endDay, budgetType: 'lifetime', status } as const;
    found.push(
      campaign(`SB ${year}`, 2, {
        ...others,
        ...times,
        name: `SB | Holiday ${year}`,
        adType: 'SB',
        biddingStrategy: 'manual',
      }),
    );
  }
  found.push(
    campaign('SD', 1, { ...others, name: 'SD | Retargeting', adType: 'SD', costType: 'vcpm' }),
  );
  found.push(
    campaign('SD competitors', 2, {
      ...others,
      name: 'SD | Competitors',
      adType: 'SD',
      targetingType: 'manual',
      status: 'paused',
      lastDay: anchorDay - pausedDays,
    }),
  );
  return found;
}

/** The campaigns as rows of the dataset campaigns. */
export function campaignRows(plan: Plan, campaigns: readonly Campaign[]): CampaignRow[] {
  return campaigns.map(
    ({ group: _, startDay, endDay, lastDay: __, adGroups: ___, budget, ...row }) => ({
      ...row,
      budget: budget / 10 ** plan.places,
      startDate: isoDate(startDay),
      ...(endDay !== undefined && { endDate: isoDate(endDay) }),
    }),
  );
}

/** Their ad groups as rows of the dataset adGroups. */
export function adGroupRows(plan: Plan, campaigns: readonly Campaign[]): AdGroupRow[] {
  return campaigns.flatMap(({ campaignId, adType, status, costType, adGroups }) =>
    adGroups.map(({ adGroupId, name, defaultBid }) => ({
      ...{ adGroupId, campaignId, name, adType, status, costType },
      defaultBid: defaultBid / 10 ** plan.places,
    })),
  );
}

/** Brands are advertised by what buyers search for, products by their families. */
function adGroupsOf(
  plan: Plan,
  offers: readonly Offer[],
  adType: AdType,
  places: readonly number[],
  campaignId: string,
): AdGroup[] {
  const names = (at: number) =>
    adType === 'SB' ? (at % 2 === 0 ? 'Brand terms' : 'Category terms') : offers[at]!.family;
  return [...Map.groupBy(places, names)].map(([name, own]) => {
    const click =
      own.reduce((sum, at) => sum + costOfClick(plan, offers[at]!, adType), 0) / own.length;
    return {
      adGroupId: idOf(`ad group ${campaignId} ${name}`),
      name,
      defaultBid: Math.ceil(click * bidRoom),
      places: own,
    };
  });
}

function costOfClick({ acos }: Plan, { netPrice, conversion }: Offer, adType: AdType): number {
  return netPrice * conversion * unitsPerLine * acos * adTypes[adType].dearness;
}

/** What a day of the ads of a product costs in an average season. */
function dailySpend(plan: Plan, offers: readonly Offer[], adType: AdType, at: number): number {
  const weights = (count: number) =>
    offers.slice(0, count).reduce((sum, { weight }) => sum + weight, 0);
  const reach = weights(offers.length) / weights(productsOf(adType, plan.advertised));
  const orders =
    plan.ordersPerDay *
    linesPerOrder *
    offers[at]!.weight *
    plan.adShare *
    adTypes[adType].share *
    reach;
  return (orders / offers[at]!.conversion) * costOfClick(plan, offers[at]!, adType);
}

/** An amount as people set budgets: of one or two digits that are not zero. */
function roundUp(minor: number): number {
  const step = 10 ** Math.floor(Math.log10(minor)) / 2;
  return Math.ceil(minor / step) * step;
}

function idOf(seed: string): string {
  const random = randomOf(seed);
  return String(100_000_000 + random.whole(800_000_000)) + String(100_000 + random.whole(900_000));
}

function dayOf(date: string): number {
  return Date.parse(date) / 86_400_000;
}

function yearOf(day: number): number {
  return new Date(day * 86_400_000).getUTCFullYear();
}
