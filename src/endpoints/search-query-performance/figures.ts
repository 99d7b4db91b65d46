/** The figures of searches: their sums, and how they are shown. */
import { currencyPlaces, quotientText } from '../../figures/money.ts';
import type { SortableFigure, SqpMetrics } from './contract.ts';

/** The columns of counts. */
export const countNames = [
  'search_query_volume',
  'total_impressions',
  'impressions',
  'total_clicks',
  'clicks',
  'total_cart_adds',
  'cart_adds',
  'total_purchases',
  'purchases',
] as const;

/** A column of counts. */
export type Count = (typeof countNames)[number];
/** Counts, and amounts as bigints. */
export type Sums = Record<Count, number> & Record<'revenue' | 'total_revenue', bigint>;

/** Decimal places of percents. */
export const percentPlaces = 2;

/** The figures that are counts. */
export const counted = {
  searchQueryVolume: 'search_query_volume',
  totalImpressions: 'total_impressions',
  impressions: 'impressions',
  totalClicks: 'total_clicks',
  clicks: 'clicks',
  totalCartAdds: 'total_cart_adds',
  cartAdds: 'cart_adds',
  totalPurchases: 'total_purchases',
  purchases: 'purchases',
} as const satisfies Partial<Record<SortableFigure, Count>>;

/** The figures that are percents: the part and the whole. */
export const percents = {
  impressionShare: ['impressions', 'total_impressions'],
  clickShare: ['clicks', 'total_clicks'],
  totalCtr: ['total_clicks', 'total_impressions'],
  ctr: ['clicks', 'impressions'],
  atcRate: ['cart_adds', 'clicks'],
  purchaseShare: ['purchases', 'total_purchases'],
  totalCvr: ['total_purchases', 'total_clicks'],
  cvr: ['purchases', 'clicks'],
} as const satisfies Partial<Record<SortableFigure, readonly [Count, Count]>>;

/** The sums of no figures. */
export function nothing(): Sums {
  return {
    search_query_volume: 0,
    total_impressions: 0,
    impressions: 0,
    total_clicks: 0,
    clicks: 0,
    total_cart_adds: 0,
    cart_adds: 0,
    total_purchases: 0,
    purchases: 0,
    revenue: 0n,
    total_revenue: 0n,
  };
}

/** A percentage as shown; 0 if the whole is 0. */
export function percentOf(part: number, whole: number): number {
  return whole > 0 ? Number(quotientText(part, whole, percentPlaces, 100)) : 0;
}

/** The metrics of sums whose amounts have `places` decimal places. */
export function metricsOf(sums: Sums, currencyCode: string, places: number): SqpMetrics {
  const unit = 10n ** BigInt(places);
  const minor = currencyPlaces(currencyCode);
  const amount = (value: bigint) => Number(quotientText(value, unit, minor));
  const missed = sums.total_revenue - sums.revenue;
  return {
    ...mapped(counted, (count) => sums[count]),
    ...mapped(percents, ([part, whole]) => percentOf(sums[part], sums[whole])),
    currentRevenue: amount(sums.revenue),
    totalOpportunity: amount(sums.total_revenue),
    opportunity: amount(missed > 0n ? missed : 0n),
    currencyCode,
  };
}

/** The same names with other values. */
export function mapped<Name extends string, Value, Mapped>(
  values: Readonly<Record<Name, Value>>,
  map: (value: Value) => Mapped,
): Record<Name, Mapped> {
  return Object.fromEntries(
    Object.entries<Value>(values).map(([name, value]) => [name, map(value)]),
  ) as Record<Name, Mapped>;
}
