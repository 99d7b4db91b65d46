/** Who asks, and which channels that reaches. */
import type { Selectable, SelectQueryBuilder } from 'kysely';
import type { Grant } from '../contract/endpoint.ts';
import type { ChannelRecord, Records, Registry } from '../engine/registry.ts';
import { createCache } from './cache.ts';

/** Who asks: the user behind a valid key, with what the organisation is entitled to. */
export type Caller = {
  readonly keyId: string;
  readonly userId: string;
  readonly organisationId: string;
  readonly role: 'owner' | 'administrator' | 'member';
  readonly plan: 'standard' | 'enterprise';
  /** Whether only the channels granted to the user may be reached. */
  readonly restricted: boolean;
  readonly entitlements: {
    readonly apiAccess: boolean;
    readonly searchQueryPerformance: boolean;
    /** How many products one Search Query Performance answer may hold. */
    readonly searchQueryProductMax: number;
  };
  /** What the key may use beyond API access. */
  readonly grants: ReadonlySet<Grant>;
  /** The rate and the volume of the key. */
  readonly limits: { readonly perSecond: number; readonly burst: number; readonly perDay: number };
};

/** Every failing look-up of a channel is said in these words, so that nobody learns which channels exist. */
export const unreachableText = 'channelId and merchantId do not match a connected store';

/** A channel as it is read from the registry. */
export type Channel = Selectable<ChannelRecord>;

/** The channels that the caller may reach, as a query that the caller's filters are added to; `records` may be those of a transaction. */
export function reachableChannels(
  { records }: Pick<Registry, 'records'>,
  caller: Pick<Caller, 'organisationId' | 'userId' | 'restricted'>,
): SelectQueryBuilder<Records, 'channel', Channel> {
  const channels = records
    .selectFrom('channel')
    .selectAll('channel')
    .where('channel.organisationId', '=', caller.organisationId);
  if (!caller.restricted) return channels;
  return channels.where('channel.channelNumber', 'in', (granted) =>
    granted
      .selectFrom('channelAccess')
      .select('channelAccess.channelNumber')
      .where('channelAccess.userId', '=', caller.userId),
  );
}

/** Channels by their two names, as a caller reaches them; what was found is known again for a few seconds. */
export type ChannelLookup = {
  /** The channel, or undefined where it is unknown, out of the caller's reach or of another merchant. */
  readonly find: (
    caller: Caller,
    channelId: string,
    merchantId: string,
  ) => Promise<Channel | undefined> | Channel | undefined;
  /** To be called after every change of channels, users or access on this node. */
  readonly invalidate: () => void;
};

/** Looks channels up in the registry. `now` is in epoch milliseconds. */
export function createChannelLookup(registry: Registry, now: () => number): ChannelLookup {
  const recall = createCache<Channel>(now);
  return {
    find(caller, channelId, merchantId) {
      const found = recall.get(`${caller.userId}\n${channelId}`, () =>
        reachableChannels(registry, caller)
          .where('channel.channelId', '=', channelId)
          .executeTakeFirst(),
      );
      const matching = (channel: Channel | undefined) =>
        channel?.merchantId === merchantId ? channel : undefined;
      return found instanceof Promise ? found.then(matching) : matching(found);
    },
    invalidate: recall.invalidate,
  };
}
