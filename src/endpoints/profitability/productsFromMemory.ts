/**
 * The products of a page with their figures, added up from the figures of all products by UTC day,
 * and from those of the partial days at the ends of a range.
 */

import { type ProfitColumn, profitColumns } from '../../../schema/warehouse/profit.ts';
import type { Channel } from '../../access/channels.ts';
import { never } from '../../calendar/period.ts';
import { daysOf } from '../../calendar/windows.ts';
import { partFile, questionFile } from '../../engine/question.ts';
import { type DaySource, itemSource } from '../../engine/segments/daySource.ts';
import type { CachedAsk } from '../../engine/segments/router.ts';
import type { DateRange } from '../../engine/warehouse.ts';
import { amountColumn, type Column } from '../../figures/columns.ts';
import type { FactorOf } from '../../figures/factors.ts';
import { currencyPlaces, roundedSum } from '../../figures/money.ts';
import { figureCounts, type ItemDay, type ItemFigures, readItems } from '../../report/itemDays.ts';
import {
  type ItemFigure,
  type ItemTable,
  itemColumns,
  itemTables,
  itemTablesOfRows,
  type NameOf,
  SummedItems,
} from '../../report/itemTables.ts';
import { slotSeconds } from '../../report/localDays.ts';
import { type CatalogueEntry, readWholeCatalogue } from '../../report/productSales/questions.ts';
import {
  daysAtOnce,
  partsOfDay,
  productDays,
  productPartsOfDays,
} from '../../report/profitEvents.ts';
import { type Figures, figuresOfAdCost } from '../../report/profitStatement.ts';
import { purposeOf, readConversion } from '../../report/rates.ts';
import {
  type ProductPage,
  type ProductsInput,
  productIdsOf,
  readAdCosts,
  readPartialDays,
  type Span,
  secondsPerDay,
} from './products.ts';

/** The most SKUs that are sorted here. */
const skusMax = 10_000;

const columns = profitColumns.map((name) => amountColumn(name));
const salesPlace = profitColumns.indexOf('sales');
const taxPlace = profitColumns.indexOf('sales_tax');
const productFigures: ItemFigures = {
  figures: itemSource(productDays, itemColumns(columns), {
    variant: '',
    parametersOf: () => ({ never, skus: [] }),
  }),
  counts: figureCounts('profit_product_day'),
  columns,
};
const adCostColumns = [amountColumn('cost')];
/** Precedes the product id of an item without a SKU; no SKU begins with it. */
const ofProduct = '\t';
const adCostFigures: ItemFigures = {
  figures: itemSource(
    questionFile<ItemDay>(import.meta.url, 'adCostDays.sql'),
    itemColumns(adCostColumns),
    { variant: '', parametersOf: () => ({ ofProduct }) },
  ),
  counts: figureCounts(partFile(import.meta.url, 'adCosts.sql')),
  columns: adCostColumns,
};
const skuCharges = questionFile<{ readonly posted: number }>(import.meta.url, 'skuCharges.sql');

/** The figures of products in parts of UTC days, which ranges of the same zone share. */
function productParts(second: number): DaySource {
  const source = itemSource(productPartsOfDays, itemColumns(columns), {
    variant: String(second),
    parametersOf: () => ({ ...partsOfDay, second, never }),
  });
  return { ...source, segmentDays: daysAtOnce };
}

/** A table of figures, with its days that count and the SKUs of its items. */
type Part = DateRange & { readonly table: ItemTable; readonly skuOf: NameOf };

/** Figures of SKUs: the sums of each, partly converted, and how a row is shown. */
type Source = {
  readonly parts: readonly Part[];
  readonly sums: SummedItems;
  readonly shownOf: (figure: Omit<ItemFigure, 'id'>) => Figures;
};

