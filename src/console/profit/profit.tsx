/** Where money is lost, and what to reprice. */
import { useState } from 'preact/hooks';
import { ViewPage } from '../frame/viewPage.tsx';
import { Body, Empty, Note, Panel } from '../parts/panel.tsx';
import { type Tile, Tiles } from '../parts/tiles.tsx';
import { amount, percent } from '../view/format.ts';
import { sellersOf } from '../view/profits.ts';
import { type Store, useStores } from '../view/stores.tsx';
import { useView, type View } from '../view/view.ts';
import { counted } from '../words.ts';
import { ByStore } from './byStore.tsx';
import { UnknownCodes } from './codes.tsx';
import {
  type Figures,
  type StoreProfit,
  shareOf,
  sumOf,
  type WithoutCosts,
  withoutCostsOf,
} from './figures.ts';
import { metrics, type ProfitMetric } from './metrics.ts';
import { OverTime } from './overTime.tsx';
import { ProductsPanel } from './products.tsx';
import { storesMax, useProfit, useStoreProfits } from './questions.ts';
import { Statement } from './statement.tsx';

/** The view of profit. */
export function Profit() {
  const { stores } = useView();
  const sellers = sellersOf(stores);
  // Naming a code may change every figure, so all are read again.
  const [named, setNamed] = useState(0);
  return (
    <ViewPage
      title="Profit"
      caveats={[
        sellers.length < stores.length
          ? 'Vendor stores have no profit and loss, so they do not count here.'
          : undefined,
      ]}
    >
      {(view) => (
        <Content
          key={named}
          view={view}
          stores={sellersOf(view.stores)}
          onNamed={() => setNamed(named + 1)}
        />
      )}
    </ViewPage>
  );
}

type ContentProps = {
  readonly view: View;
  readonly stores: readonly Store[];
  readonly onNamed: () => void;
};

function Content({ view, stores, onNamed }: ContentProps) {
  const { address, comparison } = view;
  const hasSellers = stores.length > 0;
  const query = useProfit(view, stores, 'y');
  const ofStores = useStoreProfits(view, stores.length > 1 ? stores.slice(0, storesMax) : []);
  if (!hasSellers) return <NoSellers view={view} />;
  const metric = metrics.find(({ id }) => id === address.params.get('metric')) ?? metrics[0]!;
  const rows = query.value?.rows ?? [];
  const currency = query.value?.currency ?? view.currency;
  const totals: Totals = {
    figures: sumOf(rows),
    prior: sumOf(rows, true),
    uncosted: withoutCostsOf(rows),
  };
  if (query.problem === undefined && totals.figures && isEmpty(totals.figures)) return <NoEvents />;
  const known = ofStores.value?.stores ?? [];
  return (
    <>
      <UnstatedTax warnings={query.value?.warnings ?? []} />
      <MissingCosts
        view={view}
        totals={totals}
        currency={currency}
        store={mostOf(known, 'uncosted') ?? stores[0]!}
      />
      {query.problem === undefined && (
        <Tiles
          tiles={metrics.map((one) => tileOf(one, totals, currency))}
          currency={currency}
          chosen={metric.id}
          hasComparison={comparison !== 'none'}
          isLoading={query.isLoading}
        />
      )}
      <div class="columns">
        {totals.figures && query.problem === undefined ? (
          <Statement
            figures={totals.figures}
            prior={totals.prior}
            currency={currency}
            hasPrior={comparison !== 'none'}
            request={query.request}
            isLoading={query.isLoading}
          />
        ) : (
          <Panel title="From sales to net profit">
            <Body query={query} name="the profit and loss" lines={8} height={420}>
              {() => null}
            </Body>
          </Panel>
        )}
        <div class="stack">
          <OverTime view={view} stores={stores} metric={metric} />
          {stores.length > 1 && <ByStore view={view} query={ofStores} count={stores.length} />}
        </div>
      </div>
      <UnknownCodes view={view} stores={stores} onNamed={onNamed} />
      <ProductsPanel view={view} stores={stores} store={shownStore(view, stores, ofStores)} />
    </>
  );
}

