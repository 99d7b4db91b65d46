/** A store: its sales, its products and its orders. */
import { useRoute } from 'preact-iso';
import { ViewPage } from '../frame/viewPage.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { useAddress } from '../view/address.ts';
import { marketplaceOf, pathOfStore, type Store, useStores } from '../view/stores.tsx';
import { Orders } from './orders.tsx';
import { Products } from './products.tsx';
import { Sales } from './sales.tsx';

const parts = [
  { id: 'sales', name: 'Sales' },
  { id: 'products', name: 'Products' },
  { id: 'orders', name: 'Orders' },
];

/** The page of a store. */
export function StorePage() {
  const { channelId, part } = useRoute().params as { channelId: string; part: string };
  const { stores, query } = useStores();
  const { viewOf } = useAddress();
  const store = stores.find((one) => one.channelId === channelId);
  const chosen = parts.find(({ id }) => id === part)?.id ?? 'sales';
  const isWaiting = query.value === undefined && query.problem === undefined;
  const storeHref = (one: Store) => viewOf(pathOfStore(one, chosen));
  return (
    <ViewPage
      title={store?.displayName ?? (isWaiting ? '' : 'Store')}
      filters={{ comparison: chosen !== 'orders', stores: 'one', currency: false }}
      storeHref={storeHref}
      parts={
        store && (
          <Tabs
            name="Parts of the store"
            tabs={parts.map((one) => ({
              ...one,
              href: viewOf(pathOfStore({ channelId }, one.id)),
            }))}
            chosen={chosen}
          />
        )
      }
      caveats={[store && `${marketplaceOf(store)}, in ${store.currency}, without tax.`]}
    >
      {(view) =>
        store === undefined ? (
          <Unknown />
        ) : chosen === 'orders' ? (
          <Orders view={view} store={store} />
        ) : chosen === 'products' ? (
          <Products view={view} store={store} />
        ) : (
          <Sales view={view} store={store} />
        )
      }
    </ViewPage>
  );
}

function Unknown() {
  const { viewOf } = useAddress();
  return (
    <div class="panel">
      <div class="nothing">
        <h2>No such store</h2>
        <p>
          The address may be mistyped, or you may not have access to the store. See{' '}
          <a href={viewOf('/console/stores', { store: [] })}>all stores</a>.
        </p>
      </div>
    </div>
  );
}
