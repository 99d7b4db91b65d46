/** Advertising of every channel within reach, side by side in one currency. */

import { type Channel, merchantParts } from '../../../access/channels.ts';
import { priorName } from '../../../contract/byPeriod.ts';
import { byDay, condensed, questionFile } from '../../../engine/question.ts';
import type { Ask } from '../../../engine/warehouse.ts';
import { comparison, type Sums } from '../../../report/comparison.ts';
import { condensing, type SeveralDays } from '../../../report/condensedDays.ts';
import {
  addFacts,
  amount,
  amountColumn,
  amountNames,
  type ColumnOf,
  columnsOf,
  count,
  countColumn,
  type Metric,
  percent,
  ratio,
  summed,
  unitPrice,
  type ValuesOf,
  writtenMetric,
  zeroSums,
} from '../../../report/metrics.ts';
import { daysOf, type Span, spansOf } from '../../../report/period.ts';
import {
  type Exchange,
  exchangeBy,
  foreignCurrencies,
  hasAmount,
  noExchange,
} from '../../../report/rates.ts';
import { readSold, readVendorSold, type Sold } from '../../../report/sales.ts';
import { eachInSlices } from '../../../report/slices.ts';
import { type AmountTexts, amountTexts, noText } from '../../../report/texts.ts';
import type { Context, Handler } from '../../handler.ts';
import type {
  AdvertisingByChannelField,
  AdvertisingByChannelItem,
  viewAdvertisingByChannels as contract,
} from './contract.ts';
import { readConversion, storesWithoutRates } from './conversion.ts';
import { advertisedChannels } from './viewedChannels.ts';

/** Decimal places of percents and plain ratios. */
const places = 2;

const impressions = countColumn('impressions');
const clicks = countColumn('clicks');
const cost = amountColumn('cost');
const sales = amountColumn('sales');
const conversions = countColumn('conversions');
const units = countColumn('units');
const ordersNtb = countColumn('orders_ntb');
const unitsNtb = countColumn('units_ntb');
const salesNtb = amountColumn('sales_ntb');
/** All sales of the channel, attributed to ads or not. */
const totalSales = amountColumn('total_sales');

const comparedMetrics = {
  adsales: amount(sales),
  spend: amount(cost),
  acos: percent(cost, sales, places),
  roas: ratio(sales, cost, places),
  tacos: percent(cost, totalSales, places),
  troas: ratio(totalSales, cost, places),
};
const otherMetrics = {
  ctr: percent(clicks, impressions, places),
  cpc: unitPrice(cost, clicks),
  conv: percent(conversions, clicks, places),
  NTB_sales: amount(salesNtb),
  pecentage_sales_NTB: percent(salesNtb, sales, places),
  percentage_orders_NTB: percent(ordersNtb, conversions, places),
  percentage_units_NTB: percent(unitsNtb, units, places),
  impressions: count(impressions),
  clicks: count(clicks),
  orders: count(conversions),
  units: count(units),
  NTB_orders: count(ordersNtb),
  NTB_units: count(unitsNtb),
  attributed_units_ordered_same_sku: count(countColumn('units_same_sku')),
};

const textFields = [
  'store',
  'countryCode',
  'marketplace_id',
  'seller_id',
] as const satisfies readonly AdvertisingByChannelField[];

type Column = ColumnOf<typeof comparedMetrics> | ColumnOf<typeof otherMetrics>;
const columns: Column[] = columnsOf({ ...comparedMetrics, ...otherMetrics });
type AdvertisingColumn = Exclude<Column, typeof totalSales>;
const advertisingColumns = columns.filter(
  (column): column is AdvertisingColumn => column !== totalSales,
);

type OfChannel = {
  readonly channel: number;
  readonly day: number;
  readonly currency: string;
} & Partial<SeveralDays>;
type AdvertisingDay = OfChannel & Readonly<ValuesOf<AdvertisingColumn>>;
/** All sales of a channel, from its orders or the marketplace's figures. */
type Sale = OfChannel & { readonly total_sales: bigint };

const namesOf = (isAmount: boolean) =>
  advertisingColumns.filter(({ type }) => (type === 'amount') === isAmount).map(({ name }) => name);
const advertisingDays = condensed(
  byDay(
    questionFile<AdvertisingDay>(import.meta.url, 'advertisingByChannels.sql', {
      sums: summed(advertisingColumns),
    }),
  ),
  condensing<AdvertisingDay>({ counts: namesOf(false), amounts: namesOf(true) }),
);

type Input = Parameters<Handler<typeof contract>>[0];
type Facts = { readonly advertising: readonly AdvertisingDay[]; readonly sales: readonly Sale[] };

/**
 * The sums of a channel in one window, known where it has any advertising figure. The columns in
 * `unconverted` lack amounts in currencies without a rate.
 */
type ChannelSums = Sums<ValuesOf<Column>> & {
  readonly unconverted: Map<Column['name'], string>;
};

/** An exchange, and the currencies that it cannot convert. */
type Conversion = { readonly exchange: Exchange; readonly missing: ReadonlySet<string> };

