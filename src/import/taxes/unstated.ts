/**
 * The dates on which facts of a channel include a tax that neither a document nor a rate states.
 */
import type { Channel } from '../../access/channels.ts';
import type { DateRange } from '../../engine/warehouse.ts';

/** Their first and last date in the channel's zone, by table, as day numbers. */
export type UnstatedTax = {
  readonly [Table in 'order_line' | 'finance_event']?: readonly [first: number, last: number];
};

/** The dates with unstated tax of a channel. */
export function unstatedTaxOf({ unstatedTax }: Pick<Channel, 'unstatedTax'>): UnstatedTax {
  return unstatedTax === null ? {} : JSON.parse(unstatedTax);
}

/**
 * Whether some figures of the days include an unstated tax. Time zones of requests differ by up to
 * a day.
 */
export function holdsUnstatedTax(
  channel: Pick<Channel, 'unstatedTax'>,
  table: keyof UnstatedTax,
  { first, last }: DateRange,
): boolean {
  const days = unstatedTaxOf(channel)[table];
  return days !== undefined && days[0] <= last + 1 && days[1] >= first - 1;
}
