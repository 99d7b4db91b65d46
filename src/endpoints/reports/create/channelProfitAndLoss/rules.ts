/** The rules for the channels and the currency in the report's options. */
import { reachableChannels } from '../../../../access/channels.ts';
import type { InputOf } from '../../../../contract/endpoint.ts';
import type { Context, RecordRule } from '../../../handler.ts';
import { currencyRule, sellersText } from '../../../recordRules.ts';
import type { createChannelProfitAndLossReport as contract } from './contract.ts';

const currencyField = 'reportOptions.currentCurrency';
const requestedCurrency = currencyRule(currencyField);

/** The rules of the operation that need records, other than the rule about its own channel. */
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
        : await requestedCurrency.check({ [currencyField]: currency }, context);
    },
  },
];
