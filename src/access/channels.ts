/** Callers and the channels that they may use. */
import type { Selectable, SelectQueryBuilder } from 'kysely';
import type { ChannelRecord, Records, Registry, UserRecord } from '../engine/registry.ts';
import { createCache } from './cache.ts';
import { type KeyRights, withinChannelsOf } from './keyRights.ts';

/** The user behind a valid key or session, with the entitlements of the organisation. */
export type Caller = {
  /** The key, or `session:` and the identifier of a session of the console. */
  readonly keyId: string;
  /** Identifies whose requests count together: those of the key, or of the user of the console. */
  readonly budget: string;
  readonly userId: string;
  readonly organisationId: string;
  readonly role: UserRecord['role'];
  readonly plan: 'standard' | 'enterprise';
  /** Whether the user may use only the channels that were granted. */
  readonly restricted: boolean;
  readonly entitlements: {
    readonly apiAccess: boolean;
    readonly searchQueryPerformance: boolean;
    /** The most products that a Search Query Performance answer may hold. */
    readonly searchQueryProductMax: number;
  };
  /** The bounds of the key; none for the console. */
  readonly rights: KeyRights;
  /** The rate limits of the key. */
  readonly limits: { readonly perSecond: number; readonly burst: number; readonly perDay: number };
};

/**
 * The one text for every failing look-up of a channel, so that nobody learns which channels exist.
 */
export const unreachableText = 'channelId and merchantId do not match a connected store';

/** The marketplace whose product ids are ASINs. */
export const primaryMarketplace = 'primarymkt';

/** A channel as the registry holds it. */
export type Channel = Selectable<ChannelRecord>;

/**
 * The text that the sealed personal data of a channel is bound to. Identifiers of organisations are
 * random, so no other channel can ever open it, even under the same channelId or number.
 */
export function sealBoundOf({
  organisationId,
  channelId,
}: Pick<Channel, 'organisationId' | 'channelId'>): string {
  return JSON.stringify([organisationId, channelId]);
}

/** The parts of a merchantId before and after " @ "; the whole and "" where it has none. */
export function merchantParts(merchantId: string): { sellerId: string; marketplaceId: string } {
  const [sellerId, ...rest] = merchantId.split(' @ ') as [string, ...string[]];
  return { sellerId, marketplaceId: rest.join(' @ ') };
}

/** The countries whose primary marketplace states prices without tax, and its identifiers there. */
const countriesWithoutTax: ReadonlySet<string> = new Set(['USA', 'CAN', 'MEX']);
const marketplacesWithoutTax: ReadonlySet<string> = new Set([
  'ATVPDKIKX0DER',
  'A2EUQ1WTGCTBG2',
  'A1AM78C64UM0Y8',
]);

/** Whether the documents of a channel state prices with the tax in them, unless they say it. */
export function pricesIncludeTax({
  merchantId,
  marketplace,
  countryCode,
  pricesIncludeTax: setting,
}: Pick<Channel, 'merchantId' | 'marketplace' | 'countryCode' | 'pricesIncludeTax'>): boolean {
  if (setting !== null) return setting === 1;
  if (marketplace.toLowerCase() !== primaryMarketplace) return false;
  const { marketplaceId } = merchantParts(merchantId);
  return /^A[A-Z0-9]{9,}$/.test(marketplaceId)
    ? !marketplacesWithoutTax.has(marketplaceId)
    : !countriesWithoutTax.has(countryCode);
}

/**
 * Makes the filter of channels by their marketplace's name or identifier, in any letter case. An
 * empty list restricts nothing.
 */
export function ofMarketplaces(
  wanted: readonly string[],
): (channel: Pick<Channel, 'marketplace' | 'merchantId'>) => boolean {
  const names = new Set(wanted.map((name) => name.toLowerCase()));
  return ({ marketplace, merchantId }) =>
    names.size === 0 ||
    names.has(marketplace.toLowerCase()) ||
    names.has(merchantParts(merchantId).marketplaceId.toLowerCase());
}

