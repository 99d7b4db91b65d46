/** Finds the channels that a view over all channels shows, and declares its rule. */
import { hash } from 'node:crypto';
import {
  type Caller,
  type Channel,
  merchantParts,
  ofMarketplaces,
} from '../../../access/channels.ts';
import { countryAlpha3 } from '../../../contract/countries.ts';
import type { Registry } from '../../../engine/registry.ts';
import { type Context, oncePerRequest } from '../../handler.ts';
import { currencyRule } from '../../recordRules.ts';

/** The fields of a request that choose its channels. */
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
  async (input: Input, context: Context): Promise<Channel[]> => {
    const { all, tagged } = await channelsOf(input, context);
    const isWanted = isWantedBy(input);
    const numbers = tagged && new Set(tagged);
    return all.filter(
      (channel) => (numbers?.has(channel.channelNumber) ?? true) && isWanted(channel),
    );
  },
);

/** The channels of a view that have advertising connected. */
export const advertisedChannels = oncePerRequest(async (input: Input, context: Context) =>
  (await viewedChannels(input, context)).filter(
    ({ hasAdvertisingConnected }) => hasAdvertisingConnected === 1,
  ),
);

/** The records behind a cached answer: its channels, and the records of its rule. */
export async function recordsOfView(input: Input, context: Context): Promise<unknown> {
  const { all, tagged } = await channelsOf(input, context);
  const failures = viewedChannelsRules.map((rule) => rule.check(input, context));
  return [digestOf(all), tagged, await Promise.all(failures)];
}

/**
 * All channels within reach, and the numbers of those with one of the requested tags, if there are
 * any.
 */
const channelsOf = oncePerRequest(
  async ({ filter: { tags = [] } = {} }: Input, { caller, registry, channels }: Context) => ({
    all: await channels.all(caller),
    tagged: tags.length > 0 ? await taggedNumbers(registry, caller, tags) : undefined,
  }),
);

/** The numbers of the channels with one of the tags. */
async function taggedNumbers(
  { records }: Registry,
  { userId, organisationId }: Caller,
  tags: readonly string[],
): Promise<number[]> {
  const found = await records
    .selectFrom('channelTag')
    .innerJoin('channel', 'channel.channelNumber', 'channelTag.channelNumber')
    .select('channelTag.channelNumber')
    .distinct()
    .where('channel.organisationId', '=', organisationId)
    .where('channelTag.tag', 'in', tags)
    .where((tag) =>
      tag.or([tag('channelTag.userId', 'is', null), tag('channelTag.userId', '=', userId)]),
    )
    .orderBy('channelTag.channelNumber')
    .execute();
  return found.map(({ channelNumber }) => channelNumber);
}

const digests = new WeakMap<readonly Channel[], string>();

/** A digest of channels, computed once per list. */
function digestOf(channels: readonly Channel[]): string {
  const digest = digests.get(channels) ?? hash('sha256', JSON.stringify(channels));
  digests.set(channels, digest);
  return digest;
}

/** Compares letter case here, because SQLite folds only ASCII letters. */
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
      (wanted === '' ||
        [displayName, marketplace, merchantParts(merchantId).marketplaceId].some((text) =>
          text.toLowerCase().includes(wanted),
        ))
    );
  };
}
