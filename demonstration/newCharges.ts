/**
 * Charges that the marketplace has begun to make lately, in the financial events of the first
 * store. No list of the service knows their codes. The owner has named one of the two.
 */
import { isoDate, monthOfDay } from '../src/calendar/period.ts';
import { type Plan, plans } from './plans.ts';

/** The two codes, and what each month of the last three brought. */
const charges = [
  { type: 'CarbonNeutralDelivery', dayOfMonth: 10, amounts: [-38.4, -41.15, -44.9] },
  { type: 'SellerInsightsBonus', dayOfMonth: 16, amounts: [25, 25, 40] },
] as const;

/** The code that the owner has named. */
export const namedCode = `Adjustment/AdjustmentAmount/${charges[0].type}`;

/**
 * The adjustments of the Finances API v0 for new charges of a channel: of the first one, in the
 * three months before a day.
 */
export function newCharges({ channelId, currency }: Plan, anchorDay: number) {
  if (channelId !== plans[0]!.channelId) return [];
  return charges.flatMap(({ type, dayOfMonth, amounts }) => {
    let { firstDay } = monthOfDay(anchorDay);
    return amounts.toReversed().map((amount) => {
      ({ firstDay } = monthOfDay(firstDay - 1));
      return {
        AdjustmentType: type,
        PostedDate: `${isoDate(firstDay + dayOfMonth - 1)}T16:20:00Z`,
        AdjustmentAmount: { CurrencyCode: currency, CurrencyAmount: amount },
      };
    });
  });
}
