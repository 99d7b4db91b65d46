/** The sales of the products of one channel. */

import { startOfDay } from '../../../../calendar/period.ts';
import type { InputOf } from '../../../../contract/endpoint.ts';
import type { Ask } from '../../../../engine/warehouse.ts';
import { metricNumbers } from '../../../../report/metrics.ts';
import { currencyPlaces, quotientText, roundedSum } from '../../../../report/money.ts';
import { askPage } from '../../../../report/page.ts';
import { daysOf, type Span, spansOf } from '../../../../report/period.ts';
import {
  type Exchange,
  exchangeInto,
  foreignCurrencies,
  purposeOf,
} from '../../../../report/rates.ts';
import type { Handler } from '../../../handler.ts';
import type { viewSalesByProduct as contract, SoldProduct } from './contract.ts';
import {
  type ProductParameters,
  type ProductScope,
  readParameters,
  unitPricePlaces,
} from './parameters.ts';
import {
  type CatalogueEntry,
  catalogueEntries,
  lastSales,
  type ProductRow,
  productMetrics,
  productPage,
  stockOfItems,
  type UnlistedDay,
  unlistedDays,
} from './questions.ts';

type Unlisted = { readonly totalSales: number; readonly unitsSold: number };

const secondsPerDay = 86_400;
const nothingUnlisted: Unlisted = { totalSales: 0, unitsSold: 0 };

/** Answers POST /reports/view/salesByProduct. */
export const viewSalesByProduct: Handler<typeof contract> = async (
  input,
  { channel, warehouse, limits },
) => {
  const spans = spansOf(input);
  const scope = { channel, zone: input.timezone, spans, includeTax: input.includeTax };
  return await warehouse.readCached([channel.channelNumber, 0], limits, async (ask) => {
    const parameters = await readParameters(ask, scope);
    const { rows, count } = await askPage(
      ask,
      pageOf(input, scope),
      { ...parameters, searchText: input.searchText ?? '' },
      input,
    );
    const products = await describe(ask, scope, parameters, rows);
    const [current, prior] = await readUnlisted(ask, scope, parameters);
    return {
      rows: products,
      count,
      currency: channel.currency,
      unlisted: { current: current!, prior: prior ?? nothingUnlisted },
    };
  });
};

function pageOf(
  {
    includeNoSales,
    includeNoInventory,
    searchText = '',
    sortKey,
    sortOrder,
  }: InputOf<typeof contract>,
  { channel }: ProductScope,
) {
  const needs = {
    kind: channel.kind,
    noSales: includeNoSales,
    search: searchText !== '',
    inStock: !includeNoInventory,
  };
  return productPage(needs, sortKey, sortOrder);
}

/** The rows of a page with their texts, their last sales and their stock. */
async function describe(
  ask: Ask,
  scope: ProductScope,
  parameters: ProductParameters,
  rows: readonly ProductRow[],
): Promise<{ current: SoldProduct; prior: SoldProduct }[]> {
  const entryOf = await readEntries(ask, parameters, rows);
  const soldBefore = await readLastSales(ask, scope, parameters, rows, entryOf);
  const skus = rows.map((row) => row.row_sku).filter((sku) => sku !== '');
  const stock = new Map(
    (skus.length === 0 ? [] : await ask(stockOfItems, { ...parameters, items: skus })).map(
      (one) => [one.sku, one],
    ),
  );
  const startOf = (day: number): number => startOfDay(scope.zone, day) ?? startOf(day + 1);
  /** An instant of an order line, or the start of the date of a reported sale. */
  const soldAt = (instant: number | null | undefined) =>
    typeof instant === 'number' && instant < (parameters.ordersFrom - 1) * secondsPerDay + 1
      ? startOf(instant / secondsPerDay)
      : (instant ?? null);
  const sinceOf = (day: number | null | undefined) =>
    typeof day === 'number' ? startOf(day) : null;
  return rows.map((row) => {
    const entry = entryOf(row);
    const before = soldBefore.get(keyOf(row));
    const inventory = row.row_sku === '' ? undefined : stock.get(row.row_sku);
    const product = textsOf(row, entry, scope.channel.currency);
    const sides = (side: 'current' | 'prior') => {
      const isCurrent = side === 'current';
      const lastSold = isCurrent
        ? (row.last_sold_at ?? before?.last_sold_at)
        : (row.prior_last_sold_at ?? before?.prior_last_sold_at);
      return {
        ...product,
        ...numbersOf(row, isCurrent ? '' : 'prior_', scope.channel.currency),
        lastSold: soldAt(lastSold),
        noQuantitySinceTime: sinceOf(isCurrent ? inventory?.out_since : inventory?.prior_out_since),
        ...(scope.channel.kind === 'vendor' && directFulfillment),
      };
    };
    return { current: sides('current'), prior: sides('prior') };
  });
}

