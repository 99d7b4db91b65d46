/** Finds the targets of a channel that are at risk. */
import {
  dayNumber,
  endOfDay,
  isoDate,
  localDay,
  monthOfDay,
  startOfDay,
} from '../calendar/period.ts';
import { readFreshness } from '../endpoints/channels/freshness.ts';
import type { Context } from '../endpoints/handler.ts';
import { healthLimits } from '../endpoints/reports/view/salesByChannel/contract.ts';
import { viewSalesByChannel } from '../endpoints/reports/view/salesByChannel/salesByChannel.ts';
import { type Condition, type Watched, watchLimits } from './condition.ts';

/** Sales of fewer days say little about a month. */
const knownDaysMin = 7;

/**
 * Finds the budget of the month of yesterday, if the sales so far are below it. Only days with data
 * count, on both sides.
 */
export async function findAtRisk(watched: Watched): Promise<Condition[]> {
  const { channel, now } = watched;
  const { timezone, currency } = channel;
  const yesterday = localDay(timezone, Math.floor(now / 1000)) - 1;
  const { firstDay } = monthOfDay(yesterday);
  const lastDay = Math.min(yesterday, (await lastDayOfSales(watched)) ?? Number.NEGATIVE_INFINITY);
  if (lastDay - firstDay + 1 < knownDaysMin) return [];
  const { sales, budget } = await readSales(watched, firstDay, lastDay);
  if (sales === null || budget === null || budget <= 0) return [];
  if (sales * 100 >= budget * healthLimits.warning.target) return [];
  const month = isoDate(firstDay).slice(0, 7);
  const asOf = isoDate(lastDay);
  const percentage = Math.round((sales / budget) * 10_000) / 100;
  const data = { target: 'salesBudget', month, asOf, currency, sales, budget, percentage };
  return [{ subject: `salesBudget ${month}`, data }];
}

/** The last day with sales of a channel; undefined without any. */
async function lastDayOfSales({ channel, warehouse }: Watched): Promise<number | undefined> {
  const known = await readFreshness([channel], warehouse, watchLimits);
  const { orderLines, traffic, vendorSales } = known.get(channel.channelNumber) ?? {};
  const dates = channel.kind === 'vendor' ? [vendorSales] : [orderLines, traffic];
  const days = dates.flatMap((date) => (date === undefined ? [] : [dayNumber(date)]));
  return days.length === 0 ? undefined : Math.max(...days);
}

/** The sales of a range of days and their budget, in the currency of the channel. */
async function readSales(
  watched: Watched,
  firstDay: number,
  lastDay: number,
): Promise<{ readonly sales: number | null; readonly budget: number | null }> {
  const { channelId, timezone, currency } = watched.channel;
  const fromDate = startOfDay(timezone, firstDay) ?? 0;
  const toDate = endOfDay(timezone, lastDay) ?? 0;
  const answer = await viewSalesByChannel(
    {
      fromDate,
      toDate,
      priorFromDate: fromDate,
      priorToDate: fromDate,
      timezone,
      currentCurrency: currency,
      includeTax: false,
      vendorRevenueType: 'orderedRevenue',
      channelIds: [channelId],
      sortKey: 'sales',
      sortOrder: 'desc',
      pageIndex: 0,
      pageSize: 1,
    },
    contextOf(watched),
  );
  const row = 'rows' in answer ? answer.rows[0] : undefined;
  return { sales: row?.sales.value ?? null, budget: row?.budgetTarget ?? null };
}

/**
 * The parts of a context that the view reads; there is no caller, and only the channel is within
 * reach.
 */
function contextOf({ channel, warehouse }: Watched): Context {
  const context: Pick<Context, 'channels' | 'warehouse' | 'limits' | 'warn'> = {
    warehouse,
    limits: watchLimits,
    warn() {},
    channels: { all: async () => [channel] },
  };
  return context as unknown as Context;
}