/** Says once that figures hold a tax that no document states. */
function UnstatedTax({ warnings }: { readonly warnings: readonly string[] }) {
  if (!warnings.some((one) => one.includes('unstated-tax'))) return null;
  return (
    <Note>
      Figures hold tax that the documents do not state. The operator of the service can save its
      rates.
    </Note>
  );
}

/** The profit and loss of all stores over the whole period. */
type Totals = {
  readonly figures: Figures | undefined;
  readonly prior: Figures | undefined;
  readonly uncosted: WithoutCosts;
};

const isEmpty = (figures: Figures) => Object.values(figures).every((value) => value === 0);

function tileOf(
  metric: ProfitMetric,
  { figures, prior, uncosted }: Totals,
  currency: string,
): Tile {
  const { id, name, unit, meaning, suffix } = metric;
  const isIncomplete = metric.needsCosts && uncosted.sales > 0;
  return {
    id,
    name,
    unit,
    meaning,
    ...(suffix && { suffix }),
    value: figures && metric.of(figures),
    prior: prior && metric.of(prior),
    isWaiting: figures === undefined,
    incomplete: isIncomplete
      ? `${amount(uncosted.sales, currency)} of sales have no cost of goods`
      : undefined,
  };
}

/** The store with the most of a figure. */
function mostOf(profits: readonly StoreProfit[], figure: 'uncosted' | 'sales'): Store | undefined {
  const figureOf = ({ uncosted, figures }: StoreProfit) =>
    figure === 'uncosted' ? uncosted : (figures?.sales ?? 0);
  return [...profits].sort((one, other) => figureOf(other) - figureOf(one))[0]?.store;
}

/** The store of the address, or the one that sells most; undefined while it is not known. */
function shownStore(
  { address }: View,
  stores: readonly Store[],
  { value, problem }: ReturnType<typeof useStoreProfits>,
): Store | undefined {
  const named = stores.find(({ channelId }) => channelId === address.params.get('of'));
  if (named !== undefined || stores.length === 1) return named ?? stores[0];
  if (problem !== undefined) return stores[0];
  return value && mostOf(value.stores, 'sales');
}

type MissingCostsProps = {
  readonly view: View;
  readonly totals: Totals;
  readonly currency: string;
  /** The store with the most sales without a cost. */
  readonly store: Store;
};

/** Says which sales have no cost of goods, which makes the profit look larger than it is. */
function MissingCosts({ view, totals, currency, store }: MissingCostsProps) {
  const { figures, uncosted } = totals;
  if (figures === undefined || uncosted.sales <= 0) return null;
  const { products, sales, isExact } = uncosted;
  const share = percent(shareOf(sales, figures.sales));
  const money = `${amount(sales, currency)} of sales (${share})`;
  return (
    <Note
      tools={
        <>
          <a href={view.address.hrefOf({ part: 'uncosted', of: store.channelId, page: undefined })}>
            Show them
          </a>
          <a href="/guides/importing">Import unit costs</a>
        </>
      }
    >
      {products === 0
        ? `${money} have no cost of goods and count as pure profit.`
        : `${isExact ? '' : 'At least '}${counted(products, 'product')} had no unit cost. ${
            products === 1 && isExact ? 'Its' : 'Their'
          } ${money} count as pure profit.`}
    </Note>
  );
}

function NoSellers({ view }: { readonly view: View }) {
  const { stores: all } = useStores();
  return (
    <section class="panel">
      <Empty icon="profit" title="No profit and loss for these stores">
        <p>
          Vendor stores have none: the marketplace buys from you, and pays no fees in your name.
        </p>
        {sellersOf(all).length > 0 && (
          <p>
            <a href={view.address.hrefOf({ store: undefined })}>Show all stores</a>
          </p>
        )}
      </Empty>
    </section>
  );
}

function NoEvents() {
  return (
    <section class="panel">
      <Empty icon="profit" title="No financial events in this period">
        <p>
          Settlement reports and financial events bring them. The guide on{' '}
          <a href="/guides/importing">importing</a> shows how.
        </p>
      </Empty>
    </section>
  );
}
