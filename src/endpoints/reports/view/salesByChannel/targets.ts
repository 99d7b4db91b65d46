/** Adds up the targets of a period by channel, in the currency of the answer. */
import type { Channel } from '../../../../access/channels.ts';
import { monthOfDay } from '../../../../calendar/period.ts';
import { daysOf } from '../../../../calendar/windows.ts';
import type { DateRange } from '../../../../engine/warehouse.ts';
import { amountPlaces, currencyPlaces, roundedSum, unitsOf } from '../../../../figures/money.ts';
import { type TargetName, type TargetRow, targetRuns } from '../../../../report/targets.ts';
import type { Pricing } from './sums.ts';

/** The targets of a channel; null if no day has one, or if its currency, `unrated`, has no rate. */
export type ChannelTargets = Readonly<Record<TargetName, number | null>> & {
  readonly unrated?: string;
};

/** Adds up the targets of each channel over a range of days. */
export function targetsByChannel(
  channels: readonly Channel[],
  rows: readonly TargetRow[],
  range: DateRange,
  pricing: Pricing,
): Map<number, ChannelTargets> {
  const rowsOf = Map.groupBy(rows, ({ channel }) => channel);
  const targets = new Map<number, ChannelTargets>();
  for (const { channelNumber, currency } of channels) {
    const own = rowsOf.get(channelNumber);
    if (own === undefined) continue;
    const isRated = !pricing.missing.has(currency);
    const sumOf = (name: TargetName) =>
      isRated ? sumOfTarget(own, name, currency, range, pricing) : null;
    targets.set(channelNumber, {
      sales_budget: sumOf('sales_budget'),
      sales_forecast: sumOf('sales_forecast'),
      ad_spend_budget: sumOf('ad_spend_budget'),
      ...(!isRated && { unrated: currency }),
    });
  }
  return targets;
}

/** The days of a range whose targets may need conversion. */
export function targetDays(rows: readonly TargetRow[], range: DateRange): DateRange {
  const { first, last } = daysOf(rows);
  return {
    first: Math.max(range.first, first),
    last: Math.min(range.last, monthOfDay(last).lastDay),
  };
}

/** Adds up one target of a channel like amounts, with an exact and a converted part. */
function sumOfTarget(
  rows: readonly TargetRow[],
  name: TargetName,
  currency: string,
  range: DateRange,
  pricing: Pricing,
): number | null {
  const places = currencyPlaces(currency);
  const millionths = 10n ** BigInt(amountPlaces - places);
  let [exact, converted, isKnown] = [0n, 0, false];
  for (const run of targetRuns(rows, name, places)) {
    const [first, last] = [Math.max(run.first, range.first), Math.min(run.last, range.last)];
    if (first > last) continue;
    isKnown = true;
    const amount = run.amount * millionths;
    if (currency === pricing.currency) exact += amount * BigInt(last - first + 1);
    else if (amount !== 0n)
      converted += unitsOf(amount) * pricing.factors.sum(currency, first, last);
  }
  return isKnown ? roundedSum({ exact, converted }, currencyPlaces(pricing.currency)) : null;
}
