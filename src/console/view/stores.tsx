/** The stores that the user may reach, for all views. */

import { type ComponentChildren, createContext } from 'preact';
import { useContext, useMemo, useState } from 'preact/hooks';
import type { ChannelDataset } from '../../contract/importable.ts';
import { useAccount } from '../account.tsx';
import type { Answer, Input } from '../client.ts';
import { type Query, useQuery } from '../queries.ts';
import { useAddress } from './address.ts';
import type { Day } from './days.ts';
import type { Tag } from './tags.ts';
import { useTags } from './useTags.ts';

type Channel = Answer<'listChannels'>[number];

/** A store, which the API calls a channel. */
export type Store = Pick<
  Channel,
  'channelId' | 'merchantId' | 'marketplace' | 'countryCode' | 'displayName'
> & {
  readonly hasAdvertisingConnected: boolean;
  /** Its name without that of the organisation before it. */
  readonly shortName: string;
  readonly kind: 'seller' | 'vendor';
  readonly currency: string;
  readonly timezone: string;
  /** The last day with facts of each dataset. */
  readonly freshness: { readonly [Dataset in ChannelDataset]?: Day };
};

type Known = {
  readonly stores: readonly Store[];
  readonly query: Query<readonly Channel[]>;
  /** Their tags, read once a view or a picker needs them. */
  readonly tags: readonly Tag[] | undefined;
  readonly tagsQuery: Omit<ReturnType<typeof useTags>, 'tags'>;
  readonly wantTags: () => void;
};
const Context = createContext<Known | undefined>(undefined);

const question = { include: ['details', 'freshness'] } as Input<'listChannels'>;

/** Stores as the options of a choice. */
export const storeOptions = (stores: readonly Store[]) =>
  stores.map((store) => ({
    id: store.channelId,
    name: `${store.shortName}, ${marketplaceOf(store)}`,
  }));

/** Provides the stores to the pages inside. */
export function StoresProvider({ children }: { readonly children: ComponentChildren }) {
  const query = useQuery('listChannels', question);
  const { session } = useAccount();
  const prefix = `${session?.organisation} `;
  const stores = useMemo(
    () => (query.value ?? []).map((channel) => storeOf(channel, prefix)),
    [query.value, prefix],
  );
  const [isWanted, setWanted] = useState(false);
  const { params } = useAddress();
  const { tags, ...tagsQuery } = useTags(isWanted || params.has('tag'));
  const known = useMemo(
    () => ({ stores, query, tags, tagsQuery, wantTags: () => setWanted(true) }),
    [stores, query.problem, query.isLoading, tags, tagsQuery.problem],
  );
  return <Context.Provider value={known}>{children}</Context.Provider>;
}

function storeOf(channel: Channel, prefix: string): Store {
  const { displayName } = channel;
  const isPrefixed = displayName.startsWith(prefix);
  const shortName = isPrefixed ? displayName.slice(prefix.length) : displayName;
  return { ...(channel as Channel & Store), shortName };
}

/** All stores that the user may reach; none while they are not known. */
export function useStores(): Known {
  return useContext(Context)!;
}

/** The address of the page of a store, at one of its parts. */
export const pathOfStore = ({ channelId }: Pick<Store, 'channelId'>, part = 'sales'): string =>
  `/console/stores/${encodeURIComponent(channelId)}/${part}`;

/** Names of marketplaces as their sellers know them. */
const marketplaces: Readonly<Record<string, string>> = { primarymkt: 'Amazon', shopify: 'Shopify' };

/** The marketplace of a store, such as Amazon vendor. */
export function marketplaceOf({ marketplace, kind }: Pick<Store, 'marketplace' | 'kind'>): string {
  const name =
    marketplaces[marketplace] ?? `${marketplace[0]?.toUpperCase() ?? ''}${marketplace.slice(1)}`;
  return kind === 'vendor' ? `${name} vendor` : name;
}
