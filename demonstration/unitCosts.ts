/** The unit costs of each product and the dates on which they changed. */
import { isoDate, monthOfDay } from '../src/calendar/period.ts';
import type { Offer } from './catalogue.ts';
import type { Plan } from './plans.ts';

/** A single parcel costs more to ship than one of millions. */
export const singleParcelLevel = 1.25;

/** Exchange rate of invoices in yuan. */
const yuanPerDollar = 7.1;
const firstCostLevel = 0.96;
/** Later cost levels, each valid from the month of that day. */
const costChanges = [
  { daysAgo: 210, level: 1 },
  { daysAgo: 75, level: 1.04 },
] as const;

/**
 * Unit costs since before the first order: every second product changes twice, the others once. The
 * one that sells least was forgotten until the last change.
 */
export function unitCostRows(plan: Plan, offers: readonly Offer[], anchorDay: number) {
  if (!plan.hasFinances) return [];
  const unit = 10 ** plan.decimals;
  const costs = [{ daysAgo: plan.orderDays, level: firstCostLevel }, ...costChanges];
  return offers.flatMap((offer, index) => {
    const { sku, dollars, netPrice, costShare, supplierCurrency, selfShipped } = offer;
    const own = index === offers.length - 1 ? costs.slice(2) : costs.slice(0, 2 + (index % 2));
    const parcel = Math.round(offer.shippingCost * singleParcelLevel) / unit;
    return own.map(({ daysAgo, level }) => ({
      sku,
      effectiveFrom: isoDate(monthOfDay(anchorDay - daysAgo).firstDay),
      cogs:
        supplierCurrency === ''
          ? Math.round(netPrice * costShare * level) / unit
          : Math.round(dollars * yuanPerDollar * costShare * level * 10) / 10,
      cogsCurrency: supplierCurrency || plan.currency,
      shippingCost: selfShipped || !plan.fulfils ? parcel : 0,
    }));
  });
}
