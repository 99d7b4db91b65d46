/** Monthly Search Query Performance of two channels. */
import { isoDate, monthOfDay } from '../calendar/period.ts';
import { linesPerOrder } from './campaigns.ts';
import { brand, type Offer, offersOf } from './catalogue.ts';
import type { Plan } from './plans.ts';
import { type Random, randomOf } from './random.ts';
import { calendarDay, dayFactor, type Season, seasonFactor } from './seasons.ts';

/** A row of the dataset searchQueries. */
export type SearchQueryRow = {
  month: string;
  asin: string;
  searchQuery: string;
  searchQueryVolume: number;
  totalImpressions: number;
  impressions: number;
  totalClicks: number;
  clicks: number;
  totalCartAdds: number;
  cartAdds: number;
  totalPurchases: number;
  purchases: number;
  totalMedianPurchasePrice: number;
  /** Missing when there were no purchases. */
  medianPurchasePrice?: number;
  medianClickPrice: number;
  currency: string;
};

/** How buyers responded to the products that a search showed. */
type Response = {
  readonly impressions: number;
  readonly clicks: number;
  readonly cartAdds: number;
  readonly purchases: number;
};

/** Search terms by channel and product family, most popular first. */
const terms: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'northwind-us': {
    'Insulated Bottle 750 ml': [
      'water bottle',
      'insulated water bottle',
      'stainless steel water bottle',
      'metal water bottle 25 oz',
      'vacuum insulated bottle',
      'hiking water bottle',
      'leak proof gym bottle',
      'insulated bottle 750 ml',
    ],
    'Trail Day Pack 25 L': [
      'hiking backpack',
      'day pack',
      'small hiking backpack',
      'day pack for hiking women',
      'lightweight backpack 25l',
      'trail backpack with rain cover',
    ],
    'Headlamp 400 lm, rechargeable': [
      'headlamp',
      'rechargeable headlamp',
      'led headlamp for adults',
      'camping headlamp',
      'running headlamp lightweight',
      'head lamp usb c',
      'headlamp 400 lumens',
    ],
    'Merino Hiking Socks, 3 pairs': [
      'hiking socks',
      'merino wool socks',
      'wool hiking socks women',
      'merino socks men 3 pack',
      'warm boot socks',
      'cushioned trail socks',
    ],
    'Folding Camp Chair': [
      'camping chair',
      'folding chair outdoor',
      'camp chair lightweight',
      'portable beach chair',
      'backpacking chair',
      'camp chair with side pocket',
    ],
    'Camp Cookset for Two': [
      'camping cookware',
      'camp cook set',
      'backpacking pot and pan',
      'camping mess kit for 2',
      'nesting camp cookset',
    ],
    'Carbon Trekking Poles, pair': [
      'trekking poles',
      'hiking poles collapsible',
      'carbon fiber trekking poles',
      'walking poles for seniors',
      'ultralight trekking poles pair',
    ],
    'Roll-top Dry Bag': [
      'dry bag',
      'waterproof bag kayak',
      'dry bag 10l',
      'roll top dry bag',
      'dry sack for boating',
    ],
  },
  'northwind-de': {
    'Insulated Bottle 750 ml': [
      'trinkflasche edelstahl',
      'thermosflasche',
      'isolierflasche',
      'trinkflasche 750 ml',
      'wasserflasche auslaufsicher',
      'thermoflasche wandern',
      'edelstahl isolierflasche 750 ml',
    ],
    'Trail Day Pack 25 L': [
      'wanderrucksack',
      'rucksack 25 liter',
      'tagesrucksack herren',
      'wanderrucksack damen 25l',
      'leichter rucksack wandern',
      'trekkingrucksack mit regenhülle',
    ],
    'Headlamp 400 lm, rechargeable': [
      'stirnlampe',
      'stirnlampe led wiederaufladbar',
      'kopflampe',
      'stirnlampe joggen',
      'stirnlampe usb c',
      'stirnlampe 400 lumen',
    ],
    'Merino Hiking Socks, 3 pairs': [
      'wandersocken',
      'merino socken',
      'wandersocken herren',
      'merinosocken damen 3er pack',
      'trekkingsocken warm',
    ],
    'Folding Camp Chair': [
      'campingstuhl',
      'campingstuhl faltbar',
      'klappstuhl outdoor',
      'angelstuhl leicht',
      'faltstuhl mit tasche',
    ],
    'Camp Cookset for Two': [
      'campinggeschirr',
      'camping kochset',
      'camping topfset',
      'outdoor kochgeschirr 2 personen',
      'trekking kochset',
    ],
    'Carbon Trekking Poles, pair': [
      'wanderstöcke',
      'trekkingstöcke',
      'trekkingstöcke carbon',
      'wanderstöcke faltbar',
      'trekkingstöcke ultraleicht paar',
    ],
    'Roll-top Dry Bag': [
      'dry bag',
      'wasserdichter packsack',
      'packsack 10 liter',
      'drybag sup',
      'seesack wasserdicht rolltop',
    ],
  },
};

const monthsReported = 14;
/** Number of products reported, best sellers first. */
const productsReported = 12;
const daysPerYear = 365.25;
/** Share of order lines that begin with one of these searches. */
const searchedShare = 0.45;
/** Units of competing products bought per click, and the yearly growth of the market. */
const market = { conversion: 0.085, growth: 0.05 };
/** Click share on the most popular term, its factor for each next term, and that of the brand. */
const clickShare = { first: 0.008, step: 1.45, brand: 0.55 };
const clicksPerImpression = 0.011;
/** A higher click share comes from a higher click-through rate. */
const clicksLift = 40;
const cartAddsPerPurchase = 2.4;
const clicksPerSearch = 0.36;
/** Competing products are a little cheaper. */
const marketPrice = 0.84;
/** In some months most buyers use a coupon. */
const coupon = { chance: 0.25, discount: 0.05 };

