/** The advertising of stores: the answer names them by their merchants and their names. */
import type { Answer } from '../client.ts';
import type { Store } from './stores.tsx';

/** The advertising of a store in a period. */
export type AdvertisingItem = Answer<'viewAdvertisingByChannels'>['data']['items'][number];

/** Makes the look-up of the item of a store; undefined for a store without advertising. */
export function advertisingOf(
  items: readonly AdvertisingItem[],
): (store: Store) => AdvertisingItem | undefined {
  const keyOf = (merchantId: string, name: string) => `${merchantId}\n${name}`;
  const byStore = new Map(
    items.map((item) => {
      const { seller_id, marketplace_id, store } = item;
      const merchantId = marketplace_id === '' ? seller_id : `${seller_id} @ ${marketplace_id}`;
      return [keyOf(merchantId, store), item];
    }),
  );
  return ({ merchantId, displayName }) => byStore.get(keyOf(merchantId, displayName));
}
