/** The profit of products: those sold at a loss first. */
import { ask } from '../client.ts';
import { Icon } from '../parts/icons.tsx';
import { Body, Empty, Panel } from '../parts/panel.tsx';
import { Popover } from '../parts/popover.tsx';
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
import { useAddress } from '../view/address.ts';
import { amount, count, numberOf, percent } from '../view/format.ts';
import { intervalName, standardInterval } from '../view/intervals.ts';
import type { Store } from '../view/stores.tsx';
import type { View } from '../view/view.ts';
import { counted } from '../words.ts';
import { type ProductRow, shareOf } from './figures.ts';
import { askProducts, type Products, useProducts } from './questions.ts';

const rowsOnPage = 50;
const standard = 'profit';

/** Which products are shown. */
const parts = {
  all: () => true,
  loss: (row: ProductRow) => row.totalProfit < 0,
  uncosted: (row: ProductRow) => row.sales !== 0 && row.cogs === 0,
} satisfies Record<string, (row: ProductRow) => boolean>;
type Part = keyof typeof parts;

const partNames = { all: 'All', loss: 'At a loss', uncosted: 'No unit cost' } as const;
/** Losses first, if there are any. */
const standardPart = (rows: readonly ProductRow[] | undefined): Part =>
  rows === undefined || rows.some(parts.loss) ? 'loss' : 'all';

/** A figure of a product, by which it can be sorted. */
type Figure = {
  readonly id: string;
  readonly name: string;
  readonly unit: 'amount' | 'percent';
  readonly isShown?: boolean;
  readonly of: (row: ProductRow) => number | undefined;
};

const figures: readonly Figure[] = [
  { id: 'profit', name: 'Net profit', unit: 'amount', of: ({ totalProfit }) => totalProfit },
  {
    id: 'margin',
    name: 'Margin',
    unit: 'percent',
    of: ({ totalProfit, totalRevenue }) => shareOf(totalProfit, totalRevenue),
  },
  { id: 'sales', name: 'Sales', unit: 'amount', of: ({ sales }) => sales },
  { id: 'refunds', name: 'Refunds', unit: 'amount', of: ({ refunds }) => refunds },
  {
    id: 'promotions',
    name: 'Promotions',
    unit: 'amount',
    isShown: false,
    of: ({ promotions }) => promotions,
  },
  {
    id: 'income',
    name: 'Other income',
    unit: 'amount',
    isShown: false,
    of: ({ reimbursements, otherIncome }) => reimbursements + otherIncome,
  },
  {
    id: 'fees',
    name: 'Fees',
    unit: 'amount',
    of: ({ sellingFees, shippingFees }) => 0 - sellingFees - shippingFees,
  },
  {
    id: 'advertising',
    name: 'Advertising',
    unit: 'amount',
    of: ({ advertisingSpend }) => 0 - advertisingSpend,
  },
  { id: 'costs', name: 'Cost of goods', unit: 'amount', of: ({ cogs }) => 0 - cogs },
  {
    id: 'other',
    name: 'Other expenses',
    unit: 'amount',
    isShown: false,
    of: ({ refundsAndReturnsOverheads, otherExpenses }) =>
      0 - refundsAndReturnsOverheads - otherExpenses,
  },
];
const sortIds = ['product', ...figures.map(({ id }) => id)];

type ProductsProps = {
  readonly view: View;
  readonly stores: readonly Store[];
  /** The store whose products are shown; undefined while it is not known. */
  readonly store: Store | undefined;
};

