/** The channels that a view over all channels shows, and its rule. */
import {
  type Caller,
  type Channel,
  merchantParts,
  ofMarketplaces,
  reachableChannels,
} from '../../../access/channels.ts';
import { countryAlpha3 } from '../../../contract/countries.ts';
import type { Registry } from '../../../engine/registry.ts';
import { type Context, oncePerRequest } from '../../handler.ts';
import { currencyRule } from '../../recordRules.ts';

/** Which channels a view is asked for. */
type Input = {
  readonly currentCurrency: string;
  readonly filter?: {
    readonly marketplaces?: readonly string[];
    readonly countries?: readonly string[];
    readonly tags?: readonly string[];
  };
  readonly searchText?: string;
  readonly channelIds?: readonly string[];
};

/** The rule of these views that needs records. */
export const viewedChannelsRules = [currencyRule('currentCurrency')];

/** The channels that match the filter and the search, in the order of their identifiers. */
export const viewedChannels = oncePerRequest(
  async (input: Input, { caller, registry }: Context): Promise<Channel[]> => {
    const found = await taggedChannels(registry, caller, input.filter?.tags ?? []);
    return found.filter(isWantedBy(input));
  },
);

/** Those of them that have advertising connected. */
export const advertisedChannels = oncePerRequest(async (input: Input, context: Context) =>
  (await viewedChannels(input, context)).filter(
    ({ hasAdvertisingConnected }) => hasAdvertisingConnected === 1,
  ),
);

/** The records that a kept answer follows from: its channels, and those of the rule. */
export async function recordsOfView(input: Input, context: Context): Promise<unknown> {
  const failures = viewedChannelsRules.map((rule) => rule.check(input, context));
  return await Promise.all([viewedChannels(input, context), ...failures]);
}

/** The channels within reach that carry one of the tags, or all of them without tags. */
async function taggedChannels(
  registry: Registry,
  caller: Caller,
  tags: readonly string[],
): Promise<Channel[]> {
  let channels = reachableChannels(registry, caller);
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
  return channels.orderBy('channel.channelId').execute();
}

/** Letter case is compared here, as SQLite folds the letters of ASCII only. */
function isWantedBy({
  filter = {},
  searchText = '',
  channelIds = [],
}: Input): (channel: Channel) => boolean {
  const { marketplaces = [], countries = [] } = filter;
  const isOfMarketplaces = ofMarketplaces(marketplaces);
  const codes = new Set(countries.map(countryAlpha3));
  const wanted = searchText.toLowerCase();
  const wantedIds = new Set(channelIds);
  return (channel) => {
    const { marketplace, countryCode, displayName, merchantId } = channel;
    return (
      (wantedIds.size === 0 || wantedIds.has(channel.channelId)) &&
      isOfMarketplaces(channel) &&
      (codes.size === 0 || codes.has(countryCode)) &&
      [displayName, marketplace, merchantParts(merchantId).marketplaceId].some((text) =>
        text.toLowerCase().includes(wanted),
      )
    );
  };
}
