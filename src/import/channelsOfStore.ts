/** The channels to which a document may belong instead of the one that it was sent to. */
import { type Channel, merchantParts } from '../access/channels.ts';
import type { Registry } from '../engine/registry.ts';
import type { StoreSign } from './refused.ts';

/** The number of channels that a refusal names. */
const namedMax = 3;

/**
 * The channels of a store, as the end of a refusal: ": eu-de (Acme Germany) or eu-fr (Acme
 * France)". "" if there are none. Channels of other organisations are never among them.
 */
export async function channelsOfStore(
  { records }: Pick<Registry, 'records'>,
  own: Channel,
  sign: StoreSign,
): Promise<string> {
  const all = await records
    .selectFrom('channel')
    .selectAll()
    .where('organisationId', '=', own.organisationId)
    .where('channelNumber', '<>', own.channelNumber)
    .where('kind', '=', sign.account ?? own.kind)
    .orderBy('channelId')
    .execute();
  const found = nearest(
    all.filter((one) => hasSign(one, own, sign)),
    own,
  );
  const named = found
    .slice(0, namedMax)
    .map(({ channelId, displayName }) => `${channelId} (${displayName})`);
  const more = found.length - named.length;
  if (named.length === 0) return '';
  if (more > 0) named.push(`${more} ${more === 1 ? 'other' : 'others'}`);
  return `: ${named.slice(0, -1).join(', ')}${named.length > 1 ? ' or ' : ''}${named.at(-1)}`;
}

function hasSign(channel: Channel, own: Channel, sign: StoreSign): boolean {
  const { marketplaceId, currencies, account } = sign;
  if (marketplaceId !== undefined)
    return merchantParts(channel.merchantId).marketplaceId === marketplaceId;
  if (channel.marketplace !== own.marketplace) return false;
  if (currencies !== undefined) return currencies.includes(channel.currency);
  return account !== undefined && channel.countryCode === own.countryCode;
}

/** The channels of the same merchant, if there are any. */
function nearest(channels: readonly Channel[], own: Channel): readonly Channel[] {
  const sellerOf = ({ merchantId }: Channel) => merchantParts(merchantId).sellerId;
  const ofMerchant = channels.filter((one) => sellerOf(one) === sellerOf(own));
  return ofMerchant.length > 0 ? ofMerchant : channels;
}
