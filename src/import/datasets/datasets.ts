/**
 * The datasets that can be imported. Each declares its fields once, for checking, staging and
 * documentation. An NDJSON row is an object with exactly these names; a CSV document has them in
 * its header.
 */
import type { FlatDatasetName } from '../../contract/importable.ts';
import {
  adGroupDays,
  adGroups,
  adProductDays,
  campaignDays,
  campaigns,
  keywordDays,
  keywords,
  summedAdDays,
} from './advertising.ts';
import type { Dataset } from './dataset.ts';
import { exchangeRates, financeEvents, publishedRates, unitCosts } from './finance.ts';
import { inventory } from './inventory.ts';
import { orderLines } from './orders.ts';
import { products } from './products.ts';
import { searchQueries } from './search.ts';
import { targets } from './targets.ts';
import { traffic } from './traffic.ts';
import { vendorMargins, vendorSales } from './vendor.ts';

/** Every dataset of flat rows, by name. `orders` has nested rows and its own reader. */
export const datasets: Readonly<Record<string, Dataset>> = {
  orderLines,
  traffic,
  campaigns,
  adGroups,
  keywords,
  campaignDays,
  adGroupDays,
  keywordDays,
  adProductDays,
  vendorSales,
  vendorMargins,
  targets,
  searchQueries,
  products,
  financeEvents,
  unitCosts,
  inventory,
  exchangeRates,
} satisfies Readonly<Record<FlatDatasetName, Dataset>>;

/** Rows that only documents contain, by name. */
export const documentRows: Readonly<Record<string, Dataset>> = { ...summedAdDays, publishedRates };
