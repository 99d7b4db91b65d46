/** The shared parts of the tests of vendorSalesByPeriod. */
import { fieldsOf } from './world.ts';

/** The settings of a vendor channel. */
export const vendor = { kind: 'vendor', timezone: 'UTC' } as const;

/** The metrics of a bucket without facts. */
export const unknown: Readonly<Record<string, string | number>> = fieldsOf(`
  glanceViews, orderedUnits, shippedUnits, shippedUnitsManufacturing, impressions, clicks
  0,           0,            0,            0,                         0,           0
  orderedRevenue, conversionRate, retailPrice, shippedRevenue, shippedRevenueManufacturing
  -,              -,              -,           -,              -
  shippedCogs, shippedCogsManufacturing, adSales, adSpend, acos
  -,           -,                        -,       -,       -
  tacosOrderedRevenue, tacosShippedRevenue, tacosManufacturing, clickThroughRate
  -,                   -,                   -,                  -`);

/** A row of traffic alone: views of product pages and nothing else. */
export function trafficRow({ date, asin, views }: { date: string; asin: string; views: number }) {
  return { date, asin, view: 'TRAFFIC', glanceViews: views };
}
