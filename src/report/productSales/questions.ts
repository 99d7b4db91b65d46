/** The questions about the sales of products. */

import type { SoldProductColumn } from '../../contract/soldProducts.ts';
import { type Places, partFile, questionFile } from '../../engine/question.ts';
import type { Ask } from '../../engine/warehouse.ts';
import { amountColumn, countColumn, type ValuesOf } from '../../figures/columns.ts';
import {
  amount,
  type ColumnOf,
  count,
  type Metrics,
  percent,
  unitPrice,
} from '../../figures/metrics.ts';
import { metricSorts } from '../../figures/sql.ts';
import type { Dated } from '../conversion.ts';
import {
  type Matching,
  type SortColumn,
  type SortedQuestion,
  sortedQuestionFile,
} from '../page.ts';
import { webAddressSql } from '../webAddress.ts';
import type { Keyed } from '../withComparison.ts';
import { comparisonPlaces, factPlaces, type Kind } from './facts.ts';

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

/** The figures of a product in one window. */
export type ProductFigures = Readonly<ValuesOf<ColumnOf<typeof productMetrics>>> &
  Readonly<
    Record<'total_sales_converted' | 'ad_spend_converted' | 'ad_sales_converted', number>
  > & {
    readonly last_sold_at: number | null;
    /** The product id that the facts name; "" if they name none. */
    readonly found_product: string;
  };

/** A row with the figures of the period, identified by its SKU or by its product id. */
export type ProductRow = Keyed<ProductFigures> & {
  readonly row_sku: string;
  /** The product id of a row without a SKU. */
  readonly row_product: string;
  /** The number of products in the list, before a search. */
  readonly listed_products: number;
};

/** The prefix of the product id in the key of a row without a SKU; no SKU begins with it. */
export const ofProduct = '\t';

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

const catalogueEntries = questionFile<CatalogueEntry>(import.meta.url, 'entries.sql');
const wholeCatalogue = questionFile<CatalogueEntry>(import.meta.url, 'wholeCatalogue.sql');
const catalogueSize = questionFile<{ skus: number }>(import.meta.url, 'catalogueSize.sql');
/** Catalogues of up to this many SKUs are cached as a whole. */
const cachedSkusMax = 2_000;

/** Reads the whole catalogue, in the order of its SKUs; undefined if it is too large to cache. */
export async function readWholeCatalogue(
  ask: Ask,
  channel: number,
): Promise<CatalogueEntry[] | undefined> {
  const [size] = ask.isCached ? await ask(catalogueSize, { channel }) : [];
  return size !== undefined && size.skus <= cachedSkusMax
    ? await ask(wholeCatalogue, { channel })
    : undefined;
}

/**
 * Reads entries of the catalogue, in the order of their SKUs: at least the entries of these SKUs
 * and product ids.
 */
export async function readCatalogue(
  ask: Ask,
  channel: number,
  named: { readonly skus: readonly string[]; readonly products: readonly string[] },
): Promise<CatalogueEntry[]> {
  const whole = await readWholeCatalogue(ask, channel);
  return whole ?? (await ask(catalogueEntries, { channel, ...named }));
}

const text = (sql: string): SortColumn => ({ kind: 'text', sql });
const optional = (sql: string): SortColumn => ({ kind: 'optional', sql });
const figureSorts = {
  productId: text('row_id'),
  sku: text('row_sku'),
  ...metricSorts(productMetrics),
} satisfies Partial<Record<SoldProductColumn, SortColumn>>;
const sorts: Readonly<Record<SoldProductColumn, SortColumn>> = {
  ...figureSorts,
  title: text('title'),
  productSku: text('product_sku'),
  linkUrl: text(webAddressSql('link_url')),
  imageUrl: text(webAddressSql('image_url')),
  price: optional('price'),
  lastSold: optional('last_sold_at'),
  noQuantitySinceTime: optional('out_since'),
};

/** Whether a column is one of the figures, so that a page sorted by it needs nothing else. */
export function isFigure(column: SoldProductColumn): boolean {
  return Object.hasOwn(figureSorts, column);
}

const part = (name: string, places?: Places) => partFile(import.meta.url, name, places);
const ofKinds = <T>(of: (kind: Kind) => T): Readonly<Record<Kind, T>> => ({
  seller: of('seller'),
  vendor: of('vendor'),
});

/** The figures of products in a window. */
export const productFigures = ofKinds((kind) =>
  questionFile<Keyed<ProductFigures>>(import.meta.url, 'figures.sql', {
    ...factPlaces[kind],
    items: part('figureItems.sql'),
  }),
);

type LastSale = { readonly row_key: string; readonly last_sold_at: number };

/** The last sales of products before a window. */
export const lastSales = ofKinds((kind) =>
  questionFile<LastSale>(import.meta.url, 'lastSales.sql', {
    items: part(`${kind}Earlier.sql`),
  }),
);

/** A page of products sorted by figures alone, and one that needs their descriptions. */
type Pages = Readonly<Record<'byFigures' | 'described', SortedQuestion<ProductRow & Matching>>>;

function pagesOf(kind: Kind, listedItems: string): Pages {
  const places = {
    ...factPlaces[kind],
    items: part('pageItems.sql'),
    listed: part(listedItems, comparisonPlaces(kind)),
    lastSales: part('lastSales.sql', { items: part(`${kind}Earlier.sql`) }),
  };
  const ties = ['row_id', 'row_product'];
  return {
    byFigures: sortedQuestionFile(import.meta.url, 'products.sql', figureSorts, ties, places),
    described: sortedQuestionFile(import.meta.url, 'describedProducts.sql', sorts, ties, places),
  };
}

/** Pages of products that were sold in either window. */
export const soldProducts = ofKinds((kind) => pagesOf(kind, 'soldItems.sql'));

/** Pages of all known products. */
export const knownProducts = ofKinds((kind) => pagesOf(kind, 'knownItems.sql'));

/** The currencies, other than the channel's, in which products have amounts. */
export const foreignCurrencies = ofKinds((kind) =>
  questionFile<Dated>(import.meta.url, 'currencies.sql', factPlaces[kind]),
);

/** The dates with facts in other currencies. */
export const foreignDays = ofKinds((kind) =>
  questionFile<{ readonly day: number }>(import.meta.url, `${kind}ForeignDays.sql`),
);

/** Sales on a date that belong to no product. */
export type UnlistedDay = {
  readonly day: number;
  readonly currency: string;
  readonly total_sales: bigint;
  readonly units_sold: number;
};

/** The sales of the store beyond those of its products. */
export const unlistedDays = ofKinds((kind) =>
  questionFile<UnlistedDay>(import.meta.url, `${kind}Unlisted.sql`),
);
