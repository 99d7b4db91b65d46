/** The products in searches, as a table. */
import { useMemo } from 'preact/hooks';
import { Change, changeOf } from '../parts/change.tsx';
import { Body, Empty } from '../parts/panel.tsx';
import {
  type Column,
  DataTable,
  Pages,
  pageOf,
  type Sort,
  sortOf,
  TableSearch,
  useColumns,
} from '../parts/table.tsx';
import { Toolbar } from '../parts/toolbar.tsx';
import { useAddress } from '../view/address.ts';
import { amount, count, percent } from '../view/format.ts';
import {
  lostOf,
  type Product,
  type Searched,
  stepsOf,
  sumOf,
  type useProducts,
} from './figures.ts';

const pageSize = 50;
const standardSort = '-lost';

type SearchColumn = Column<Product> & {
  readonly value: (product: Product) => string | number | undefined;
};

type TableProps = {
  readonly query: ReturnType<typeof useProducts>;
  readonly currency: string;
  readonly hasPrior: boolean;
  /** Products that the plan of the organisation includes. */
  readonly productsMax: number;
  readonly chosen: string | undefined;
};

/** The panel with the table. */
export function ProductsTable({ query, currency, hasPrior, productsMax, chosen }: TableProps) {
  const { params, hrefOf } = useAddress();
  const text = (params.get('q') ?? '').trim().toLowerCase();
  const found = useMemo(
    () =>
      query.value?.filter(({ asin, title }) => `${asin} ${title}`.toLowerCase().includes(text)) ??
      [],
    [query.value, text],
  );
  const columns = columnsOf(found, currency, hasPrior, (asin) => hrefOf({ product: asin }), chosen);
  const ids = columns.map(({ id }) => id);
  const sort = sortOf(params, standardSort, ids);
  const rows = sorted(found, columns, sort);
  const { shown, menu } = useColumns(columns);
  const page = Math.min(pageOf(params), Math.max(1, Math.ceil(rows.length / pageSize)));
  const total = query.value?.length ?? 0;
  return (
    <section class="panel" aria-label="Products" aria-busy={query.isLoading}>
      <header>
        <h2>
          Products<span class="count"> {query.value && count(total)}</span>
        </h2>
        <div class="tools">
          <TableSearch name="Find a product" />
          {menu}
          <Toolbar
            name="Products in searches"
            request={query.request}
            rows={() => [
              columns.map(({ name }) => name),
              ...rows.map((row) => columns.map((column) => column.value(row))),
            ]}
          />
        </div>
      </header>
      <Body query={query} name="the products" lines={8} height={320}>
        {() =>
          rows.length === 0 ? (
            <Empty icon="search" title="No product matches the search">
              <a class="control" href={hrefOf({ q: undefined, page: undefined })}>
                Show all
              </a>
            </Empty>
          ) : (
            <>
              <DataTable
                name="Products in searches"
                rows={rows.slice((page - 1) * pageSize, page * pageSize)}
                keyOf={({ asin }) => asin}
                standard={standardSort}
                hasTotal
                columns={columns}
                sort={sort}
                shown={shown}
              />
              <footer>
                <Summary found={rows.length} total={total} productsMax={productsMax} />
                <Pages page={page} size={pageSize} total={rows.length} />
              </footer>
            </>
          )
        }
      </Body>
    </section>
  );
}

type SummaryProps = Pick<TableProps, 'productsMax'> & {
  readonly found: number;
  readonly total: number;
};

/** How many products the search finds, and how many there are. */
function Summary({ found, total, productsMax }: SummaryProps) {
  return (
    <span>
      {found < total && `${count(found)} of `}
      {count(total)} products
      {total >= productsMax &&
        `, those with the most impressions: the plan includes ${count(productsMax)}`}
      . Searches of several products overlap, so their markets have no total.
    </span>
  );
}

