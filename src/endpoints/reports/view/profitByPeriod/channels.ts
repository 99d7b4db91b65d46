/** Finds the channels of profitByPeriod, and declares its rules about them. */
import { type Channel, reachableChannels, unreachableText } from '../../../../access/channels.ts';
import type { InputOf } from '../../../../contract/endpoint.ts';
import { type Context, oncePerRequest, type RecordRule } from '../../../handler.ts';
import { currencyRule, sellersText, sellerText } from '../../../recordRules.ts';
import type { viewProfitByPeriod as contract } from './contract.ts';

type Input = InputOf<typeof contract>;

const requestedCurrency = currencyRule('currentCurrency');

/**
 * The channels that a request names and its caller may use, by identifier. Rules also read them
 * when another field is refused, which may then have any value.
 */
export const channelsOf = oncePerRequest(
  async (
    { channelId, channelIds }: { readonly [Name in keyof Input]?: unknown },
    { caller, registry }: Context,
  ): Promise<Channel[]> => {
    const named = [channelId, channelIds].flat().filter((name) => typeof name === 'string');
    return await reachableChannels(registry, caller)
      .where('channel.channelId', 'in', [...new Set(named)])
      .orderBy('channel.channelId')
      .execute();
  },
);

/** The rules of the operation that need records. */
export const profitByPeriodRules: readonly RecordRule<Input, Context>[] = [
  {
    at: 'merchantId',
    reads: ['channelId'],
    async check(input, context) {
      const { channelId, merchantId } = input;
      if (channelId === undefined || merchantId === undefined) return undefined;
      const found = (await channelsOf(input, context)).find((one) => one.channelId === channelId);
      return found?.merchantId === merchantId
        ? sellerText('channelId must be a seller channel', found)
        : unreachableText;
    },
  },
  {
    at: 'channelIds',
    reads: ['channelIds[]'],
    async check(input, context) {
      const named = new Set(input.channelIds);
      return named.size === 0
        ? undefined
        : sellersText('channelIds', named, await channelsOf(input, context));
    },
  },
  {
    at: 'currentCurrency',
    async check({ currentCurrency }, context) {
      return currentCurrency === undefined
        ? undefined
        : await requestedCurrency.check({ currentCurrency }, context);
    },
  },
];

/** The records behind a cached answer: its channels, and the records of its rules. */
export async function recordsOfProfit(input: Input, context: Context): Promise<unknown> {
  const failures = profitByPeriodRules.map((rule) => rule.check(input, context));
  return await Promise.all([channelsOf(input, context), ...failures]);
}
