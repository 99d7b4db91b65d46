/** Pages of the products of a channel, with their figures in both windows. */

import { never } from '../../calendar/period.ts';
import type { SoldProductColumn } from '../../contract/soldProducts.ts';
import type { Ask } from '../../engine/warehouse.ts';
import type { SortOrder } from '../page.ts';
import { type Compared, withComparison } from '../withComparison.ts';
import type { Kind } from './facts.ts';
import { type ProductParameters, type ProductScope, windowsOf } from './parameters.ts';
import {
  isFigure,
  knownProducts,
  type ProductFigures,
  type ProductRow,
  productFigures,
  soldProducts,
} from './questions.ts';

/** The products of a list, and their order. */
export type ProductList = {
  /** Whether the list includes products that were not sold. */
  readonly includeNoSales: boolean;
  /** Whether the list includes products that are out of stock. */
  readonly includeNoInventory: boolean;
  readonly searchText: string;
  readonly sortKey: SoldProductColumn;
  readonly sortOrder: SortOrder;
};

const ofCatalogue: ReadonlySet<SoldProductColumn> = new Set([
  'title',
  'productSku',
  'linkUrl',
  'imageUrl',
  'price',
]);

/** The question for a page of a list, and its parameters apart from the windows. */
export function productPage(
  kind: Kind,
  { includeNoSales, includeNoInventory, searchText, sortKey, sortOrder }: ProductList,
  { channel, last }: ProductParameters,
) {
  const { byFigures, described } = (includeNoSales ? knownProducts : soldProducts)[kind];
  const listed = { includeUnsold: Number(includeNoSales), keys: [] };
  if (isFigure(sortKey) && searchText === '' && includeNoInventory)
    return { question: byFigures(sortKey, sortOrder), parameters: listed };
  const needsEntries = searchText !== '' || ofCatalogue.has(sortKey);
  const needsStock = !includeNoInventory || sortKey === 'noQuantitySinceTime';
  return {
    question: described(sortKey, sortOrder),
    parameters: {
      ...listed,
      items: [],
      searchText,
      includeOutOfStock: Number(includeNoInventory),
      entriesOf: needsEntries ? channel : 0,
      stockUntil: needsStock ? last : 0,
      soldSince: sortKey === 'lastSold' ? 0 : never,
    },
  };
}

/** A row with the figures of both windows. */
export type ComparedProduct = Compared<ProductRow, ProductFigures>;

const noFigures: ProductFigures = {
  total_sales: 0n,
  total_sales_converted: 0,
  units_sold: 0,
  ad_spend: 0n,
  ad_spend_converted: 0,
  ad_sales: 0n,
  ad_sales_converted: 0,
  last_sold_at: null,
  found_product: '',
};

/**
 * The pages of a list of up to this many products share the comparison period's figures in memory.
 */
const shortListMax = 2_000;

/** Adds the figures of the comparison period, if there is one, to a page's rows. */
export async function compareProducts(
  ask: Ask,
  scope: ProductScope,
  parameters: ProductParameters,
  rows: readonly ProductRow[],
): Promise<ComparedProduct[]> {
  const [first] = rows;
  if (first === undefined) return [];
  const figures = productFigures[scope.channel.kind];
  const portions = withComparison(rows, windowsOf(scope), {
    keyOf: ({ row_key }) => row_key,
    own: (row) => row,
    read: (all, window) => {
      const keys = first.listed_products <= shortListMax ? [] : all;
      return ask(figures, { ...parameters, ...window, keys });
    },
    none: noFigures,
  });
  const compared: ComparedProduct[] = [];
  for await (const portion of portions) compared.push(...portion);
  return compared;
}
