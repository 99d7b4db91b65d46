/** Search terms: how a product does in the searches that it appears in, and what it loses there. */

import { useMemo } from 'preact/hooks';
import type { Answer } from '../client.ts';
import { ViewPage } from '../frame/viewPage.tsx';
import { Body, Empty, Failed, Note, Panel, Skeleton } from '../parts/panel.tsx';
import { Tiles } from '../parts/tiles.tsx';
import { useQuery } from '../queries.ts';
import { Operator } from '../settings/operator.tsx';
import { useAddress } from '../view/address.ts';
import type { View } from '../view/view.ts';
import { useView } from '../view/view.ts';
import {
  inMonths,
  lostOf,
  type Months,
  monthsOf,
  type Product,
  storeOf,
  sumOf,
  useProducts,
} from './figures.ts';
import { Funnel } from './funnel.tsx';
import { Lost } from './lost.tsx';
import { ProductsTable } from './productsTable.tsx';

/** The view. */
export function Search() {
  const view = useView();
  const store = storeOf(view);
  return (
    <ViewPage
      title="Search terms"
      filters={{ stores: 'one' }}
      store={store}
      dates={datesOf}
      caveats={[store && `Searches on Amazon, of ${store.displayName}.`]}
    >
      {(shown) => <Content view={shown} months={monthsOf(shown)} />}
    </ViewPage>
  );
}

/** The whole months of both periods, in words. */
function datesOf(view: View): string {
  const { range, prior } = monthsOf(view);
  const against = prior ? ` against ${inMonths(prior)}` : '';
  return `Whole months: ${inMonths(range)}${against}.`;
}

type ContentProps = { readonly view: View; readonly months: Months };

function Content({ view, months }: ContentProps) {
  const access = useQuery('readAccess', {});
  const { value, problem, retry } = access;
  if (problem !== undefined)
    return (
      <Panel title="Search terms">
        <Failed problem={problem} name="your plan" retry={retry} isBusy={access.isLoading} />
      </Panel>
    );
  if (value === undefined) return <Skeleton lines={6} height={400} />;
  if (!value.searchQueryPerformance) return <NotIncluded access={value} />;
  return <Shown view={view} months={months} productsMax={value.searchQueryProductMax} />;
}

type Access = Answer<'readAccess'>;

/** Explains the entitlement and whom to ask for it. */
function NotIncluded({ access }: { readonly access: Access }) {
  return (
    <Panel title="Search Query Performance">
      <Empty icon="search" title={`Not included in the plan of ${access.organisation}`}>
        <p>
          It shows, for each of your products, how often it is shown, clicked, put into a cart and
          bought in searches, and its share of all products at each step.
        </p>
        <p>
          {access.administrators.length > 0 ? (
            <>To have it, ask {access.administrators.join(' or ')}.</>
          ) : (
            <>
              To have it, ask <Operator contact={access.contact} />.
            </>
          )}
        </p>
      </Empty>
    </Panel>
  );
}

function Shown({ view, months, productsMax }: ContentProps & { readonly productsMax: number }) {
  const { params } = useAddress();
  const store = storeOf(view);
  const query = useProducts(view, store, months, true);
  const chosenId = params.get('product');
  const all = query.value;
  const chosen = useMemo(() => all && chosenOf(all, chosenId), [all, chosenId]);
  if (store === undefined) return <NoStore />;
  if (all?.length === 0) return <NoSearches months={months} />;
  const isUnknown = chosenId !== null && chosen !== undefined && chosen.asin !== chosenId;
  const hasPrior = months.prior !== undefined;
  return (
    <>
      {isUnknown && (
        <Note>
          The address names product {chosenId}, which has no searches in these months. The product
          that loses the most purchases is shown.
        </Note>
      )}
      <Totals products={all} view={view} hasPrior={hasPrior} isLoading={query.isLoading} />
      <div class="columns">
        <Body query={{ ...query, value: chosen }} name="the funnel" lines={4} height={300}>
          {(product) => <Funnel product={product} hasPrior={hasPrior} request={query.request} />}
        </Body>
        <Lost query={query} chosen={chosen?.asin} />
      </div>
      <ProductsTable
        query={query}
        hasPrior={hasPrior}
        productsMax={productsMax}
        chosen={chosen?.asin}
        currency={view.currency}
      />
    </>
  );
}

/** The product of the address; else the one that loses the most purchases. */
function chosenOf(products: readonly Product[], id: string | null): Product | undefined {
  const most = products.toSorted((one, other) => lostOf(other.current) - lostOf(one.current))[0];
  return products.find(({ asin }) => asin === id) ?? most;
}

type TotalsProps = {
  readonly products: readonly Product[] | undefined;
  readonly view: View;
  readonly hasPrior: boolean;
  readonly isLoading: boolean;
};

/** Totals of the products' own figures. Those of the market overlap, so they have no total. */
function Totals({ products, view, hasPrior, isLoading }: TotalsProps) {
  const tile = (
    id: 'impressions' | 'clicks' | 'cartAdds' | 'purchases' | 'currentRevenue',
    name: string,
    unit: 'count' | 'amount' = 'count',
  ) => ({
    id,
    name,
    unit,
    isLink: false,
    isWaiting: products === undefined,
    value: products && sumOf(products, ({ current }) => current[id]),
    prior: products && hasPrior ? sumOf(products, ({ prior }) => prior[id]) : undefined,
  });
  return (
    <Tiles
      tiles={[
        tile('impressions', 'Impressions'),
        tile('clicks', 'Clicks'),
        tile('cartAdds', 'Cart adds'),
        tile('purchases', 'Purchases'),
        tile('currentRevenue', 'Revenue from searches', 'amount'),
      ]}
      currency={view.currency}
      hasComparison={hasPrior}
      isLoading={isLoading}
    />
  );
}

function NoStore() {
  return (
    <Panel title="Search terms">
      <Empty icon="store" title="No store with searches">
        <p>Searches are known of stores on Amazon. Choose one, or connect one.</p>
        <a class="control" href="/guides/importing">
          How to import them
        </a>
      </Empty>
    </Panel>
  );
}

function NoSearches({ months }: { readonly months: Months }) {
  return (
    <Panel title="Search terms">
      <Empty icon="search" title={`No searches in ${inMonths(months.range)}`}>
        <p>
          Search Query Performance of the marketplace brings them, a few days after the end of each
          month.
        </p>
        <a class="control" href="/guides/importing">
          How to import it
        </a>
      </Empty>
    </Panel>
  );
}
