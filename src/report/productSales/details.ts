/** The details of products: their texts, their last sales and their stock. */

import { startOfDay } from '../../calendar/period.ts';
import type { Ask } from '../../engine/warehouse.ts';
import type { Sum } from '../../figures/money.ts';
import { webAddress } from '../webAddress.ts';
import type { ComparedProduct } from './pages.ts';
import {
  type ProductParameters,
  type ProductScope,
  type ProductWindow,
  windowsOf,
} from './parameters.ts';
import {
  type CatalogueEntry,
  lastSales,
  type ProductFigures,
  type ProductRow,
  readCatalogue,
} from './questions.ts';
import { readStock } from './stock.ts';

/** An instant in epoch seconds as of the end of each window; null if there is none. */
type Instants = { readonly current: number | null; readonly prior: number | null };

/** A product's row with its details. */
export type ProductDetails = {
  readonly row: ComparedProduct;
  /** Its entry in the catalogue. */
  readonly entry: CatalogueEntry | undefined;
  readonly productId: string;
  readonly title: string;
  readonly sku: string;
  readonly productSku: string;
  readonly linkUrl: string;
  readonly imageUrl: string;
  /** Null if it is unknown. */
  readonly price: Sum | null;
  readonly lastSold: Instants;
  readonly outOfStockSince: Instants;
};

const secondsPerDay = 86_400;

/** Reads the details of a page's rows. */
export async function readDetails(
  ask: Ask,
  scope: ProductScope,
  parameters: ProductParameters,
  rows: readonly ComparedProduct[],
): Promise<ProductDetails[]> {
  const entryOf = await readEntries(ask, parameters.channel, rows);
  const [period, comparison] = windowsOf(scope);
  const readInstants = (
    window: ProductWindow,
    figuresOf: (row: ComparedProduct) => ProductFigures,
  ) => readWindow(ask, scope, { ...parameters, ...window }, rows, entryOf, figuresOf);
  const current = await readInstants(period!, (row) => row.current);
  const prior = comparison && (await readInstants(comparison, (row) => row.prior));
  return rows.map((row) => ({
    ...textsOf(row, entryOf(row)),
    row,
    lastSold: { current: current.soldAt(row), prior: prior?.soldAt(row) ?? null },
    outOfStockSince: { current: current.outSince(row), prior: prior?.outSince(row) ?? null },
  }));
}

/** The fields of a product from the catalogue and its facts. */
function textsOf(row: ComparedProduct, entry: CatalogueEntry | undefined) {
  const { row_sku: sku, row_product, current, prior } = row;
  const price = sku === '' ? undefined : entry?.price;
  const [found] = [current.found_product, prior.found_product].sort().reverse();
  return {
    entry,
    productId: sku || row_product,
    title: entry?.title ?? '',
    sku,
    productSku: entry?.product_id || row_product || found!,
    linkUrl: webAddress(entry?.link_url ?? ''),
    imageUrl: webAddress(entry?.image_url ?? ''),
    price: price ? { exact: price, converted: 0 } : null,
  };
}

/**
 * Reads the catalogue's entries for a page; the entry of a product is that of the first of its
 * SKUs.
 */
async function readEntries(
  ask: Ask,
  channel: number,
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

/**
 * Reads when the products of a page were last sold, and since when they are out of stock, as of a
 * window's end.
 */
async function readWindow(
  ask: Ask,
  { channel: { kind }, zone }: ProductScope,
  parameters: ProductParameters,
  rows: readonly ComparedProduct[],
  entryOf: (row: ProductRow) => CatalogueEntry | undefined,
  figuresOf: (row: ComparedProduct) => ProductFigures,
) {
  const unsold = rows.filter((row) => figuresOf(row).last_sold_at === null);
  const items = unsold.flatMap((row) => [
    row.row_sku,
    row.row_product,
    entryOf(row)?.product_id ?? '',
  ]);
  const found =
    unsold.length === 0
      ? []
      : await ask(lastSales[kind], { ...parameters, soldSince: 0, items: [...new Set(items)] });
  const before = new Map(found.map((one) => [one.row_key, one.last_sold_at]));
  const skus = rows.map((row) => row.row_sku).filter((sku) => sku !== '');
  const stock = await readStock(ask, parameters.channel, skus, parameters.last);
  const startOf = (day: number): number => startOfDay(zone, day) ?? startOf(day + 1);
  return {
    /** The instant of an order line, or the start of the date of a reported sale. */
    soldAt: (row: ComparedProduct) => {
      const instant = figuresOf(row).last_sold_at ?? before.get(row.row_key) ?? null;
      return instant !== null && instant <= (parameters.ordersFrom - 1) * secondsPerDay
        ? startOf(instant / secondsPerDay)
        : instant;
    },
    outSince: (row: ComparedProduct) => {
      const day = stock.get(row.row_sku) ?? null;
      return day === null ? null : startOf(day);
    },
  };
}