/** The requested page; undefined if it cannot be made from memory. */
export async function productsFromMemory(
  ask: CachedAsk,
  input: ProductsInput,
): Promise<ProductPage | undefined> {
  const { channel, span, skus, options } = input;
  const reported = await readReported(ask, input);
  const posted = reported && (await readPosted(ask, input));
  if (reported === undefined || posted === undefined) return undefined;
  const places = options.includeTax ? [salesPlace, taxPlace] : [salesPlace];
  const chosen = new Set(skus);
  const isChosen = (sku: string) => chosen.size === 0 || chosen.has(sku);
  const sold = foreignFigures(
    posted,
    channel,
    ({ id, at }) => isChosen(id) && places.some((place) => at(place) !== 0),
  );
  const sales = sourceOf(posted, columns, await readFactorOf(ask, channel, sold), shownProfit);
  const spend = sourceOf(reported, adCostColumns, unconverted(channel), shownAdCost);
  // With a large catalogue, the SKUs of these figures are not known here.
  if ([...spend.sums.keys()].some((id) => id.startsWith(ofProduct))) return undefined;
  const all = new Set([...sales.sums.keys(), ...spend.sums.keys()]);
  const listed = [...all].filter(isChosen);
  if (listed.length > skusMax) return undefined;
  const { pageIndex, pageSize } = options;
  const sorted = bySales(listed, sales.sums, places, currencyPlaces(channel.currency));
  const shown = sorted.slice(pageIndex * pageSize, (pageIndex + 1) * pageSize);
  return {
    shown,
    count: listed.length,
    figures: figuresOf(shown, channel, [sales, spend]),
    async readProductIds(some) {
      const advertised = some.filter((sku) => spend.sums.get(sku) !== undefined);
      if (advertised.length === 0) return new Map();
      return productIdsOf(await readAdCosts(ask, channel.channelNumber, span, advertised));
    },
  };
}

/** Reads the figures of posted events; undefined if there are too many or they are too large. */
async function readPosted(
  ask: CachedAsk,
  { channel: { channelNumber: channel }, span }: ProductsInput,
): Promise<readonly Part[] | undefined> {
  const { firstUtc: first, lastUtc: last, firstWhole, lastWhole } = span;
  const tables = await readItems(ask, productFigures, [{ channel, first, last }]);
  if (tables === undefined) return undefined;
  const ends = await readEnds(ask, channel, span);
  if (ends === undefined) return undefined;
  const whole = { first: firstWhole, last: lastWhole, skuOf };
  return [...tables.get(channel)!.map((table) => ({ ...whole, table })), ...ends];
}

const skuOf = (id: string) => id;

/** Reads the figures of the UTC days that a span covers partly; undefined if they are too large. */
async function readEnds(
  ask: CachedAsk,
  channel: number,
  span: Span,
): Promise<readonly Part[] | undefined> {
  const { from, to, firstUtc: first, lastUtc: last } = span;
  const ends = [
    { day: first, second: from % secondsPerDay, part: partsOfDay.after },
    { day: last, second: (to + 1) % secondsPerDay, part: partsOfDay.before },
  ].filter(({ second }) => second !== 0);
  // Days of zones begin with a quarter of an hour, and other ranges hold parts of the same length.
  const areShared = ends.every(({ second }) => second % slotSeconds === 0);
  if (!areShared || (first === last && ends.length > 1)) {
    const events = await readPartialDays(ask, channel, span);
    const rows = events.map(({ local_date: day, sku: id, ...row }) => ({
      ...row,
      channel,
      day,
      id,
    }));
    return itemTablesOfRows(rows, columns)?.map((table) => ({ table, first, last, skuOf }));
  }
  const parts: Part[] = [];
  for (const { day, second, part } of ends) {
    const days = { first: day, last: day };
    const tables = itemTables(await ask.days(productParts(second), [channel], days), columns);
    if (tables === undefined) return undefined;
    const ofPart: NameOf = (id) => (id.startsWith(part) ? id.slice(part.length) : undefined);
    for (const table of tables) parts.push({ table, ...days, skuOf: ofPart });
  }
  return parts;
}

/** Reads the reported advertising cost that counts; undefined if it has too many figures. */
async function readReported(
  ask: CachedAsk,
  { channel: { channelNumber: channel }, span }: ProductsInput,
): Promise<readonly Part[] | undefined> {
  const posted = await ask(skuCharges, { channel });
  if (posted.length > 0) return [];
  const days = { first: span.firstUtc, last: span.lastUtc };
  const tables = await readItems(ask, adCostFigures, [{ channel, ...days }]);
  if (tables === undefined) return undefined;
  const owners = ownersIn(await readWholeCatalogue(ask, channel));
  const ownerOf: NameOf = (id) => (id.startsWith(ofProduct) ? owners(id.slice(1)) : id);
  return tables.get(channel)!.map((table) => ({ table, ...days, skuOf: ownerOf }));
}

/**
 * Names the SKU of figures that have only a product id: the SKU with this id in the catalogue, if
 * exactly one has it. Without the catalogue the id stays.
 */
