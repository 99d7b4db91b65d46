/** Counts the orders of seller channels. */

import type { Range } from '../calendar/windows.ts';
import { calendarOffsets } from '../calendar/zone.ts';
import { questionFile } from '../engine/question.ts';
import type { Ask } from '../engine/warehouse.ts';

const secondsPerDay = 86_400;

/** The number of a channel's orders whose first line in the range was bought on the day. */
export type OrderCount = {
  readonly channel: number;
  readonly day: number;
  readonly orders: number;
};

const orderCounts = questionFile<OrderCount>(import.meta.url, 'orderCounts.sql');

/** Reads the numbers of orders of channels in a range, by local days of the zone. */
export function readOrderCounts(
  ask: Ask,
  channels: readonly number[],
  zone: string,
  { from, to }: Range,
): Promise<OrderCount[]> {
  const days = {
    firstUtc: Math.floor(from / secondsPerDay),
    lastUtc: Math.floor(to / secondsPerDay),
  };
  return ask(orderCounts, { channels, from, to, ...days, ...calendarOffsets(zone, from, to) });
}
