/** Advertising of every channel within reach, side by side in one currency. */

import { type Channel, reachableChannels } from '../../../access/channels.ts';
import { countryAlpha3 } from '../../../contract/countries.ts';
import { questionFile } from '../../../engine/question.ts';
import type { Ask } from '../../../engine/warehouse.ts';
import { comparison, type Sums } from '../../../report/comparison.ts';
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
import { enclosing, type Span, spansOf } from '../../../report/period.ts';
import {
  type Exchange,
  exchangeInto,
  foreignCurrencies,
  readFactors,
} from '../../../report/rates.ts';
import { readSold } from '../../../report/sales.ts';
import { type AmountTexts, amountTexts } from '../../../report/texts.ts';
import type { Context, Handler } from '../../handler.ts';
import type {
  AdvertisingByChannelField,
  AdvertisingByChannelItem,
  viewAdvertisingByChannels as contract,
} from './contract.ts';

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
const compare = comparison<AdvertisingByChannelItem>(comparedMetrics);
const otherEntries = Object.entries<Metric>(otherMetrics);

type Column = ColumnOf<typeof comparedMetrics> | ColumnOf<typeof otherMetrics>;
const columns: Column[] = columnsOf({ ...comparedMetrics, ...otherMetrics });
type AdvertisingColumn = Exclude<Column, typeof totalSales>;
const advertisingColumns = columns.filter(
  (column): column is AdvertisingColumn => column !== totalSales,
);

type OfChannel = { readonly channel: number; readonly day: number; readonly currency: string };
type AdvertisingDay = OfChannel & Readonly<ValuesOf<AdvertisingColumn>>;
type VendorRevenue = OfChannel & {
  readonly ordered_revenue: bigint;
  readonly shipped_revenue: bigint;
};
/** All sales of a channel and day, from its orders or the marketplace's figures. */
type Sale = OfChannel & { readonly total_sales: bigint };

const advertisingDays = questionFile<AdvertisingDay>(import.meta.url, 'advertisingByChannels.sql', {
  sums: summed(advertisingColumns),
});
const vendorRevenue = questionFile<VendorRevenue>(
  import.meta.url,
  'advertisingByChannelsVendors.sql',
);

type Input = Parameters<Handler<typeof contract>>[0];
type Facts = { readonly advertising: readonly AdvertisingDay[]; readonly sales: readonly Sale[] };

/** The sums of a channel in one window, known where it has any advertising figure. */
type ChannelSums = Sums<ValuesOf<Column>>;

/** Answers POST /reports/view/advertisingByChannels. */
export const viewAdvertisingByChannels: Handler<typeof contract> = async (input, context) => {
  const { currentCurrency, orderBy, pageIndex, pageSize } = input;
  const channels = await channelsOf(input, context);
  const windows = spansOf(input.reportOptions);
  const facts = await readFacts(input, context, channels, windows);
  const exchange = await exchangeOf(input, context, facts, windows);
  const [current, prior] = facts.map((one) => sumsOf(one, exchange));
  const texts = amountTexts(currentCurrency, exchange.places);
  const items = channels.map((channel) => itemOf(channel, current!, prior, texts));
  const kept = items
    .sort(largestFirst(orderBy))
    .slice(pageIndex * pageSize, (pageIndex + 1) * pageSize);
  const totalItems = items.length;
  return {
    status: 'success',
    data: {
      items: kept,
      pageIndex,
      pageSize,
      totalItems,
      totalPages: Math.ceil(totalItems / pageSize),
    },
  };
};

/** The channels that match the filter and the search, in the order of their identifiers. */
async function channelsOf(
  { filter = {}, searchText = '' }: Input,
  { caller, registry }: Context,
): Promise<Channel[]> {
  const { marketplaces = [], countries = [], tags = [] } = filter;
  let channels = reachableChannels(registry, caller).where(
    'channel.hasAdvertisingConnected',
    '=',
    1,
  );
  if (tags.length > 0) {
    channels = channels.where('channel.channelNumber', 'in', (tagged) =>
      tagged
        .selectFrom('channelTag')
        .select('channelTag.channelNumber')
        .where('channelTag.tag', 'in', tags)
        .where((tag) =>
          tag.or([
            tag('channelTag.userId', 'is', null),
            tag('channelTag.userId', '=', caller.userId),
          ]),
        ),
    );
  }
  const found = await channels.orderBy('channel.channelId').execute();
  // Letter case is compared here, as SQLite folds the letters of ASCII only.
  const names = new Set(marketplaces.map((name) => name.toLowerCase()));
  const codes = new Set(countries.map(countryAlpha3));
  const wanted = searchText.toLowerCase();
  return found.filter(
    ({ marketplace, countryCode, displayName, merchantId }) =>
      (names.size === 0 || names.has(marketplace.toLowerCase())) &&
      (codes.size === 0 || codes.has(countryCode)) &&
      [displayName, marketplace, partsOf(merchantId).marketplaceId].some((text) =>
        text.toLowerCase().includes(wanted),
      ),
  );
}

function partsOf(merchantId: string): { sellerId: string; marketplaceId: string } {
  const [sellerId, ...rest] = merchantId.split(' @ ') as [string, ...string[]];
  return { sellerId, marketplaceId: rest.join(' @ ') };
}