/** The panel. */
export function ProductsPanel({ view, stores, store }: ProductsProps) {
  const { params } = useAddress();
  const query = useProducts(view, store);
  const currency = store?.currency ?? view.currency;
  const columns = columnsOf(view, store, currency);
  const { shown, menu } = useColumns(columns);
  const named = params.get('part') ?? '';
  const part = named in parts ? (named as Part) : standardPart(query.value?.rows);
  const found = foundIn(query.value?.rows ?? [], part, params);
  const isPart = query.value !== undefined && query.value.count > query.value.rows.length;
  const all = async () =>
    isPart && store ? foundIn((await askProducts(ask, view, store)).rows, part, params) : found;
  return (
    <Panel
      title="Products"
      isLoading={query.isLoading}
      choices={
        <>
          <PartChoice rows={query.value?.rows} part={part} />
          {stores.length > 1 && store && <StoreChoice stores={stores} store={store} />}
        </>
      }
      tools={
        <>
          <TableSearch name="Title or SKU" />
          {menu}
          <Toolbar
            name={`Products of ${store?.displayName ?? ''}`}
            request={query.request}
            rows={async () => sheetOf(await all(), currency)}
          />
        </>
      }
    >
      <Body query={query} name="the products" lines={8} height={320}>
        {(products) => (
          <Found
            products={products}
            found={found}
            part={part}
            columns={columns}
            shown={shown}
            currency={currency}
          />
        )}
      </Body>
    </Panel>
  );
}

/** The products that are shown, in the order of the address. */
function foundIn(
  rows: readonly ProductRow[],
  part: Part,
  params: URLSearchParams,
): readonly ProductRow[] {
  const text = (params.get('q') ?? '').toLowerCase();
  const sort = sortOf(params, standard, sortIds);
  const figure = figures.find(({ id }) => id === sort.by);
  const sign = sort.isDescending ? -1 : 1;
  const order = (one: ProductRow, other: ProductRow) => {
    if (figure === undefined) return sign * nameOf(one).localeCompare(nameOf(other));
    const [first, second] = [figure.of(one), figure.of(other)];
    if (first === undefined || second === undefined)
      return Number(first === undefined) - Number(second === undefined);
    return sign * (first - second);
  };
  return rows
    .filter(parts[part])
    .filter((row) => `${row.title} ${row.sellerSku}`.toLowerCase().includes(text))
    .sort(order);
}

const nameOf = ({ title, sellerSku }: ProductRow) => title || sellerSku;

function columnsOf(view: View, store: Store | undefined, currency: string): Column<ProductRow>[] {
  const written = ({ id, unit, of }: Figure, row: ProductRow) => {
    const value = of(row);
    if (id === 'costs' && parts.uncosted(row)) return <NoCost />;
    const text = unit === 'percent' ? percent(value) : amount(value, currency);
    const isLow = (id === 'profit' || id === 'margin') && value !== undefined && value < 0;
    return isLow ? <span class="low">{text}</span> : text;
  };
  return [
    {
      id: 'product',
      name: 'Product',
      cell: (row) => (
        <span class="two">
          {nameOf(row)}
          <small>
            <code>{row.sellerSku}</code>
          </small>
        </span>
      ),
    },
    ...figures.flatMap((figure) => [
      {
        id: figure.id,
        name: figure.name,
        isNumber: true,
        isShown: figure.isShown ?? true,
        cell: (row: ProductRow) => written(figure, row),
      },
      ...(figure.id === 'margin' && store ? [trendColumn(view, store)] : []),
    ]),
  ];
}

/** The sales of each product over time, as they were ordered. */
const trendColumn = (view: View, store: Store): Column<ProductRow> => ({
  id: 'trend',
  name: `Ordered by ${intervalName(standardInterval(view.range)).toLowerCase()}`,
  isNumber: true,
  isSortable: false,
  cell: ({ sellerSku, productSku }) => (
    <SalesTrend view={view} store={store} product={{ sku: sellerSku, productSku }} />
  ),
});

const NoCost = () => (
  <span class="badge warn">
    <Icon name="warning" />
    No unit cost
  </span>
);

const sheetOf = (rows: readonly ProductRow[], currency: string) => [
  ['Title', 'SKU', ...figures.map(({ name, unit }) => headOf(name, unit, currency))],
  ...rows.map((row) => [
    row.title,
    row.sellerSku,
    ...figures.map(({ of }) => {
      const value = of(row);
      return value === undefined ? undefined : Math.round(value * 100) / 100;
    }),
  ]),
];

