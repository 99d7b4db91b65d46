/** The details of products: their texts, when they were last sold, and their stock. */

import type { Channel } from '../../access/channels.ts';
import { startOfDay } from '../../calendar/period.ts';
import type { Ask } from '../../engine/warehouse.ts';
import type { Sum } from '../../figures/money.ts';
import { webAddress } from '../webAddress.ts';
import type { ProductParameters, ProductScope } from './parameters.ts';
import {
  type CatalogueEntry,
  foundProducts,
  lastSales,
  type ProductRow,
  readCatalogue,
} from './questions.ts';
import { readStock } from './stock.ts';

/** An instant in epoch seconds as of the end of each window, null where there is none. */
type Instants = { readonly current: number | null; readonly prior: number | null };

/** A row of products with its details. */
export type ProductDetails = {
  readonly row: ProductRow;
  /** Its entry in the catalogue. */
  readonly entry: CatalogueEntry | undefined;
  readonly productId: string;
  readonly title: string;
  readonly sku: string;
  readonly productSku: string;
  readonly linkUrl: string;
  readonly imageUrl: string;
  /** Null where it is unknown. */
  readonly price: Sum | null;
  readonly lastSold: Instants;
  readonly outOfStockSince: Instants;
};

const secondsPerDay = 86_400;

/** Reads the details of the rows of a page. */
export async function readDetails(
  ask: Ask,
  scope: ProductScope,
  parameters: ProductParameters,
  rows: readonly ProductRow[],
): Promise<ProductDetails[]> {
  const entryOf = await readEntries(ask, scope.channel, rows);
  const soldBefore = await readLastSales(ask, scope, parameters, rows, entryOf);
  const skus = rows.map((row) => row.row_sku).filter((sku) => sku !== '');
  const stock = await readStock(ask, parameters, skus);
  const productOf = await readProducts(ask, scope, parameters, rows, entryOf);
  const startOf = (day: number): number => startOfDay(scope.zone, day) ?? startOf(day + 1);
  /** An instant of an order line, or the start of the date of a reported sale. */
  const soldAt = (instant: number | null | undefined) =>
    typeof instant === 'number' && instant <= (parameters.ordersFrom - 1) * secondsPerDay
      ? startOf(instant / secondsPerDay)
      : (instant ?? null);
  const sinceOf = (day: number | null | undefined) =>
    typeof day === 'number' ? startOf(day) : null;
  return rows.map((row) => {
    const before = soldBefore.get(keyOf(row));
    const inventory = row.row_sku === '' ? undefined : stock.get(row.row_sku);
    return {
      ...textsOf(row, entryOf(row), productOf(row)),
      row,
      lastSold: {
        current: soldAt(row.last_sold_at ?? before?.last_sold_at),
        prior: soldAt(row.prior_last_sold_at ?? before?.prior_last_sold_at),
      },
      outOfStockSince: {
        current: sinceOf(inventory?.out_since),
        prior: sinceOf(inventory?.prior_out_since),
      },
    };
  });
}

/** The fields of a product from the catalogue and from its facts. */
function textsOf(row: ProductRow, entry: CatalogueEntry | undefined, product: string) {
  const { row_sku: sku, row_product } = row;
  const price = sku === '' ? undefined : entry?.price;
  return {
    entry,
    productId: sku || row_product,
    title: entry?.title ?? '',
    sku,
    productSku: product,
    linkUrl: webAddress(entry?.link_url ?? ''),
    imageUrl: webAddress(entry?.image_url ?? ''),
    price: price ? { exact: price, converted: 0 } : null,
  };
}

function keyOf({ row_sku, row_product }: ProductRow): string {
  return JSON.stringify([row_sku, row_product]);
}

/** Reads the catalogue's entries of a page; of several SKUs of a product the first is its entry. */
async function readEntries(
  ask: Ask,
  { channelNumber: channel }: Channel,
  rows: readonly ProductRow[],
): Promise<(row: ProductRow) => CatalogueEntry | undefined> {
  const named = (names: readonly string[]) => [...new Set(names)].filter((name) => name !== '');
  const skus = named(rows.map((row) => row.row_sku));
  const products = named(rows.map((row) => row.row_product));
  const entries = rows.length === 0 ? [] : await readCatalogue(ask, channel, { skus, products });
  const bySku = new Map(entries.map((entry) => [entry.sku, entry]));
  const byProduct = new Map([...entries].reverse().map((entry) => [entry.product_id, entry]));
  return ({ row_sku: sku, row_product: product }) => {
    if (sku !== '') return bySku.get(sku);
    return product === '' ? undefined : byProduct.get(product);
  };
}

/** Reads the product ids of a page: of a SKU that has none in the catalogue, that of its facts. */
async function readProducts(
  ask: Ask,
  { channel }: ProductScope,
  parameters: ProductParameters,
  rows: readonly ProductRow[],
  entryOf: (row: ProductRow) => CatalogueEntry | undefined,
): Promise<(row: ProductRow) => string> {
  const listed = (row: ProductRow) =>
    entryOf(row)?.product_id || row.row_product || row.found_product;
  const items = rows
    .filter((row) => row.row_sku !== '' && listed(row) === '')
    .map((row) => row.row_sku);
  const found =
    items.length === 0 ? [] : await ask(foundProducts[channel.kind], { ...parameters, items });
  const ofFacts = new Map(found.map((one) => [one.sku, one.found_product]));
  return (row) => listed(row) || (ofFacts.get(row.row_sku) ?? '');
}

/** Reads when those rows of a page that a window has no sale of were last sold before it. */
async function readLastSales(
  ask: Ask,
  { channel, spans }: ProductScope,
  parameters: ProductParameters,
  rows: readonly ProductRow[],
  entryOf: (row: ProductRow) => CatalogueEntry | undefined,
): Promise<Map<string, ProductRow>> {
  const isCompared = spans.length > 1;
  const unsold = rows.filter(
    (row) => row.last_sold_at === null || (isCompared && row.prior_last_sold_at === null),
  );
  if (unsold.length === 0) return new Map();
  const names = unsold.flatMap((row) => [
    row.row_sku,
    row.row_product,
    entryOf(row)?.product_id ?? '',
  ]);
  const items = [...new Set(names)];
  const found = await ask(lastSales[channel.kind], {
    ...parameters,
    items,
    limit: items.length,
    offset: 0,
  });
  return new Map(found.map((row) => [keyOf(row), row]));
}
