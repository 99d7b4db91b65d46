/** Finds the daily datasets of a channel that are overdue. */
import { dayNumber, isoDate, localDay } from '../calendar/period.ts';
import { readFreshness } from '../endpoints/channels/freshness.ts';
import { type Condition, type Watched, watchLimits } from './condition.ts';

/** The datasets that should reach yesterday. */
const dailyDatasets = ['orderLines', 'traffic', 'campaignDays', 'vendorSales'] as const;
/** Data of yesterday often comes during today, so one missing day is no reason to worry. */
const missingDaysMin = 2;

/** Finds the overdue datasets among all that have facts of the channel. */
export async function findOverdue({ channel, warehouse, now }: Watched): Promise<Condition[]> {
  const { channelNumber, timezone } = channel;
  const known = await readFreshness([channel], warehouse, watchLimits);
  const freshness = known.get(channelNumber) ?? {};
  const yesterday = localDay(timezone, Math.floor(now / 1000)) - 1;
  return dailyDatasets.flatMap((dataset) => {
    const lastDate = freshness[dataset];
    if (lastDate === undefined) return [];
    const missingDays = yesterday - dayNumber(lastDate);
    if (missingDays < missingDaysMin) return [];
    const data = { dataset, lastDate, expectedDate: isoDate(yesterday), missingDays };
    return [{ subject: dataset, data }];
  });
}
