/** The rules of the report about the channels and the currency that its options name. */
import { reachableChannels } from '../../../../access/channels.ts';
import type { InputOf } from '../../../../contract/endpoint.ts';
import type { Context, RecordRule } from '../../../handler.ts';
import { currencyRule, sellersText } from '../../../recordRules.ts';
import type { createChannelProfitAndLossReport as contract } from './contract.ts';

const currencyField = 'reportOptions.currentCurrency';
const currencyAsked = currencyRule(currencyField);

/** The rules of the operation that need records, beside that about its own channel. */
export const channelProfitAndLossRules: readonly RecordRule<InputOf<typeof contract>, Context>[] = [
  {
    at: 'reportOptions.channelIds',
    reads: ['reportOptions.channelIds[]'],
    async check({ reportOptions }, { caller, registry }) {
      const named = new Set(reportOptions.channelIds);
      if (named.size === 0) return undefined;
      const found = await reachableChannels(registry, caller)
        .where('channel.channelId', 'in', [...named])
        .orderBy('channel.channelId')
        .execute();
      return sellersText('reportOptions.channelIds', named, found);
    },
  },
  {
    at: currencyField,
    async check({ reportOptions: { currentCurrency: currency } }, context) {
      return currency === undefined
        ? undefined
        : await currencyAsked.check({ [currencyField]: currency }, context);
    },
  },
];
