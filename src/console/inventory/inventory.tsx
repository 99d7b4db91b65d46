/** How long the stock of the stores lasts, and what to reorder first. */
import { ViewPage } from '../frame/viewPage.tsx';
import { Body, Empty, Note } from '../parts/panel.tsx';
import { Tiles } from '../parts/tiles.tsx';
import { useGathered } from '../queries.ts';
import type { Store } from '../view/stores.tsx';
import type { View } from '../view/view.ts';
import { counted } from '../words.ts';
import { ReorderFirst } from './reorderFirst.tsx';
import { readStock, type Stock, type StoreStock } from './replenishment.ts';
import { type Choice, chosenOf, coverOf, soonDays } from './shown.ts';
import { StockOuts } from './stockOuts.tsx';
import { StockTable } from './stockTable.tsx';

/** The most stores whose stock is read together; each needs a report. */
const storesMax = 12;
/** Stock changes with a snapshot a day. */
const freshMilliseconds = 15 * 60_000;
const filters = { period: false, currency: false };

/** The inventory. */
export function Inventory() {
  return (
    <ViewPage
      title="Inventory"
      filters={filters}
      caveats={[
        'Stock that the marketplace keeps and ships, by its newest snapshot. Lead time, safety stock and cover are settings of each store.',
      ]}
    >
      {(view) => <Content view={view} />}
    </ViewPage>
  );
}

function Content({ view }: { readonly view: View }) {
  const able = view.stores.filter(({ kind }) => kind !== 'vendor');
  const stores = able.slice(0, storesMax);
  const key = stores.map(({ channelId }) => channelId).join(' ');
  const query = useGathered(
    stores.length === 0 ? undefined : `stock of ${key}`,
    async (ask, { signal }) => ({ rows: await readStock(stores, ask, signal) }),
    freshMilliseconds,
  );
  if (stores.length === 0) return <NoStock />;
  return (
    <>
      {able.length > stores.length && (
        <Note>
          The stock of the first {storesMax} stores is shown. Choose others in the list of stores.
        </Note>
      )}
      <Body query={query} name="the inventory" lines={10} height={560}>
        {({ rows }) => (
          <div class="stack">
            <Problems read={rows} />
            <Figures view={view} rows={rows.flatMap(({ stock }) => stock)} stores={stores} />
          </div>
        )}
      </Body>
    </>
  );
}

/** Stores whose stock could not be read. */
function Problems({ read }: { readonly read: readonly StoreStock[] }) {
  const failed = read.filter(({ problem }) => problem !== undefined);
  if (failed.length === 0) return null;
  return (
    <Note>
      {failed.map(({ store, problem }) => (
        <span key={store.channelId} class="line">
          The stock of {store.displayName} is missing: {problem!.message}
        </span>
      ))}
    </Note>
  );
}

type FiguresProps = {
  readonly view: View;
  readonly rows: readonly Stock[];
  readonly stores: readonly Store[];
};

const choices: readonly Choice[] = ['reorder', 'out', 'soon', 'inbound', 'all'];

function Figures({ view, rows, stores }: FiguresProps) {
  if (rows.length === 0) return <NoStock />;
  const { today } = view;
  const named = view.address.params.get('metric');
  const choice = choices.find((one) => one === named) ?? 'reorder';
  const countOf = (one: Choice) => chosenOf(rows, one, today).length;
  const toSend = chosenOf(rows, 'reorder', today).reduce((total, { units }) => total + units, 0);
  const inbound = rows.reduce((total, stock) => total + stock.inbound, 0);
  const tile = { unit: 'count', prior: undefined } as const;
  return (
    <>
      <Tiles
        tiles={[
          {
            ...tile,
            id: 'reorder',
            name: 'Reorder now',
            value: countOf('reorder'),
            suffix: `SKUs, ${counted(toSend, 'unit')}`,
          },
          { ...tile, id: 'out', name: 'Out of stock', value: countOf('out'), suffix: 'SKUs' },
          {
            ...tile,
            id: 'soon',
            name: `Out within ${soonDays} days`,
            value: countOf('soon'),
            suffix: 'SKUs',
          },
          { ...tile, id: 'inbound', name: 'On the way', value: inbound, suffix: 'units' },
          { ...tile, id: 'all', name: 'Cover of all', value: coverOf(rows), suffix: 'days' },
        ]}
        currency="USD"
        chosen={choice}
        hasComparison={false}
      />
      <div class="columns">
        <StockOuts rows={rows} today={today} />
        <ReorderFirst rows={rows} today={today} />
      </div>
      <StockTable view={view} rows={rows} choice={choice} hasStores={stores.length > 1} />
    </>
  );
}

function NoStock() {
  return (
    <div class="panel">
      <Empty icon="inventory" title="No stock is known">
        <p>
          Inventory reports of the marketplace bring it, for products that it ships.{' '}
          <a href="/guides/importing">How to import them</a>
        </p>
      </Empty>
    </div>
  );
}
