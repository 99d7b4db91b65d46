/** Warnings of figures that include a tax that neither a document nor a rate states. */
import type { Channel } from '../access/channels.ts';
import type { DateRange } from '../engine/warehouse.ts';
import { holdsUnstatedTax, type UnstatedTax } from '../import/taxes/unstated.ts';
import type { StoreWarning } from './handler.ts';

const secondsPerDay = 86_400;

/** The warnings about channels whose figures include such a tax. Times are in epoch seconds. */
export function unstatedTaxIn(
  channels: readonly Channel[],
  table: keyof UnstatedTax,
  { fromDate, toDate }: { readonly fromDate: number; readonly toDate: number },
): StoreWarning[] {
  const days: DateRange = {
    first: Math.floor(fromDate / secondsPerDay),
    last: Math.floor(toDate / secondsPerDay),
  };
  return channels
    .filter((channel) => holdsUnstatedTax(channel, table, days))
    .map(({ displayName }) => ({ store: displayName, code: 'unstated-tax' }));
}