/** No document has the sales that vendors ship themselves. */
const directFulfillment = { directFulfillmentSales: 0, directFulfillmentUnits: 0 };

function keyOf({ row_sku, row_product }: ProductRow): string {
  return JSON.stringify([row_sku, row_product]);
}

/** Reads the catalogue's entries of a page; of several SKUs of a product the first is its entry. */
async function readEntries(
  ask: Ask,
  { channel }: ProductParameters,
  rows: readonly ProductRow[],
): Promise<(row: ProductRow) => CatalogueEntry | undefined> {
  const named = (names: readonly string[]) => [...new Set(names)].filter((name) => name !== '');
  const skus = named(rows.map((row) => row.row_sku));
  const products = named(rows.map((row) => row.row_product));
  const entries =
    rows.length === 0 ? [] : await ask(catalogueEntries, { channel: channel!, skus, products });
  const bySku = new Map(entries.map((entry) => [entry.sku, entry]));
  const byProduct = new Map([...entries].reverse().map((entry) => [entry.product_id, entry]));
  return ({ row_sku: sku, row_product: product }) => {
    if (sku !== '') return bySku.get(sku);
    return product === '' ? undefined : byProduct.get(product);
  };
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

/** The fields of a product that both windows share. */
function textsOf(row: ProductRow, entry: CatalogueEntry | undefined, currency: string) {
  const { row_sku: sku, row_product: product } = row;
  const price = sku === '' ? undefined : entry?.price;
  return {
    productId: sku || product,
    title: entry?.title ?? '',
    sku,
    productSku: entry?.product_id || product || row.found_product,
    linkUrl: entry?.link_url ?? '',
    imageUrl: entry?.image_url ?? '',
    price: price ? roundedSum({ exact: price, converted: 0 }, unitPricePlaces(currency)) : null,
  };
}

/** The metrics of a row in one of the windows. */
function numbersOf(row: ProductRow, prefix: '' | 'prior_', currency: string) {
  const sums = prefix === '' ? row : priorSums(row);
  return metricNumbers(productMetrics, sums as never, {
    amount: currencyPlaces(currency),
    unitPrice: unitPricePlaces(currency),
  });
}

function priorSums(row: ProductRow): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row)
      .filter(([name]) => name.startsWith('prior_'))
      .map(([name, value]) => [name.slice('prior_'.length), value]),
  );
}

/** Reads the sales of each window that belong to no product. */
async function readUnlisted(
  ask: Ask,
  { channel, spans }: ProductScope,
  { ordersFrom }: ProductParameters,
): Promise<Unlisted[]> {
  const days: UnlistedDay[][] = [];
  for (const { first, last } of spans) days.push(await readDays({ first, last }));
  const exchange = await exchangeInto(
    channel.currency,
    foreignCurrencies(channel.currency, days.flat(), ['total_sales']),
    daysOf(days.flat()),
    purposeOf(channel),
    (read) => read(ask),
  );
  return days.map((rows) => unlistedOf(rows, channel.currency, exchange));

  /** From the first order line on, every sale is that of a product. */
  async function readDays({ first, last }: Pick<Span, 'first' | 'last'>) {
    const until = Math.min(last, ordersFrom - 1);
    if (until < first) return [];
    const window = { channel: channel.channelNumber, first, last: until };
    return [...(await ask(unlistedDays[channel.kind], window))];
  }
}

function unlistedOf(rows: readonly UnlistedDay[], currency: string, exchange: Exchange): Unlisted {
  let [sales, units] = [0n, 0];
  for (const row of rows) {
    sales += exchange.of(row.total_sales, row.currency, row.day);
    units += row.units_sold;
  }
  const unit = 10n ** BigInt(exchange.places);
  return {
    totalSales: Number(quotientText(sales, unit, currencyPlaces(currency))),
    unitsSold: units,
  };
}
