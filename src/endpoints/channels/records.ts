import { ofMarketplaces, reachableChannels } from '../../access/channels.ts';
import { countryAlpha3 } from '../../contract/countries.ts';
import type { Handler } from '../handler.ts';
import type { listChannels as contract } from './contract.ts';
import { readFreshness } from './freshness.ts';

/** Lists the channels within the caller's reach. */
export const listChannels: Handler<typeof contract> = async (
  { filter = {}, include = [] },
  { caller, registry, warehouse, limits },
) => {
  let channels = reachableChannels(registry, caller);
  // An empty list restricts nothing, like an absent one.
  if (filter.countryCodes !== undefined && filter.countryCodes.length > 0) {
    const codes = filter.countryCodes.map(countryAlpha3).filter((code) => code !== undefined);
    if (codes.length === 0) return [];
    channels = channels.where('countryCode', 'in', codes);
  }
  const found = await channels.orderBy('displayName').orderBy('channelId').execute();
  const listed = found.filter(ofMarketplaces(filter.marketplaces ?? []));
  const freshness = include.includes('freshness')
    ? await readFreshness(listed, warehouse, limits)
    : undefined;
  return listed.map((channel) => ({
    channelId: channel.channelId,
    merchantId: channel.merchantId,
    marketplace: channel.marketplace,
    countryCode: channel.countryCode,
    displayName: channel.displayName,
    hasAdvertisingConnected: channel.hasAdvertisingConnected === 1,
    ...(include.includes('details') && {
      kind: channel.kind,
      currency: channel.currency,
      timezone: channel.timezone,
    }),
    ...(freshness && { freshness: freshness.get(channel.channelNumber) ?? {} }),
  }));
};