/** Whose channels are looked up: a user, by a key where there is one. */
export type Reader = Pick<Caller, 'organisationId' | 'userId' | 'restricted'> & {
  /** The key, or null for the console. */
  readonly keyId: string | null;
};

/** A query for the channels that a reader may use; `records` may be those of a transaction. */
export function reachableChannels(
  { records }: Pick<Registry, 'records'>,
  caller: Reader,
): SelectQueryBuilder<Records, 'channel', Channel> {
  const { keyId } = caller;
  const channels = records
    .selectFrom('channel')
    .selectAll('channel')
    .where('channel.organisationId', '=', caller.organisationId)
    .$if(keyId !== null, (query) => query.where(withinChannelsOf(keyId!)));
  if (!caller.restricted) return channels;
  return channels.where('channel.channelNumber', 'in', (granted) =>
    granted
      .selectFrom('channelAccess')
      .select('channelAccess.channelNumber')
      .where('channelAccess.userId', '=', caller.userId),
  );
}

/** A query for the channels that a user of an organisation reaches, by a key where there is one. */
export function channelsOfUser(
  records: Registry['records'],
  { userId, organisationId, keyId }: Omit<Reader, 'restricted'>,
) {
  return records
    .selectFrom('channel')
    .innerJoin('userAccount', 'userAccount.organisationId', 'channel.organisationId')
    .selectAll('channel')
    .where('channel.organisationId', '=', organisationId)
    .where('userAccount.userId', '=', userId)
    .$if(keyId !== null, (query) => query.where(withinChannelsOf(keyId!)))
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('userAccount.restricted', '=', 0),
        exists(
          selectFrom('channelAccess')
            .select('channelAccess.userId')
            .where('channelAccess.userId', '=', userId)
            .whereRef('channelAccess.channelNumber', '=', 'channel.channelNumber'),
        ),
      ]),
    );
}

/** Lists that are cached, and the channels of one, so that all take few megabytes. */
const listsMax = 50;
const listedMax = 1_000;

/** Looks channels up by their two identifiers, or by their caller, with a cache. */
export type ChannelLookup = {
  /** The channel; undefined when it is unknown, not the caller's or of another merchant. */
  readonly find: (
    caller: Caller,
    channelId: string,
    merchantId: string,
  ) => Promise<Channel | undefined> | Channel | undefined;
  /** All channels within the caller's reach, in the order of their identifiers. */
  readonly all: (caller: Caller) => Promise<readonly Channel[]>;
  /** Call it after each change of channels, users or access on this node. */
  readonly invalidate: () => void;
};

/** Looks channels up in the registry. `now` is in epoch milliseconds. */
export function createChannelLookup(registry: Registry, now: () => number): ChannelLookup {
  const cache = createCache<Channel>(now);
  const lists = createCache<readonly Channel[]>(now, {
    entriesMax: listsMax,
    canCache: ({ length }) => length <= listedMax,
  });
  const nameOf = ({ userId, keyId, rights }: Caller) => (rights.hasChannels ? keyId : userId);
  return {
    find(caller, channelId, merchantId) {
      const found = cache.get(`${nameOf(caller)}\n${channelId}`, () =>
        reachableChannels(registry, caller)
          .where('channel.channelId', '=', channelId)
          .executeTakeFirst(),
      );
      const matching = (channel: Channel | undefined) =>
        channel?.merchantId === merchantId ? channel : undefined;
      return found instanceof Promise ? found.then(matching) : matching(found);
    },
    async all(caller) {
      const found = await lists.get(nameOf(caller), () =>
        reachableChannels(registry, caller).orderBy('channel.channelId').execute(),
      );
      return found!;
    },
    invalidate() {
      cache.invalidate();
      lists.invalidate();
    },
  };
}
