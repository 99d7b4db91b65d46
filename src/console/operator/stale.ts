/** Stores whose daily data ends before yesterday. */

import type { Answer, Ask } from '../client.ts';
import { inTurns } from '../lists.ts';
import { addDays, type Day, daysFrom, today } from '../view/days.ts';

/** A channel, as the operator sees it. */
export type Channel = Answer<'listAllChannels'>['channels'][number];

/** The datasets that should reach yesterday. */
const daily: readonly string[] = ['orderLines', 'traffic', 'campaignDays', 'vendorSales'];
/** The most channels whose freshness is read; each takes a request. */
export const channelsRead = 200;
/** Requests at a time. */
const atOnce = 4;

/** A dataset of a channel that ends before yesterday. */
export type Stale = {
  readonly channel: Channel;
  readonly dataset: string;
  readonly last: Day;
  /** Days that are missing. */
  readonly days: number;
};

/** The stale datasets among what a channel has. */
export function staleOf(channel: Channel, freshness: Answer<'readFreshness'>): Stale[] {
  const yesterday = addDays(today(channel.timezone), -1);
  return freshness.datasets.flatMap(({ dataset, to }) =>
    to === null || to >= yesterday || !daily.includes(dataset)
      ? []
      : [{ channel, dataset, last: to, days: daysFrom(to, yesterday) - 1 }],
  );
}

/** Reads the stale datasets of the channels, the longest gap first. */
export async function readStale(
  ask: Ask,
): Promise<{ readonly stale: readonly Stale[]; readonly total: number }> {
  const { channels, total } = await ask('listAllChannels', { pageSize: channelsRead });
  const stale = await inTurns(channels.length, atOnce, async (place) => {
    const channel = channels[place]!;
    return staleOf(channel, await ask('readFreshness', { channelId: channel.channelId }));
  });
  return { stale: stale.flat().sort((one, other) => other.days - one.days), total };
}