/** Answers POST /reports/view/advertisingByChannels. */
export const viewAdvertisingByChannels: Handler<typeof contract> = async (input, context) => {
  const { currentCurrency, orderBy, pageIndex, pageSize } = input;
  const channels = await advertisedChannels(input, context);
  const windows = spansOf(input.reportOptions);
  const facts = await readFacts(input, context, channels, windows);
  const conversion = await conversionOf(input, context, facts);
  const [current, prior] = await Promise.all(facts.map((one) => sumsOf(one, conversion)));
  const texts = amountTexts(currentCurrency, conversion.exchange.places);
  // Of the channels that are not on the page only the field is computed by which they are sorted.
  const keyOf = (channel: Channel) =>
    keyIn(orderBy, itemMakers[orderBy](channel, current!, prior, texts));
  const shown = channels
    .map((channel) => ({ channel, key: keyOf(channel) }))
    .sort(largestFirst)
    .slice(pageIndex * pageSize, (pageIndex + 1) * pageSize);
  const totalItems = channels.length;
  const unconverted = (channel: number) =>
    [current!, prior].flatMap((sums) => [...(sums?.get(channel)?.unconverted.values() ?? [])]);
  context.warn(storesWithoutRates(channels, unconverted));
  return {
    status: 'success',
    data: {
      items: shown.map(({ channel }) => wholeItem(channel, current!, prior, texts)),
      pageIndex,
      pageSize,
      totalItems,
      totalPages: Math.ceil(totalItems / pageSize),
    },
  };
};

/** Reads the facts of each window, all of one snapshot. */
async function readFacts(
  input: Input,
  { warehouse, limits }: Context,
  channels: Channel[],
  windows: Span[],
): Promise<Facts[]> {
  const { vendorRevenueType, reportOptions } = input;
  const numbersOf = (kind: Channel['kind']) =>
    channels.filter((channel) => channel.kind === kind).map((channel) => channel.channelNumber);
  const stores = channels.filter(({ kind }) => kind === 'seller');
  const vendors = numbersOf('vendor');
  const all = [...numbersOf('seller'), ...vendors];
  if (all.length === 0) return windows.map(() => ({ advertising: [], sales: [] }));
  return warehouse.readCached(all, limits, async (ask: Ask) => {
    const sold =
      stores.length > 0
        ? await readSold(ask, stores, reportOptions.timezone, windows, { inBlocks: true })
        : [];
    const facts: Facts[] = [];
    for (const [index, { first, last }] of windows.entries()) {
      const advertising = await ask(advertisingDays, { channels: all, first, last });
      const revenue = await readVendorSold(ask, vendors, { first, last });
      const sales = [
        ...(sold[index] ?? []).map((one) => saleOf(one, input)),
        ...revenue.map(({ channel, day, currency, ordered_revenue, shipped_revenue }) => ({
          ...{ channel, day, currency },
          total_sales: vendorRevenueType === 'orderedRevenue' ? ordered_revenue : shipped_revenue,
        })),
      ];
      facts.push({ advertising, sales });
    }
    return facts;
  });
}

/** All sales of a seller channel; only those in another currency are needed day by day. */
function saleOf(sold: Sold, { includeTax, currentCurrency }: Input): Sale {
  const { channel, day, days, offset, currency, item_price, item_tax, running } = sold;
  const total_sales = includeTax ? item_price + item_tax : item_price;
  const sale = { channel, day, currency, total_sales };
  if (currency === currentCurrency || days === undefined) return sale;
  const { item_price: prices, item_tax: taxes } = running!;
  const sums = includeTax ? prices!.map((sum, index) => sum + taxes![index]!) : prices!;
  return { ...sale, days, offset: offset!, running: { total_sales: sums } };
}

/** The conversion of all amounts into the currency of the answer. */
async function conversionOf(input: Input, context: Context, facts: Facts[]): Promise<Conversion> {
  const { currentCurrency: target } = input;
  const foreign = new Set<string>();
  for (const { advertising, sales } of facts) {
    for (const currency of foreignCurrencies(target, sales, ['total_sales'])) foreign.add(currency);
    for (const currency of foreignCurrencies(target, advertising, amountNames(advertisingColumns)))
      foreign.add(currency);
  }
  const days = daysOf(facts.flatMap(({ advertising, sales }) => [...advertising, ...sales]));
  const { factor, missing } = await readConversion(input, foreign, days, context);
  return { exchange: foreign.size === 0 ? noExchange : exchangeBy(target, factor), missing };
}

/** The sums of a window by channel. */
async function sumsOf(
  { advertising, sales }: Facts,
  conversion: Conversion,
): Promise<Map<number, ChannelSums>> {
  const sums = new Map<number, ChannelSums>();
  const ofChannel = (channel: number) => {
    const found = sums.get(channel) ?? noSums();
    sums.set(channel, found);
    return found;
  };
  await eachInSlices(advertising, (row) => {
    const channelSums = ofChannel(row.channel);
    channelSums.known = true;
    addConverted(channelSums, row, advertisingColumns, conversion);
  });
  await eachInSlices(sales, (row) =>
    addConverted(ofChannel(row.channel), row, [totalSales], conversion),
  );
  return sums;
}

