/** The questions about the sales of products. */

import type { SoldProductColumn } from '../../contract/soldProducts.ts';
import { byDay, type Question, questionFile } from '../../engine/question.ts';
import type { Ask } from '../../engine/warehouse.ts';
import { amountColumn, countColumn, type ValuesOf } from '../../figures/columns.ts';
import {
  amount,
  type ColumnOf,
  columnsOf,
  count,
  type Metrics,
  percent,
  unitPrice,
} from '../../figures/metrics.ts';
import { metricSorts, summedAndConverted, summedColumns } from '../../figures/sql.ts';
import type { Dated } from '../conversion.ts';
import {
  type Matching,
  type SortColumn,
  type SortedQuestion,
  sortedQuestionFile,
} from '../page.ts';
import { productOwners } from '../productOwners.ts';
import { webAddressSql } from '../webAddress.ts';
import { factPlaces, type Kind, parts, united, windowFacts } from './facts.ts';
import { stockPlaces } from './stock.ts';

/** Decimal places of percents. */
const places = 2;

const totalSales = amountColumn('total_sales');
const unitsSold = countColumn('units_sold');
const adSpend = amountColumn('ad_spend');

/** The metrics of a product. */
export const productMetrics = {
  totalSales: amount(totalSales),
  unitsSold: count(unitsSold),
  avPrice: unitPrice(totalSales, unitsSold),
  acos: percent(adSpend, amountColumn('ad_sales'), places),
  tacos: percent(adSpend, totalSales, places),
} satisfies Metrics;

const columns = columnsOf(productMetrics);
const sumNames = summedColumns(columns);

type Sums = Readonly<ValuesOf<ColumnOf<typeof productMetrics>>> &
  Readonly<Record<'total_sales_converted' | 'ad_spend_converted' | 'ad_sales_converted', number>>;
type PriorSums = { readonly [Name in keyof Sums as `prior_${Name}`]: Sums[Name] };

/** A row with the sums of both windows, by its SKU or by its product id. */
export type ProductRow = Sums &
  PriorSums & {
    readonly row_sku: string;
    /** Of a row without a SKU. */
    readonly row_product: string;
    /** The product id that the facts name, if the list asked for it. */
    readonly found_product: string;
    readonly last_sold_at: number | null;
    readonly prior_last_sold_at: number | null;
  };

/** A SKU of the catalogue. */
export type CatalogueEntry = {
  readonly sku: string;
  readonly product_id: string;
  readonly title: string;
  readonly image_url: string;
  readonly link_url: string;
  readonly price: bigint;
  readonly brand: string;
  /** 1 if the marketplace fulfils it, 0 if the seller does, -1 if unknown. */
  readonly fulfilled_by_marketplace: number;
};

const catalogueEntries = questionFile<CatalogueEntry>(import.meta.url, 'entries.sql', {
  listed: '(one_of(sku, {skus:Array(String)}) OR one_of(product_id, {products:Array(String)}))',
});
const wholeCatalogue = questionFile<CatalogueEntry>(import.meta.url, 'entries.sql', {
  listed: 'TRUE',
});
const catalogueSize = questionFile<{ skus: number }>(import.meta.url, 'catalogueSize.sql');
/** Catalogues of so many SKUs are kept in memory as a whole. */
const keptSkusMax = 2_000;

/** Reads the whole catalogue, in the order of its SKUs; undefined if it is too large to keep. */
export async function readWholeCatalogue(
  ask: Ask,
  channel: number,
): Promise<CatalogueEntry[] | undefined> {
  const [size] = ask.keepsDays ? await ask(catalogueSize, { channel }) : [];
  return size !== undefined && size.skus <= keptSkusMax
    ? await ask(wholeCatalogue, { channel })
    : undefined;
}

/**
 * Reads entries of the catalogue, in the order of their SKUs: at least those of the SKUs and of the
 * product ids.
 */
export async function readCatalogue(
  ask: Ask,
  channel: number,
  named: { readonly skus: readonly string[]; readonly products: readonly string[] },
): Promise<CatalogueEntry[]> {
  const whole = await readWholeCatalogue(ask, channel);
  return whole ?? (await ask(catalogueEntries, { channel, ...named }));
}

