/** Monthly Search Query Performance of the channels of the primary marketplace. */
import { isoDate, monthOfDay } from '../src/calendar/period.ts';
import { linesPerOrder } from './campaigns.ts';
import { type Offer, offersOf } from './catalogue.ts';
import type { Plan } from './plans.ts';
import { type Random, randomOf } from './random.ts';
import { searchTermsOf } from './searchTerms.ts';
import { calendarDay, dayFactor, growthFactor, seasonFactor } from './seasons.ts';

/** The steps from a search to a purchase that the totals of the market have, too. */
type Step = 'impressions' | 'clicks' | 'cartAdds' | 'purchases';
/** How buyers responded to a product that a search showed. */
type Response = Readonly<Record<Step, number>>;

const daysPerMonth = 30;
/** Number of products reported, best sellers first. */
const productsReported = 12;
/** Share of order lines that begin with one of these searches. */
const searchedShare = 0.45;
/** Units of competing products bought per click, and the yearly growth of the market. */
const market = { conversion: 0.085, growth: 0.05 };
/** How far searches differ in clicks per impression, and product families in conversion. */
const spread = { clicks: 0.25, conversion: 0.2 };
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
export function searchQueryRows(plan: Plan, anchorDay: number) {
  const reported = offersOf(plan)
    .filter(({ family }) => searchTermsOf(plan.channelId, family).length > 0)
    .slice(0, productsReported);
  const families = [...Map.groupBy(reported, ({ family }) => family)];
  return monthsBefore(anchorDay, Math.floor(plan.dailyDays / daysPerMonth)).flatMap((days) =>
    families.flatMap(([family, offers]) => {
      const terms = searchTermsOf(plan.channelId, family);
      const queries = [...terms, `${offers[0]!.brand.toLowerCase()} ${terms[0]}`];
      const splits = queries.map((_, rank) => 1 / (rank + 1));
      const splitSum = splits.reduce((sum, split) => sum + split, 0);
      // In average days at the end of the data.
      const demandAt = (growth: number) =>
        days.reduce((sum, day) => {
          const calendar = calendarDay(day);
          const season = seasonFactor(offers[0]!.season, calendar, plan.southern);
          return sum + season * dayFactor(calendar) * growthFactor(growth, day - anchorDay);
        }, 0) * plan.ordersPerDay;
      const [ownDemand, marketDemand] = [demandAt(plan.growth), demandAt(market.growth)];
      return queries.flatMap((searchQuery, rank) => {
        const clicks = ({ weight, conversion }: Offer) =>
          (weight * linesPerOrder * searchedShare * splits[rank]!) / splitSum / conversion;
        const isBrand = rank === queries.length - 1;
        const share = isBrand ? clickShare.brand : clickShare.first * clickShare.step ** rank;
        const allClicks = offers.reduce((sum, offer) => sum + clicks(offer), 0);
        return rowsOf(plan, searchQuery, offers, {
          month: isoDate(days[0]!).slice(0, 7),
          share,
          ownClicks: (offer) => clicks(offer) * ownDemand,
          otherClicks: allClicks * marketDemand * (1 / share - 1),
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
  const clickRate =
    clicksPerImpression * randomOf(`clicks ${plan.channelId} ${searchQuery}`).factor(spread.clicks);
  const conversion =
    market.conversion * randomOf(`market ${offers[0]!.family}`).factor(spread.conversion);
  const own = offers.map((offer) =>
    respond(
      random,
      ownClicks(offer) * random.factor(0.1),
      clickRate * (1 + clicksLift * share),
      offer.conversion,
    ),
  );
  const all = [...own, respond(random, otherClicks * random.factor(0.06), clickRate, conversion)];
  const total = (step: Step) => all.reduce((sum, response) => sum + response[step], 0);
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
  return offers.map(({ productId: asin, price }, at) => {
    const paid = random.next() < coupon.chance ? price * (1 - coupon.discount) : price;
    return {
      month,
      asin,
      searchQuery,
      ...shared,
      ...own[at]!,
      ...(own[at]!.purchases > 0 && { medianPurchasePrice: Math.round(paid) / unit }),
      medianClickPrice: price / unit,
      currency: plan.currency,
    };
  });
}

function respond(random: Random, clicksMean: number, rate: number, conversion: number): Response {
  const clicks = random.poisson(clicksMean);
  const impressions = Math.max(clicks + 1, random.poisson((clicks + 0.5) / rate));
  const cartAdds = Math.min(clicks, random.poisson(clicks * conversion * cartAddsPerPurchase));
  const purchases = Math.min(cartAdds, random.poisson(cartAdds / cartAddsPerPurchase));
  return { impressions, clicks, cartAdds, purchases };
}

/** The days of `count` whole months before a day, earliest month first. */
function monthsBefore(day: number, count: number): number[][] {
  const months: number[][] = [];
  for (let { firstDay } = monthOfDay(day); months.length < count; firstDay = months[0]![0]!) {
    const { firstDay: first, lastDay } = monthOfDay(firstDay - 1);
    months.unshift(Array.from({ length: lastDay - first + 1 }, (_, index) => first + index));
  }
  return months;
}