function ownersIn(catalogue: readonly CatalogueEntry[] | undefined): NameOf {
  if (catalogue === undefined) return (productId) => `${ofProduct}${productId}`;
  const owners = new Map<string, string | undefined>();
  for (const { sku, product_id } of catalogue)
    owners.set(product_id, owners.has(product_id) ? undefined : sku);
  owners.delete('');
  return (productId) => owners.get(productId);
}

/** The figures that meet a condition and are in currencies other than the channel's own. */
function foreignFigures(
  parts: readonly Part[],
  { currency }: Channel,
  isWanted: (figure: ItemFigure) => boolean,
): ItemFigure[] {
  const figures: ItemFigure[] = [];
  for (const { table, first, last, skuOf } of parts)
    for (const figure of table.inOthers(currency, first, last)) {
      const id = skuOf(figure.id);
      if (id === undefined) continue;
      const named = { ...figure, id };
      if (isWanted(named)) figures.push(named);
    }
  return figures;
}

function unconverted({ currency: own }: Channel): FactorOf {
  return (currency) => (currency === own ? undefined : 0);
}

/**
 * Reads the factors of the currencies in which products were sold; figures in others are dropped.
 */
async function readFactorOf(
  ask: CachedAsk,
  channel: Channel,
  sold: readonly ItemFigure[],
): Promise<FactorOf> {
  if (sold.length === 0) return unconverted(channel);
  const { currency: own } = channel;
  const currencies = new Set(sold.map(({ currency }) => currency));
  const { factor } = await readConversion(ask, {
    target: own,
    currencies,
    days: daysOf(sold),
    purpose: purposeOf(channel),
  });
  return (currency, day) => {
    if (currency === own) return undefined;
    return currencies.has(currency) ? factor(currency, day) : 0;
  };
}

function sourceOf(
  parts: readonly Part[],
  { length }: readonly Column[],
  factorOf: FactorOf,
  shownOf: Source['shownOf'],
): Source {
  const sums = new SummedItems(length);
  for (const { table, first, last, skuOf } of parts)
    table.addUp(first, last, factorOf, sums, skuOf);
  return { parts, sums, shownOf };
}

/** Sorts SKUs by their sales as shown, the largest first, and then by their bytes. */
function bySales(
  skus: readonly string[],
  sums: SummedItems,
  places: readonly number[],
  minor: number,
): string[] {
  const salesOf = (sku: string) => {
    const own = sums.get(sku);
    if (own === undefined) return 0;
    const exact = places.reduce((sum, place) => sum + BigInt(own.exact[place]!), 0n);
    const converted = places.reduce((sum, place) => sum + own.converted[place]!, 0);
    return roundedSum({ exact, converted }, minor);
  };
  return skus
    .map((sku) => ({ sku, bytes: Buffer.from(sku), sales: salesOf(sku) }))
    .sort((one, other) => other.sales - one.sales || Buffer.compare(one.bytes, other.bytes))
    .map(({ sku }) => sku);
}

/** The figures of the SKUs of a page: one sum in the channel's currency, the others by day. */
function figuresOf(
  skus: readonly string[],
  channel: Channel,
  sources: readonly Source[],
): ReadonlyMap<string, readonly Figures[]> {
  const figures = new Map<string, Figures[]>(skus.map((sku) => [sku, []]));
  // Amounts in the channel's own currency need no rate, whatever their day.
  const own = { day: never, currency: channel.currency };
  for (const { parts, sums, shownOf } of sources) {
    for (const [sku, rows] of figures) {
      const exact = sums.get(sku)?.exact;
      if (exact !== undefined) rows.push(shownOf({ ...own, at: (place) => exact[place]! }));
    }
    for (const figure of foreignFigures(parts, channel, ({ id }) => figures.has(id)))
      figures.get(figure.id)!.push(shownOf(figure));
  }
  return figures;
}

function shownProfit({ day, currency, at }: Omit<ItemFigure, 'id'>): Figures {
  const amounts = profitColumns.map((column, place) => [column, BigInt(at(place))] as const);
  const row = Object.fromEntries(amounts) as Record<ProfitColumn, bigint>;
  return { ...row, local_date: day, currency };
}

function shownAdCost({ day, currency, at }: Omit<ItemFigure, 'id'>): Figures {
  return figuresOfAdCost({ local_date: day, currency, ad_cost: BigInt(at(0)) });
}