const rowId = "CASE WHEN row_sku <> '' THEN row_sku ELSE row_product END";
const ofEntry = (column: string) => `coalesce(entry.${column}, '')`;
const productSku = "coalesce(nullif(entry.product_id, ''), nullif(row_product, ''), found_product)";

const text = (sql: string): SortColumn => ({ kind: 'text', sql });
const optional = (sql: string): SortColumn => ({ kind: 'optional', sql });
const sorts: Readonly<Record<SoldProductColumn, SortColumn>> = {
  productId: text(rowId),
  title: text(ofEntry('title')),
  sku: text('row_sku'),
  productSku: text(productSku),
  linkUrl: text(webAddressSql(ofEntry('link_url'))),
  imageUrl: text(webAddressSql(ofEntry('image_url'))),
  price: optional("CASE WHEN row_sku <> '' AND entry.price > amount(0) THEN entry.price END"),
  lastSold: optional('last_sold_at'),
  noQuantitySinceTime: optional('stock.out_since'),
  ...metricSorts(productMetrics),
};
const ofCatalogue: ReadonlySet<string> = new Set([
  'title',
  'productSku',
  'linkUrl',
  'imageUrl',
  'price',
]);

const wasSold = ['total_sales', 'prior_total_sales']
  .map((sales) => `${sales} <> amount(0) OR ${sales}_converted <> 0`)
  .concat('units_sold <> 0', 'prior_units_sold <> 0')
  .join(' OR ');
const isFound = [ofEntry('title'), 'row_sku', productSku]
  .map((field) => `contains(lower(${field}), lower({searchText:String}))`)
  .join(' OR ');

/** Whether the rows of a list need more than the facts of its windows. */
type Needs = {
  readonly kind: Kind;
  /** Dates before the first order line. */
  readonly beforeOrders: boolean;
  /** Products that were not sold. */
  readonly noSales: boolean;
  readonly search: boolean;
  /** Only products that are not out of stock. */
  readonly inStock: boolean;
};

const lists = new Map<string, SortedQuestion<ProductRow & Matching>>();

/** The question for a page of products. */
export function productPage(
  needs: Needs,
  sortKey: SoldProductColumn,
  sortOrder: 'asc' | 'desc',
): Question<ProductRow & Matching> {
  const { kind, beforeOrders, noSales, search, inStock } = needs;
  const isBySale = sortKey === 'lastSold';
  const hasEntry = search || ofCatalogue.has(sortKey);
  const hasFound = search || sortKey === 'productSku';
  const hasStock = inStock || sortKey === 'noQuantitySinceTime';
  const name = JSON.stringify([needs, isBySale, hasEntry, hasFound, hasStock]);
  const known = lists.get(name);
  if (known !== undefined) return known(sortKey, sortOrder);
  const list = listOf({
    kind,
    facts: [
      ...windowFacts(kind, beforeOrders),
      ...(noSales ? [parts.known] : []),
      ...(isBySale ? [parts[kind].earlier] : []),
    ],
    ofItems: 'TRUE',
    ...{ hasEntry, hasFound, hasStock },
    conditions: [
      noSales ? 'lists_row = 1' : wasSold,
      ...(search ? [isFound] : []),
      ...(inStock ? ['stock.out_since IS NULL'] : []),
    ],
  });
  lists.set(name, list);
  return list(sortKey, sortOrder);
}

type ListParts = {
  readonly kind: Kind;
  readonly facts: readonly string[];
  /** The condition on the items of earlier facts. */
  readonly ofItems: string;
  readonly hasEntry: boolean;
  /** Whether the conditions or the order need the product ids that the facts name. */
  readonly hasFound: boolean;
  readonly hasStock: boolean;
  readonly conditions: readonly string[];
};