/** The searches of a channel in the whole months before the `anchorDay`. */
export function searchQueryRows(plan: Plan, anchorDay: number): SearchQueryRow[] {
  const searched = terms[plan.channelId];
  if (searched === undefined) return [];
  const reported = offersOf(plan)
    .filter(({ family }) => family in searched)
    .slice(0, productsReported);
  const families = [...Map.groupBy(reported, ({ family }) => family)];
  return monthsBefore(anchorDay).flatMap((days) =>
    families.flatMap(([family, offers]) => {
      const [first, ...others] = searched[family]!;
      const queries = [first!, ...others, `${brand.toLowerCase()} ${first}`];
      const splits = queries.map((_, rank) => 1 / (rank + 1));
      const splitSum = splits.reduce((sum, split) => sum + split, 0);
      const demandAt = (growth: number) =>
        plan.ordersPerDay * demand(offers[0]!.season, plan, days, growth, anchorDay);
      const [ownDemand, marketDemand] = [demandAt(plan.growth), demandAt(market.growth)];
      return queries.flatMap((searchQuery, rank) => {
        const clicks = ({ weight, conversion }: Offer) =>
          (weight * linesPerOrder * searchedShare * splits[rank]!) / splitSum / conversion;
        const share =
          rank === queries.length - 1
            ? clickShare.brand
            : clickShare.first * clickShare.step ** rank;
        return rowsOf(plan, searchQuery, offers, {
          month: isoDate(days[0]!).slice(0, 7),
          share,
          ownClicks: (offer) => clicks(offer) * ownDemand,
          otherClicks:
            offers.reduce((sum, offer) => sum + clicks(offer), 0) * marketDemand * (1 / share - 1),
        });
      });
    }),
  );
}

/** The expected outcome of a search in a month. */
type Expected = {
  readonly month: string;
  /** Share of the clicks that the products win. */
  readonly share: number;
  readonly ownClicks: (offer: Offer) => number;
  /** Clicks on competing products. */
  readonly otherClicks: number;
};

/**
 * One search in one month: a row for each product. The totals of the market, the same in every row,
 * include these products and the competing ones.
 */
function rowsOf(
  plan: Plan,
  searchQuery: string,
  offers: readonly Offer[],
  { month, share, ownClicks, otherClicks }: Expected,
) {
  const random = randomOf(`search ${plan.channelId} ${searchQuery} ${month}`);
  const unit = 10 ** plan.decimals;
  const own = offers.map((offer) =>
    respond(
      random,
      ownClicks(offer) * random.factor(0.1),
      clicksPerImpression * (1 + clicksLift * share),
      offer.conversion,
    ),
  );
  const all = [
    ...own,
    respond(random, otherClicks * random.factor(0.06), clicksPerImpression, market.conversion),
  ];
  const total = (name: keyof Response) => all.reduce((sum, response) => sum + response[name], 0);
  const searches = Math.round((total('clicks') / clicksPerSearch) * random.factor(0.04));
  const shared = {
    // A search shows a product at most once.
    searchQueryVolume: Math.max(searches, ...own.map(({ impressions }) => impressions)),
    totalImpressions: total('impressions'),
    totalClicks: total('clicks'),
    totalCartAdds: total('cartAdds'),
    totalPurchases: total('purchases'),
    totalMedianPurchasePrice:
      Math.round(offers[0]!.price * marketPrice * random.factor(0.05)) / unit,
  };
  return offers.map(({ productId: asin, price }, at): SearchQueryRow => {
    const paid = random.next() < coupon.chance ? price * (1 - coupon.discount) : price;
    return {
      ...{ month, asin, searchQuery, ...shared, ...own[at]! },
      ...(own[at]!.purchases > 0 && { medianPurchasePrice: Math.round(paid) / unit }),
      medianClickPrice: price / unit,
      currency: plan.currency,
    };
  });
}

function respond(
  random: Random,
  clicksMean: number,
  clickRate: number,
  conversion: number,
): Response {
  const clicks = random.poisson(clicksMean);
  const impressions = Math.max(clicks, random.poisson((clicks + 0.5) / clickRate));
  const cartAdds = Math.min(clicks, random.poisson(clicks * conversion * cartAddsPerPurchase));
  const purchases = Math.min(cartAdds, random.poisson(cartAdds / cartAddsPerPurchase));
  return { impressions, clicks, cartAdds, purchases };
}

/** Demand over some days, in average days at the end of the data. */
function demand(
  season: Season,
  { southern }: Plan,
  days: readonly number[],
  growth: number,
  anchorDay: number,
): number {
  return days.reduce((sum, day) => {
    const calendar = calendarDay(day);
    return (
      sum +
      seasonFactor(season, calendar, southern) *
        dayFactor(calendar) *
        (1 + growth) ** ((day - anchorDay) / daysPerYear)
    );
  }, 0);
}

/** The days of each whole month before a day, earliest month first. */
function monthsBefore(day: number): number[][] {
  const months: number[][] = [];
  for (
    let before = monthOfDay(day).firstDay - 1;
    months.length < monthsReported;
    before = months[0]![0]! - 1
  ) {
    const { firstDay, lastDay } = monthOfDay(before);
    months.unshift(Array.from({ length: lastDay - firstDay + 1 }, (_, index) => firstDay + index));
  }
  return months;
}