/** Adds a row of facts; amounts in a currency without a rate make their columns unconverted. */
function addConverted<C extends Column>(
  { values, unconverted }: ChannelSums,
  row: ValuesOf<C> & OfChannel,
  added: readonly C[],
  { exchange, missing }: Conversion,
): void {
  const sums = values as unknown as ValuesOf<C>;
  if (!missing.has(row.currency)) {
    addFacts(sums, row, added, exchange);
    return;
  }
  const unpriced = added.filter(({ type }) => type === 'amount');
  const counted = added.filter((column) => !unpriced.includes(column));
  addFacts(sums, row, counted, exchange);
  for (const { name } of unpriced)
    if (hasAmount<string>(row as never, name)) unconverted.set(name, row.currency);
}

const zeros = zeroSums(columns);

function noSums(): ChannelSums {
  return { known: false, values: { ...zeros }, unconverted: new Map() };
}

/** Makes the item of a channel from its sums in both windows. */
type MakeItem = (
  channel: Channel,
  current: ReadonlyMap<number, ChannelSums>,
  prior: ReadonlyMap<number, ChannelSums> | undefined,
  texts: AmountTexts,
) => AdvertisingByChannelItem;

type MetricsOfItem = {
  readonly compared?: Partial<typeof comparedMetrics>;
  readonly other?: Partial<typeof otherMetrics>;
};

/** Makes items with the store and some of the metrics. */
function itemMaker({ compared = {}, other = {} }: MetricsOfItem): MakeItem {
  const compare = comparison<AdvertisingByChannelItem>(compared as typeof comparedMetrics);
  const otherEntries = Object.entries<Metric>(other);
  const entries = [...Object.entries<Metric>(compared), ...otherEntries];
  return ({ channelNumber, merchantId, displayName, countryCode }, current, prior, texts) => {
    const { sellerId, marketplaceId } = merchantParts(merchantId);
    const sums = current.get(channelNumber) ?? noSums();
    const priorSums = prior?.get(channelNumber);
    const store = {
      ...{ store: displayName, countryCode },
      ...{ marketplace_id: marketplaceId, seller_id: sellerId },
    };
    return {
      ...compare(store, sums, priorSums, texts),
      ...(Object.fromEntries(
        otherEntries.map(([name, metric]) => [name, writtenMetric(metric, sums.values, texts)]),
      ) as Pick<AdvertisingByChannelItem, keyof typeof otherMetrics>),
      ...withoutRates(entries, sums, priorSums),
    };
  };
}

const wholeItem = itemMaker({ compared: comparedMetrics, other: otherMetrics });
/** Makes items that have at least one field, by its name. */
const itemMakers = Object.fromEntries([
  ...textFields.map((field) => [field, itemMaker({})]),
  ...Object.entries(comparedMetrics).flatMap(([name, metric]) => {
    const maker = itemMaker({ compared: { [name]: metric } });
    return [[name, maker] as const, [priorName(name), maker] as const];
  }),
  ...Object.entries(otherMetrics).map(([name, metric]) => [
    name,
    itemMaker({ other: { [name]: metric } }),
  ]),
]) as Readonly<Record<AdvertisingByChannelField, MakeItem>>;

/** "-" for each metric that needs amounts without a rate. */
function withoutRates(
  entries: readonly (readonly [string, Metric])[],
  sums: ChannelSums,
  prior: ChannelSums | undefined,
): Partial<AdvertisingByChannelItem> {
  const unknown: Record<string, string> = {};
  for (const [name, { part, whole }] of entries) {
    const lacks = (window: ChannelSums | undefined) =>
      [part, whole].some((column) => column && window?.unconverted.has(column.name as never));
    if (lacks(sums)) unknown[name] = noText;
    if (name in comparedMetrics && lacks(prior)) unknown[priorName(name)] = noText;
  }
  return unknown as Partial<AdvertisingByChannelItem>;
}

/** Items are sorted by their keys: undefined for "-" and "". */
type Key = string | bigint | undefined;

function keyIn(field: AdvertisingByChannelField, item: AdvertisingByChannelItem): Key {
  const value = String(item[field]);
  if (value === '-' || value === '') return undefined;
  // The numbers of one field have equally many decimal places.
  const isText = (textFields as readonly string[]).includes(field);
  return isText ? value.toLowerCase() : BigInt(value.replace('.', ''));
}

/**
 * Compares by keys, the largest first, unknown ones last. Sorting is stable, so channels with equal
 * keys stay in their order.
 */
function largestFirst({ key: left }: { key: Key }, { key: right }: { key: Key }): number {
  if (left === right) return 0;
  if (left === undefined || right === undefined) return left === undefined ? 1 : -1;
  return left < right ? 1 : -1;
}
