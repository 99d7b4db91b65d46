/** The channels and the days of a list. */
import { type Channel, reachableChannels } from '../../access/channels.ts';
import { localDay } from '../../calendar/period.ts';
import type { Range } from '../../calendar/windows.ts';
import type { SortOrder } from '../../report/page.ts';
import { type Context, oncePerRequest } from '../handler.ts';
import { currencyRule } from '../recordRules.ts';
import { rangeFailure } from './contract.ts';

const rangeDaysDefault = 30;
const secondsPerDay = 86_400;

/** The input that the lists share. */
export type ListInput = {
  readonly channelId: readonly string[];
  readonly fromDate?: number;
  readonly toDate?: number;
  readonly currency: string;
  readonly sortKey: string;
  readonly sortOrder: SortOrder;
  readonly pageIndex: number;
  readonly pageSize: number;
};

/** The channels and days of a list. */
export type Scope = {
  /** Sorted by identifier. */
  readonly channels: readonly Channel[];
  /** The first and the last day of each channel, in its own calendar. */
  readonly firsts: readonly number[];
  readonly lasts: readonly number[];
};

/** The rule that the currency of a list has rates or is a channel's own. */
export const listCurrencyRule = currencyRule('currency');

/** The requested channels that the caller may use, by identifier. */
export const channelsOf = oncePerRequest(
  async ({ channelId }: Pick<ListInput, 'channelId'>, { caller, registry }: Context) => {
    const found = await reachableChannels(registry, caller)
      .where('channel.channelId', 'in', [...new Set(channelId)])
      .where('channel.hasAdvertisingConnected', '=', 1)
      .execute();
    return found.sort((a, b) => compareTexts(a.channelId, b.channelId));
  },
);

/** The requested range; the last 30 days by default. */
export function rangeOf(
  { fromDate, toDate }: Pick<ListInput, 'fromDate' | 'toDate'>,
  { requestedAt }: Context,
): Range {
  return {
    from: fromDate ?? requestedAt - rangeDaysDefault * secondsPerDay,
    to: toDate ?? requestedAt,
  };
}

/**
 * The records that an answer of a list depends on: channels, days, and the failures of its rules.
 */
export async function recordsOfList(input: ListInput, context: Context): Promise<unknown> {
  const { from, to } = rangeOf(input, context);
  const failures = [rangeFailure(from, to), await listCurrencyRule.check(input, context)];
  return [await scopeOf(input, context), failures];
}

/** The scope of a request that meets the rules. */
export async function scopeOf(input: ListInput, context: Context): Promise<Scope> {
  const channels = await channelsOf(input, context);
  const { from, to } = rangeOf(input, context);
  return {
    channels,
    firsts: channels.map(({ timezone }) => localDay(timezone, from)),
    lasts: channels.map(({ timezone }) => localDay(timezone, to)),
  };
}

/** Compares texts as questions sort them: first without regard to letter case. */
function compareTexts(a: string, b: string): number {
  return (
    Buffer.compare(Buffer.from(a.toLowerCase()), Buffer.from(b.toLowerCase())) ||
    Buffer.compare(Buffer.from(a), Buffer.from(b))
  );
}

/** The numbers of the channels whose facts a list reads; exchange rates belong to channel 0. */
export function channelsRead({ channels }: Scope): number[] {
  return [0, ...channels.map((channel) => channel.channelNumber)];
}

/** The identifier of a channel of a scope, by its number. */
export function channelIdOf({ channels }: Scope, channelNumber: number): string {
  return channels.find((channel) => channel.channelNumber === channelNumber)!.channelId;
}
