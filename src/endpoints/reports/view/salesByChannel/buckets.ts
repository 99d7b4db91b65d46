/** The sales of each channel over time, bucket by bucket. */
import { isoInstant } from '../../../../calendar/period.ts';
import type { Window } from '../../../../calendar/windows.ts';
import { currencyPlaces, roundedSum } from '../../../../figures/money.ts';
import type { SalesByChannelRow } from './contract.ts';
import type { SumsByChannel } from './rows.ts';
import {
  type ChannelSums,
  type Counting,
  type Facts,
  onDays,
  type Pricing,
  sumsByChannel,
} from './sums.ts';

type WrittenBucket = NonNullable<SalesByChannelRow['buckets']>[number];

/** Makes the buckets of a channel; those of the two periods are paired by position. */
export type BucketsOf = (channelNumber: number) => WrittenBucket[];

/** Adds the facts of both periods up by bucket. */
export async function readBuckets(
  [window, priorWindow]: readonly [Window, Window],
  [facts, priorFacts]: readonly [Facts, Facts],
  counting: Counting & { readonly timezone: string },
  pricing: Pricing,
): Promise<BucketsOf> {
  const current = await sumsInBuckets(window, facts, counting, pricing);
  const prior = await sumsInBuckets(priorWindow, priorFacts, counting, pricing);
  const places = currencyPlaces(pricing.currency);
  const salesOf = (sums: ChannelSums | undefined) => {
    if (sums === undefined) return 0;
    if (sums.unrated !== undefined) return null;
    return roundedSum({ exact: BigInt(sums.sales), converted: sums.sales_converted }, places);
  };
  const starts = window.buckets.map((bucket) =>
    isoInstant(counting.timezone, bucket.startEpochSeconds),
  );
  return (channelNumber) =>
    starts.map((startTime, place) => {
      const own = current[place]?.get(channelNumber);
      const before = prior[place]?.get(channelNumber);
      return {
        startTime,
        sales: salesOf(own),
        priorSales: salesOf(before),
        orders: String(own?.orders ?? 0),
        priorOrders: String(before?.orders ?? 0),
      };
    });
}

async function sumsInBuckets(
  { buckets }: Window,
  facts: Facts,
  counting: Counting,
  pricing: Pricing,
): Promise<SumsByChannel[]> {
  const sums: SumsByChannel[] = [];
  for (const { firstDay, lastDay } of buckets) {
    const own = onDays(facts, { first: firstDay, last: lastDay });
    sums.push(await sumsByChannel(own, counting, pricing));
  }
  return sums;
}
