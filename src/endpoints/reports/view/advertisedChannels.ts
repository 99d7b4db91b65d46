/** The records that advertisingByChannels follows from: its channels, and its rule. */
import {
  type Channel,
  merchantParts,
  ofMarketplaces,
  reachableChannels,
} from '../../../access/channels.ts';
import { countryAlpha3 } from '../../../contract/countries.ts';
import type { InputOf } from '../../../contract/endpoint.ts';
import { type Context, oncePerRequest } from '../../handler.ts';
import { currencyRule } from '../../recordRules.ts';
import type { viewAdvertisingByChannels as contract } from './contract.ts';

type Input = InputOf<typeof contract>;

/** The rule of the operation that needs records. */
export const advertisingByChannelsRules = [currencyRule('currentCurrency')];

/** The records that a kept answer follows from: its channels, and those of the rule. */
export async function recordsOfAdvertising(input: Input, context: Context): Promise<unknown> {
  const failures = advertisingByChannelsRules.map((rule) => rule.check(input, context));
  return [await advertisedChannels(input, context), await Promise.all(failures)];
}

/** The channels that match the filter and the search, in the order of their identifiers. */
export const advertisedChannels = oncePerRequest(
  async (
    { filter = {}, searchText = '' }: Input,
    { caller, registry }: Context,
  ): Promise<Channel[]> => {
    const { marketplaces = [], countries = [], tags = [] } = filter;
    let channels = reachableChannels(registry, caller).where(
      'channel.hasAdvertisingConnected',
      '=',
      1,
    );
    if (tags.length > 0) {
      channels = channels.where('channel.channelNumber', 'in', (tagged) =>
        tagged
          .selectFrom('channelTag')
          .select('channelTag.channelNumber')
          .where('channelTag.tag', 'in', tags)
          .where((tag) =>
            tag.or([
              tag('channelTag.userId', 'is', null),
              tag('channelTag.userId', '=', caller.userId),
            ]),
          ),
      );
    }
    const found = await channels.orderBy('channel.channelId').execute();
    // Letter case is compared here, as SQLite folds the letters of ASCII only.
    const isWanted = ofMarketplaces(marketplaces);
    const codes = new Set(countries.map(countryAlpha3));
    const wanted = searchText.toLowerCase();
    return found
      .filter(isWanted)
      .filter(
        ({ marketplace, countryCode, displayName, merchantId }) =>
          (codes.size === 0 || codes.has(countryCode)) &&
          [displayName, marketplace, merchantParts(merchantId).marketplaceId].some((text) =>
            text.toLowerCase().includes(wanted),
          ),
      );
  },
);
