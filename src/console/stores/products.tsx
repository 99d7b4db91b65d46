/** The products of a store with their sales. */
import { type Answer, type ApiRequest, ask, type Input } from '../client.ts';
import { askPages } from '../lists.ts';
import { Change } from '../parts/change.tsx';
import { Body, Empty, Panel } from '../parts/panel.tsx';
import { SalesTrend } from '../parts/salesTrend.tsx';
import { Segments } from '../parts/segments.tsx';
import {
  type Column,
  DataTable,
  Pages,
  pageOf,
  sortOf,
  TableSearch,
  useColumns,
} from '../parts/table.tsx';
import { Toolbar } from '../parts/toolbar.tsx';
import { type RequestQuery, useQuery } from '../queries.ts';
import { today } from '../view/days.ts';
import { amount, count, inDay, none, percent, price } from '../view/format.ts';
import { intervalName, standardInterval } from '../view/intervals.ts';
import { productSalesRequest } from '../view/productSales.ts';
import type { Store } from '../view/stores.tsx';
import type { View } from '../view/view.ts';

type ProductsProps = { readonly view: View; readonly store: Store };
type Products = Answer<'viewSalesByProduct'>;
type Row = Products['rows'][number];
type Key = NonNullable<Input<'viewSalesByProduct'>['sortKey']>;

const pageSize = 50;
const standard = '-sales';
/** The columns that the reader may sort by, as the API names them. */
const sortKeys = {
  product: 'title',
  sales: 'totalSales',
  units: 'unitsSold',
  average: 'avPrice',
  acos: 'acos',
  tacos: 'tacos',
  price: 'price',
  sold: 'lastSold',
  out: 'noQuantitySinceTime',
} as const satisfies Record<string, Key>;

/** The choices of the address. */
function wantedOf(params: URLSearchParams) {
  return {
    sort: sortOf(params, standard, Object.keys(sortKeys)),
    page: pageOf(params),
    searchText: params.get('q')?.trim(),
    hasAll: params.get('show') === 'all',
  };
}

/** The question for the products, without their page. */
function questionOf({ view, store }: ProductsProps): Input<'viewSalesByProduct'> {
  const { sort, searchText, hasAll } = wantedOf(view.address.params);
  const { priorFromDate, priorToDate, ...period } = view.dates;
  return {
    channelId: store.channelId,
    merchantId: store.merchantId,
    ...period,
    ...(view.comparison !== 'none' && { priorFromDate, priorToDate }),
    includeTax: false,
    includeNoSales: hasAll,
    includeNoInventory: true,
    ...(searchText && { searchText }),
    sortKey: sortKeys[sort.by as keyof typeof sortKeys],
    sortOrder: sort.isDescending ? 'desc' : 'asc',
  };
}

/** The products of a store, by what they sell. */
export function Products({ view, store }: ProductsProps) {
  const { sort, page, searchText, hasAll } = wantedOf(view.address.params);
  const hasComparison = view.comparison !== 'none';
  const question = questionOf({ view, store });
  const query = useQuery('viewSalesByProduct', { ...question, pageIndex: page - 1, pageSize });
  const columns = columnsOf({ view, store }, query.value?.currency ?? store.currency);
  const { shown, menu } = useColumns(columns);
  return (
    <Panel
      title="Products"
      count={query.value?.count}
      isLoading={query.isLoading}
      choices={
        <Segments
          name="Products shown"
          options={[
            { id: 'sold', name: 'Sold' },
            { id: 'all', name: 'All' },
          ]}
          chosen={hasAll ? 'all' : 'sold'}
          hrefOf={(id) =>
            view.address.hrefOf({ show: id === 'all' ? id : undefined, page: undefined })
          }
        />
      }
      tools={
        <>
          <TableSearch name="Title, SKU or ASIN" />
          {menu}
          <Toolbar
            name={`Products of ${store.displayName}`}
            request={requestsOf({ view, store }, query)}
            rows={async () =>
              rowsOf((await askPages(ask, 'viewSalesByProduct', question)).rows, hasComparison)
            }
          />
        </>
      }
    >
      <Body query={query} name="the products" lines={10} height={440}>
        {(answer) =>
          answer.rows.length === 0 ? (
            <NoProducts searchText={searchText} />
          ) : (
            <>
              <DataTable
                name={`Products of ${store.displayName}`}
                columns={columns}
                shown={shown}
                rows={answer.rows}
                keyOf={({ current }) => current.productId}
                sort={sort}
                standard={standard}
              />
              <Foot answer={answer} page={page} isSearch={Boolean(searchText)} />
            </>
          )
        }
      </Body>
    </Panel>
  );
}

/** The request of the table, and that of the first line in it. */
function requestsOf(
  { view, store }: ProductsProps,
  { request, value }: RequestQuery<Products>,
): ApiRequest[] {
  const lines = (value?.rows ?? []).flatMap(
    ({ current }) => productSalesRequest(view, store, current) ?? [],
  );
  return [request ?? [], lines[0] ?? []].flat();
}

type FootProps = { readonly answer: Products; readonly page: number; readonly isSearch: boolean };

