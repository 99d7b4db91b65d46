/** The traffic of a day: visits to each product, and to the whole store. */
import { unitsPerLine } from './campaigns.ts';
import type { Offer } from './catalogue.ts';
import type { Random } from './random.ts';
import type { TrafficRow } from './rows.ts';
import { type Sale, type Shop, soldOf, type Today } from './today.ts';

/** Share of visitors who still look at a product that is out of stock. */
const curiousShare = 0.3;
/** Visitors look at several products, so a store has fewer sessions than its products together. */
const sharedSessions = 0.84;

/** The traffic of a day: a row for each visited product, then one for the store. */
export function trafficRows(shop: Shop, today: Today, sales: readonly Sale[]): TrafficRow[] {
  const { offers, random, unit } = shop;
  const visits = offers.flatMap((offer, index) => visitsOf(shop, today, sales, offer, index));
  const total = (of: (one: TrafficRow) => number) => visits.reduce((sum, one) => sum + of(one), 0);
  const pageViews = total((one) => one.pageViews);
  const weighted = total((one) => one.pageViews * one.buyBoxPercentage);
  const shared = sharedSessions * random.factor(0.01);
  const store = {
    pageViews,
    sessions: Math.round(total((one) => one.sessions) * shared),
    mobileSessions: Math.round(total((one) => one.mobileSessions) * shared),
    buyBoxPercentage: pageViews > 0 ? Math.round((weighted / pageViews) * 100) / 100 : 0,
    orderedRevenue: total((one) => Math.round(one.orderedRevenue * unit)) / unit,
    orderedUnits: total((one) => one.orderedUnits),
    orderItems: total((one) => one.orderItems),
  };
  return [...visits, { date: today.date, ...store, currency: shop.plan.currency }];
}

/** The visits to one product; empty when there were none. */
function visitsOf(
  shop: Shop,
  { date, expectedLines, wantedLines, isDeal }: Today,
  sales: readonly Sale[],
  offer: Offer,
  index: number,
): TrafficRow[] {
  const { random, plan } = shop;
  const { sku, productId, parentProductId } = offer;
  const sold = soldOf(shop, sales, index);
  const isInStock = expectedLines[index]! > 0;
  const conversion = offer.conversion * (isDeal ? 1.3 : 1) * random.factor(0.06);
  const visitors = isInStock ? expectedLines[index]! : wantedLines[index]! * curiousShare;
  const expected = random.poisson((visitors * unitsPerLine) / conversion);
  const sessions = Math.max(sold.orderItems, expected);
  if (sessions === 0) return [];
  const pageViews = Math.round(sessions * (1.22 + 0.25 * random.next()));
  const mobileSessions = Math.round(sessions * Math.min(1, offer.mobile * random.factor(0.05)));
  const buyBoxPercentage = isInStock ? buyBoxOf(random, offer) : 0;
  return [
    {
      date,
      sku,
      productId,
      parentProductId,
      pageViews,
      sessions,
      mobileSessions,
      buyBoxPercentage,
      ...sold,
      currency: plan.currency,
    },
  ];
}

/** The buy box share of a day. Now and then another seller wins it for most of the day. */
function buyBoxOf(random: Random, { featured }: Offer): number {
  const share =
    random.next() < 0.015 ? 0.35 + 0.35 * random.next() : featured * (1 - 0.04 * random.next());
  return Math.round(share * 10_000) / 100;
}