function sorted(
  products: readonly Product[],
  columns: readonly SearchColumn[],
  { by, isDescending }: Sort,
): readonly Product[] {
  const { value } = columns.find(({ id }) => id === by)!;
  return products.toSorted((one, other) => {
    const order = compared(value(one), value(other));
    return (isDescending ? -order : order) || one.asin.localeCompare(other.asin);
  });
}

function compared(one: string | number | undefined, other: string | number | undefined): number {
  if (typeof one === 'string') return one.localeCompare(String(other));
  return (one ?? -1) - Number(other ?? -1);
}

function columnsOf(
  products: readonly Product[],
  currency: string,
  hasPrior: boolean,
  hrefOf: (asin: string) => string,
  chosen: string | undefined,
): SearchColumn[] {
  const figure = (
    id: string,
    name: string,
    of: (figures: Searched) => number | undefined,
    write: (value: number | undefined) => string,
    more: Partial<SearchColumn> = {},
  ): SearchColumn => ({
    id,
    name,
    isNumber: true,
    value: ({ current }) => of(current),
    cell: ({ current }) => write(of(current)),
    ...more,
  });
  const own = (id: 'impressions' | 'clicks' | 'cartAdds' | 'purchases', name: string) =>
    figure(id, name, (figures) => figures[id], count, {
      isShown: id === 'purchases',
      total: count(sumOf(products, ({ current }) => current[id])),
    });
  const share = (place: 0 | 1 | 2 | 3, id: string, name: string) =>
    figure(
      id,
      name,
      (figures) => stepsOf(figures)[place]!.share,
      (value) => percent(value, 2),
      { isShown: id !== 'cartShare' },
    );
  const inMoney = (value: number | undefined) => amount(value, currency);
  return [
    nameColumn(products.length, hrefOf, chosen),
    figure('lost', 'Purchases lost', lostOf, count),
    figure('opportunity', 'Sales of others', ({ opportunity }) => opportunity, inMoney),
    own('purchases', 'Purchases'),
    ...(hasPrior ? [changeColumn] : []),
    share(3, 'purchaseShare', 'Purchase share'),
    share(0, 'impressionShare', 'Impression share'),
    share(1, 'clickShare', 'Click share'),
    share(2, 'cartShare', 'Cart share'),
    figure('cvr', 'Conversion', ({ cvr, clicks }) => (clicks > 0 ? cvr : undefined), percent),
    figure(
      ...(['totalCvr', 'Conversion of all'] as const),
      ({ totalCvr, totalClicks }) => (totalClicks > 0 ? totalCvr : undefined),
      percent,
      { isShown: false },
    ),
    figure('volume', 'Searches', ({ searchQueryVolume }) => searchQueryVolume, count, {
      isShown: false,
    }),
    figure('revenue', 'Revenue', ({ currentRevenue }) => currentRevenue, inMoney, {
      isShown: false,
      total: inMoney(sumOf(products, ({ current }) => current.currentRevenue)),
    }),
    own('impressions', 'Impressions'),
    own('clicks', 'Clicks'),
    own('cartAdds', 'Cart adds'),
  ];
}

const changeColumn: SearchColumn = {
  id: 'purchasesChange',
  name: 'Change',
  isNumber: true,
  value: ({ current, prior }) => changeOf(current.purchases, prior.purchases, 'count'),
  cell: ({ current, prior }) => (
    <Change value={current.purchases} prior={prior.purchases} unit="count" />
  ),
};

function nameColumn(
  products: number,
  hrefOf: (asin: string) => string,
  chosen: string | undefined,
): SearchColumn {
  return {
    id: 'product',
    name: 'Product',
    value: ({ title, asin }) => title || asin,
    cell: ({ title, asin }) => (
      <a class="name" href={hrefOf(asin)} aria-current={asin === chosen ? 'true' : undefined}>
        <span>
          {title || asin}
          {title !== '' && <small>{asin}</small>}
        </span>
      </a>
    ),
    total: `All ${count(products)}`,
  };
}