/** Sales that belong to no product, and the pages. */
function Foot({ answer, page, isSearch }: FootProps) {
  const { unlisted, currency } = answer;
  const hasUnlisted = !isSearch && unlisted.current.totalSales !== 0;
  if (!hasUnlisted && answer.count <= pageSize) return null;
  return (
    <footer>
      {hasUnlisted && (
        <span>
          {amount(unlisted.current.totalSales, currency)} of sales belong to no product that is
          known.
        </span>
      )}
      <Pages page={page} size={pageSize} total={answer.count} />
    </footer>
  );
}

function NoProducts({ searchText }: { readonly searchText: string | undefined }) {
  return searchText ? (
    <Empty icon="search" title="No such product">
      <p>No title, SKU or ASIN has “{searchText}”.</p>
    </Empty>
  ) : (
    <Empty title="No product was sold in this period">
      <p>
        Choose another period, or see how <a href="/guides/importing">order reports are imported</a>
        .
      </p>
    </Empty>
  );
}

function columnsOf({ view, store }: ProductsProps, currency: string): readonly Column<Row>[] {
  const dayOf = (seconds: number | null) =>
    seconds === null ? none : inDay(today(view.zone, seconds * 1000));
  const changes: Record<'sales' | 'units' | 'tacos', Column<Row>> = {
    sales: {
      ...changeColumn('sales-change', 'sales'),
      cell: (row) => <Change {...both(row, 'totalSales')} unit="amount" />,
    },
    units: {
      ...changeColumn('units-change', 'units'),
      cell: (row) => <Change {...both(row, 'unitsSold')} unit="count" />,
    },
    tacos: {
      ...changeColumn('tacos-change', 'TACoS'),
      isShown: false,
      cell: (row) => <Change {...both(row, 'tacos')} unit="percent" meaning="bad" />,
    },
  };
  const change = (of: keyof typeof changes) => (view.comparison === 'none' ? [] : [changes[of]]);
  return [
    { id: 'product', name: 'Product', cell: ({ current }) => <ProductName product={current} /> },
    {
      id: 'sales',
      name: 'Sales',
      isNumber: true,
      cell: ({ current }) => amount(current.totalSales, currency),
    },
    ...change('sales'),
    trendColumn({ view, store }),
    { id: 'units', name: 'Units', isNumber: true, cell: ({ current }) => count(current.unitsSold) },
    ...change('units'),
    {
      id: 'average',
      name: 'Average price',
      isNumber: true,
      cell: ({ current }) => price(known(current.avPrice), currency),
    },
    {
      id: 'price',
      name: 'Price now',
      isNumber: true,
      isShown: false,
      cell: ({ current }) => price(current.price ?? undefined, currency),
    },
    {
      id: 'acos',
      name: 'ACOS',
      isNumber: true,
      cell: ({ current }) => percent(known(current.acos)),
    },
    {
      id: 'tacos',
      name: 'TACoS',
      isNumber: true,
      cell: ({ current }) => percent(known(current.tacos)),
    },
    ...change('tacos'),
    { id: 'sold', name: 'Last sold', cell: ({ current }) => dayOf(current.lastSold) },
    {
      id: 'out',
      name: 'Out of stock since',
      cell: ({ current: { noQuantitySinceTime: since } }) =>
        since === null ? none : <span class="low">{dayOf(since)}</span>,
    },
  ];
}

/** The sales of each product over time. */
const trendColumn = ({ view, store }: ProductsProps): Column<Row> => ({
  id: 'trend',
  name: `Sales by ${intervalName(standardInterval(view.range)).toLowerCase()}`,
  isNumber: true,
  isSortable: false,
  cell: ({ current }) => (
    <SalesTrend view={view} store={store} product={current} total={current.totalSales} />
  ),
});

const changeColumn = (id: string, of: string) =>
  ({ id, name: 'Change', fullName: `Change of ${of}`, isNumber: true, isSortable: false }) as const;

/** A figure that is 0 where it does not apply. */
const known = (value: number) => (value === 0 ? undefined : value);

function both({ current, prior }: Row, name: 'totalSales' | 'unitsSold' | 'tacos') {
  return name === 'tacos'
    ? { value: known(current.tacos), prior: known(prior.tacos) }
    : { value: current[name], prior: prior[name] };
}

function ProductName({ product }: { readonly product: Row['current'] }) {
  const { title, sku, productSku, linkUrl } = product;
  const name = title || sku || productSku || 'Unknown product';
  return (
    <span class="two product">
      {linkUrl === '' ? (
        <span title={name}>{name}</span>
      ) : (
        <a href={linkUrl} title={name} target="_blank" rel="noreferrer">
          {name}
        </a>
      )}
      <small>{[sku, productSku].filter((part) => part !== '' && part !== name).join(' · ')}</small>
    </span>
  );
}

function rowsOf(rows: readonly Row[], hasComparison: boolean) {
  const names = ['totalSales', 'unitsSold', 'avPrice', 'acos', 'tacos'] as const;
  const priors = names.map((name) => `prior${name[0]!.toUpperCase()}${name.slice(1)}`);
  return [
    ['title', 'sku', 'productSku', 'price', ...names, ...(hasComparison ? priors : [])],
    ...rows.map(({ current, prior }) => [
      current.title,
      current.sku,
      current.productSku,
      current.price ?? undefined,
      ...names.map((name) => current[name]),
      ...(hasComparison ? names.map((name) => prior[name]) : []),
    ]),
  ];
}