const headOf = (name: string, unit: Figure['unit'], currency: string) =>
  `${name} in ${unit === 'percent' ? 'percent' : currency}`;

type PartChoiceProps = { readonly rows: readonly ProductRow[] | undefined; readonly part: Part };

function PartChoice({ rows, part }: PartChoiceProps) {
  const { hrefOf } = useAddress();
  return (
    <Segments
      name="Products"
      options={(Object.keys(parts) as Part[]).map((id) => ({
        id,
        name: partNames[id],
        ...(rows && { count: rows.filter(parts[id]).length }),
      }))}
      chosen={part}
      hrefOf={(id) => hrefOf({ part: id === standardPart(rows) ? undefined : id, page: undefined })}
    />
  );
}

type StoreChoiceProps = { readonly stores: readonly Store[]; readonly store: Store };

/** Chooses the store whose products are shown: each has amounts in its own currency. */
function StoreChoice({ stores, store }: StoreChoiceProps) {
  const { hrefOf } = useAddress();
  return (
    <Popover
      title="Store of the products"
      label={
        <>
          <Icon name="store" />
          {store.shortName}
          <Icon name="down" />
        </>
      }
    >
      {(close) => (
        <ul class="menu">
          {stores.map(({ channelId, shortName, currency }) => (
            <li key={channelId}>
              <a
                href={hrefOf({ of: channelId, page: undefined })}
                aria-current={channelId === store.channelId ? 'true' : undefined}
                onClick={close}
              >
                {shortName} <span class="muted">{currency}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Popover>
  );
}

type FoundProps = {
  readonly products: Products;
  readonly found: readonly ProductRow[];
  readonly part: Part;
  readonly columns: readonly Column<ProductRow>[];
  readonly shown: (column: Column<ProductRow>) => boolean;
  readonly currency: string;
};

function Found({ products, found, part, columns, shown, currency }: FoundProps) {
  const { params } = useAddress();
  if (found.length === 0) return <NoneFound products={products} part={part} />;
  const last = Math.ceil(found.length / rowsOnPage);
  const page = Math.min(pageOf(params), last);
  const net = found.reduce((total, { totalProfit }) => total + totalProfit, 0);
  return (
    <>
      <DataTable
        name="Products"
        columns={columns}
        rows={found.slice((page - 1) * rowsOnPage, page * rowsOnPage)}
        keyOf={({ sellerSku }) => sellerSku}
        sort={sortOf(params, standard, sortIds)}
        standard={standard}
        shown={shown}
      />
      <footer>
        <span>
          {counted(found.length, 'product')}, {amount(numberOf(net.toFixed(2)), currency)} net.
          {products.count > products.rows.length &&
            ` Of ${count(products.count)} products, the ${count(products.rows.length)} with the largest sales are read.`}
        </span>
        <Pages page={page} size={rowsOnPage} total={found.length} />
      </footer>
    </>
  );
}

function NoneFound({ products, part }: Pick<FoundProps, 'products' | 'part'>) {
  const { params, hrefOf } = useAddress();
  if (products.count === 0)
    return (
      <Empty title="No product has a financial event in this period">
        <p>
          Settlements and financial events bring them. The guide on{' '}
          <a href="/guides/importing">importing</a> shows how.
        </p>
      </Empty>
    );
  if (params.has('q'))
    return (
      <Empty icon="search" title="No product matches">
        <p>
          <a href={hrefOf({ q: undefined })}>Show all</a>
        </p>
      </Empty>
    );
  return (
    <Empty
      icon="check"
      title={part === 'loss' ? 'No product made a loss' : 'Every product has a cost of goods'}
    >
      {part === 'uncosted' && (
        <p>Sales before the first unit cost of a product have none, but no call names them.</p>
      )}
      <p>
        <a href={hrefOf({ part: 'all' })}>Show all products</a>
      </p>
    </Empty>
  );
}