function listOf(list: ListParts) {
  const { kind, facts, ofItems, hasEntry, hasFound, hasStock, conditions } = list;
  return sortedQuestionFile<ProductRow & Matching>(
    import.meta.url,
    'salesByProduct.sql',
    sorts,
    [rowId, 'row_product'],
    {
      ...factPlaces[kind],
      ...stockPlaces,
      ...productOwners,
      facts: united(facts),
      ofItems,
      found: hasFound ? 'max(found_product)' : "''",
      sums: summedAndConverted(columns),
      columns: sumNames,
      windows: [
        ...sumNames.map((name) => `${sumIn(1, name)} AS ${name}`),
        ...sumNames.map((name) => `${sumIn(0, name)} AS prior_${name}`),
      ],
      shown: [...sumNames, ...sumNames.map((name) => `prior_${name}`)],
      entry: hasEntry
        ? `LEFT JOIN (SELECT * FROM product WHERE channel = {channel:Int32}) AS entry
          ON entry.sku = entry_sku`
        : '',
      stock: hasStock ? `LEFT JOIN (${parts.stock}) AS stock ON stock.sku = row_sku` : '',
      filter: conditions.map((condition) => `(${condition})`).join(' AND ') || 'TRUE',
    },
  );
}

/** The SQL that sums a column in one of the windows. */
function sumIn(isCurrent: 0 | 1, name: string): string {
  const column = columns.find((one) => one.name === name);
  const zero = column?.type === 'amount' ? 'amount(0)' : '0';
  const sum = `sum(CASE WHEN is_current = ${isCurrent} THEN ${name} ELSE ${zero} END)`;
  if (column?.type === 'amount') return sum;
  return `CAST(${sum} AS ${column === undefined ? 'DOUBLE' : 'BIGINT'})`;
}

const itemOf: Readonly<Record<Kind, string>> = {
  seller: "CASE WHEN sku = '' THEN product_id ELSE sku END",
  vendor: 'asin',
};
const lastSalesOf = (kind: Kind) =>
  listOf({
    kind,
    facts: [parts[kind].earlier],
    ofItems: `in_list(${itemOf[kind]}, {items:Array(String)})`,
    ...{ hasEntry: false, hasFound: false, hasStock: false },
    conditions: [],
  })('productId', 'asc');

/** When items, SKUs or products without one, were last sold before the windows. */
export const lastSales: Readonly<Record<Kind, Question<ProductRow & Matching>>> = {
  seller: lastSalesOf('seller'),
  vendor: lastSalesOf('vendor'),
};

type FoundProduct = { readonly sku: string; readonly found_product: string };
const foundProductsOf = (kind: Kind) =>
  questionFile<FoundProduct>(import.meta.url, 'foundProducts.sql', {
    ...factPlaces[kind],
    facts: united(windowFacts(kind)),
  });

/** The product ids that the facts of the windows name of SKUs. */
export const foundProducts: Readonly<Record<Kind, Question<FoundProduct>>> = {
  seller: foundProductsOf('seller'),
  vendor: foundProductsOf('vendor'),
};

const foreignDaysIn = (rollup: string) =>
  byDay(questionFile<{ readonly day: number }>(import.meta.url, 'foreignDays.sql', { rollup }));

/** The dates with facts in other currencies. */
export const foreignDays: Readonly<Record<Kind, Question<{ readonly day: number }>>> = {
  seller: foreignDaysIn('store_day'),
  vendor: foreignDaysIn('vendor_day'),
};

const currenciesOf = (kind: Kind) =>
  questionFile<Dated>(import.meta.url, 'currencies.sql', {
    ...factPlaces[kind],
    facts: united(windowFacts(kind)),
  });

/** The other currencies in which products have amounts. */
export const foreignCurrencies: Readonly<Record<Kind, Question<Dated>>> = {
  seller: currenciesOf('seller'),
  vendor: currenciesOf('vendor'),
};

/** Sales of a date that belong to no product. */
export type UnlistedDay = {
  readonly day: number;
  readonly currency: string;
  readonly total_sales: bigint;
  readonly units_sold: number;
};

/** The sales of the store beyond those of its products. */
export const unlistedDays: Readonly<Record<Kind, Question<UnlistedDay>>> = {
  seller: questionFile(import.meta.url, 'unlisted.sql', {
    ...{ rollup: 'store_day', storeSales: 'traffic_revenue', storeUnits: 'traffic_units' },
    ...{ figures: 'traffic', sales: 'revenue', units: 'units', counts: 'TRUE' },
  }),
  vendor: questionFile(import.meta.url, 'unlisted.sql', {
    ...{ rollup: 'vendor_day', storeSales: 'ordered_revenue', storeUnits: 'ordered_units' },
    ...{ figures: 'vendor_sale', sales: 'ordered_revenue', units: 'ordered_units' },
    counts: "view = 'MANUFACTURING'",
  }),
};