/** Reads the facts of each window, all of one snapshot. */
async function readFacts(
  input: Input,
  { warehouse, limits }: Context,
  channels: Channel[],
  windows: Span[],
): Promise<Facts[]> {
  const { vendorRevenueType, includeTax, reportOptions } = input;
  const numbersOf = (kind: Channel['kind']) =>
    channels.filter((channel) => channel.kind === kind).map((channel) => channel.channelNumber);
  const [sellers, vendors] = [numbersOf('seller'), numbersOf('vendor')];
  const all = [...sellers, ...vendors];
  if (all.length === 0) return windows.map(() => ({ advertising: [], sales: [] }));
  return warehouse.read(all, limits, async (ask: Ask) => {
    const sold =
      sellers.length > 0 ? await readSold(ask, sellers, reportOptions.timezone, windows) : [];
    const facts: Facts[] = [];
    for (const [index, { first, last }] of windows.entries()) {
      const advertising = await ask(advertisingDays, { channels: all, first, last });
      const revenue =
        vendors.length > 0 ? await ask(vendorRevenue, { channels: vendors, first, last }) : [];
      const sales = [
        ...(sold[index] ?? []).map(({ item_price, item_tax, ...row }) => ({
          ...row,
          total_sales: includeTax ? item_price + item_tax : item_price,
        })),
        ...revenue.map(({ ordered_revenue, shipped_revenue, ...row }) => ({
          ...row,
          total_sales: vendorRevenueType === 'orderedRevenue' ? ordered_revenue : shipped_revenue,
        })),
      ];
      facts.push({ advertising, sales });
    }
    return facts;
  });
}

/** The exchange into the currency of the answer; refuses a currency without a rate. */
async function exchangeOf(
  input: Input,
  context: Context,
  facts: Facts[],
  windows: Span[],
): Promise<Exchange> {
  const { currentCurrency: target } = input;
  const foreign = new Set<string>();
  for (const { advertising, sales } of facts) {
    for (const currency of foreignCurrencies(target, sales, ['total_sales'])) foreign.add(currency);
    for (const currency of foreignCurrencies(target, advertising, amountNames(advertisingColumns)))
      foreign.add(currency);
  }
  const days = enclosing(windows);
  const read = <T>(use: (ask: Ask) => Promise<T>) =>
    context.warehouse.read([0], context.limits, use);
  if (foreign.size === 0) {
    const own = await reachableChannels(context.registry, context.caller)
      .clearSelect()
      .select('channel.currency')
      .distinct()
      .execute();
    // Whether a currency is accepted must not depend on there being facts to convert.
    if (own.length > 0 && !own.some(({ currency }) => currency === target))
      await read((ask) => readFactors(ask, foreign, target, days));
  }
  return exchangeInto(target, foreign, days, read);
}

/** The sums of a window by channel. */
function sumsOf({ advertising, sales }: Facts, exchange: Exchange): Map<number, ChannelSums> {
  const sums = new Map<number, ChannelSums>();
  const ofChannel = (channel: number) => {
    const found = sums.get(channel) ?? noSums();
    sums.set(channel, found);
    return found;
  };
  for (const row of advertising) {
    const channelSums = ofChannel(row.channel);
    channelSums.known = true;
    addFacts(channelSums.values, row, advertisingColumns, exchange);
  }
  for (const row of sales) addFacts(ofChannel(row.channel).values, row, [totalSales], exchange);
  return sums;
}

function noSums(): ChannelSums {
  return { known: false, values: zeroSums(columns) };
}

function itemOf(
  { channelNumber, merchantId, displayName, countryCode }: Channel,
  current: ReadonlyMap<number, ChannelSums>,
  prior: ReadonlyMap<number, ChannelSums> | undefined,
  texts: AmountTexts,
): AdvertisingByChannelItem {
  const { sellerId, marketplaceId } = partsOf(merchantId);
  const sums = current.get(channelNumber) ?? noSums();
  return {
    store: displayName,
    countryCode,
    marketplace_id: marketplaceId,
    seller_id: sellerId,
    ...compare(sums, prior?.get(channelNumber), texts),
    ...(Object.fromEntries(
      otherEntries.map(([name, metric]) => [name, writtenMetric(metric, sums.values, texts)]),
    ) as Pick<AdvertisingByChannelItem, keyof typeof otherMetrics>),
  };
}

/**
 * Compares items by a field, the largest first, "-" and "" last. Sorting is stable, so equal items
 * stay in the order of their channels.
 */
function largestFirst(
  field: AdvertisingByChannelField,
): (one: AdvertisingByChannelItem, other: AdvertisingByChannelItem) => number {
  const isText = textFields.has(field);
  const keyOf = (item: AdvertisingByChannelItem): string | bigint | undefined => {
    const value = String(item[field]);
    if (value === '-' || value === '') return undefined;
    // The numbers of one field have equally many decimal places.
    return isText ? value.toLowerCase() : BigInt(value.replace('.', ''));
  };
  return (one, other) => {
    const [left, right] = [keyOf(one), keyOf(other)];
    if (left === right) return 0;
    if (left === undefined || right === undefined) return left === undefined ? 1 : -1;
    return left < right ? 1 : -1;
  };
}

const textFields: ReadonlySet<string> = new Set<AdvertisingByChannelField>([
  'store',
  'countryCode',
  'marketplace_id',
  'seller_id',
]);
