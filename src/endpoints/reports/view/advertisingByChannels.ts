/** Advertising of every channel within reach, side by side in one currency. */

import { type Channel, reachableChannels } from '../../../access/channels.ts';
import { countryAlpha3 } from '../../../contract/countries.ts';
import { questionFile } from '../../../engine/question.ts';
import type { Ask } from '../../../engine/warehouse.ts';
import {
  type Exchange,
  exchangeInto,
  foreignCurrencies,
  readFactors,
} from '../../../report/rates.ts';
import { ofChannels, readSold } from '../../../report/sales.ts';
import { type AmountTexts, amountTexts, ratioText } from '../../../report/texts.ts';
import type { Context, Handler } from '../../handler.ts';
import type {
  AdvertisingByChannelField,
  AdvertisingByChannelItem,
  viewAdvertisingByChannels as contract,
} from './contract.ts';
import { comparing, enclosing, type Span, spansOf } from './periods.ts';

type AdvertisingDay = {
  readonly channel: number;
  readonly day: number;
  readonly currency: string;
  readonly impressions: number;
  readonly clicks: number;
  readonly cost: bigint;
  readonly sales: bigint;
  readonly conversions: number;
  readonly units: number;
  readonly units_same_sku: number;
  readonly orders_ntb: number;
  readonly units_ntb: number;
  readonly sales_ntb: bigint;
};
type VendorRevenue = {
  readonly channel: number;
  readonly day: number;
  readonly currency: string;
  readonly ordered_revenue: bigint;
  readonly shipped_revenue: bigint;
};
/** What was sold in all, by whatever fact tells it. */
type Sale = {
  readonly channel: number;
  readonly day: number;
  readonly currency: string;
  readonly amount: bigint;
};

const advertisingDays = questionFile<AdvertisingDay>(import.meta.url, 'advertisingDays.sql');
const vendorRevenue = questionFile<VendorRevenue>(import.meta.url, 'vendorRevenue.sql');

/** Decimal places of percents and plain ratios. */
const ratioPlaces = 2;

type Asked = Parameters<Handler<typeof contract>>[0];
type Facts = { readonly advertising: readonly AdvertisingDay[]; readonly sales: readonly Sale[] };

/** What the facts of a channel add up to in one window; amounts in fractions of the target currency. */
type Sums = Record<
  Exclude<keyof AdvertisingDay, 'channel' | 'day' | 'currency' | 'cost' | 'sales' | 'sales_ntb'>,
  number
> & {
  /** Whether there was any advertising figure. */
  known: boolean;
  cost: bigint;
  sales: bigint;
  sales_ntb: bigint;
  totalSales: bigint;
};

/** Answers POST /reports/view/advertisingByChannels. */
export const viewAdvertisingByChannels: Handler<typeof contract> = async (asked, context) => {
  const { currentCurrency, orderBy, pageIndex, pageSize } = asked;
  const channels = await channelsOf(asked, context);
  const windows = spansOf(asked.reportOptions);
  const facts = await readFacts(asked, context, channels, windows);
  const exchange = await exchangeOf(asked, context, facts, windows);
  const [current, prior] = facts.map((one) => add(one, exchange));
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

/** The channels that pass filter and search, by their identifiers. */
async function channelsOf(
  { filter = {}, searchText = '' }: Asked,
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
  // Letter case is left to the process: SQLite folds the letters of ASCII alone.
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

/** Reads the facts of each window, all of one state. */
async function readFacts(
  asked: Asked,
  { warehouse, limits }: Context,
  channels: Channel[],
  windows: Span[],
): Promise<Facts[]> {
  const { vendorRevenueType, includeTax, reportOptions } = asked;
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
      const advertising = await ask(advertisingDays, { ...ofChannels(all), first, last });
      const revenue =
        vendors.length > 0 ? await ask(vendorRevenue, { ...ofChannels(vendors), first, last }) : [];
      const sales = [
        ...(sold[index] ?? []).map(({ item_price, item_tax, ...row }) => ({
          ...row,
          amount: includeTax ? item_price + item_tax : item_price,
        })),
        ...revenue.map(({ ordered_revenue, shipped_revenue, ...row }) => ({
          ...row,
          amount: vendorRevenueType === 'orderedRevenue' ? ordered_revenue : shipped_revenue,
        })),
      ];
      facts.push({ advertising, sales });
    }
    return facts;
  });
}

/** How the amounts of the facts come to the currency asked for; refuses one that nobody has a rate of. */
async function exchangeOf(
  asked: Asked,
  context: Context,
  facts: Facts[],
  windows: Span[],
): Promise<Exchange> {
  const { currentCurrency: target } = asked;
  const foreign = new Set<string>();
  for (const { advertising, sales } of facts) {
    for (const currency of foreignCurrencies(target, sales, ['amount'])) foreign.add(currency);
    for (const currency of foreignCurrencies(target, advertising, ['cost', 'sales', 'sales_ntb']))
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
    // Whether a currency is taken must not depend on there being facts to convert.
    if (own.length > 0 && !own.some(({ currency }) => currency === target))
      await read((ask) => readFactors(ask, foreign, target, days));
  }
  return exchangeInto(target, foreign, days, read);
}

/** Adds the facts of a window up, by channels. */
function add({ advertising, sales }: Facts, exchange: Exchange): Map<number, Sums> {
  const sums = new Map<number, Sums>();
  const ofChannel = (channel: number) => {
    const found = sums.get(channel) ?? nothing();
    sums.set(channel, found);
    return found;
  };
  for (const { channel, day, currency, cost, sales, sales_ntb, ...counts } of advertising) {
    const sum = ofChannel(channel);
    sum.known = true;
    for (const name of Object.keys(counts) as (keyof typeof counts)[]) sum[name] += counts[name];
    sum.cost += exchange.of(cost, currency, day);
    sum.sales += exchange.of(sales, currency, day);
    sum.sales_ntb += exchange.of(sales_ntb, currency, day);
  }
  for (const { channel, day, currency, amount } of sales)
    ofChannel(channel).totalSales += exchange.of(amount, currency, day);
  return sums;
}

function nothing(): Sums {
  return {
    known: false,
    impressions: 0,
    clicks: 0,
    conversions: 0,
    units: 0,
    units_same_sku: 0,
    orders_ntb: 0,
    units_ntb: 0,
    cost: 0n,
    sales: 0n,
    sales_ntb: 0n,
    totalSales: 0n,
  };
}

/** The metrics that are compared. */
type Compared = Pick<
  AdvertisingByChannelItem,
  'adsales' | 'spend' | 'acos' | 'roas' | 'tacos' | 'troas'
>;

const unknown: Compared = {
  adsales: '-',
  spend: '-',
  acos: '-',
  roas: '-',
  tacos: '-',
  troas: '-',
};
const compare = comparing(unknown);

function itemOf(
  { channelNumber, merchantId, displayName, countryCode }: Channel,
  current: ReadonlyMap<number, Sums>,
  prior: ReadonlyMap<number, Sums> | undefined,
  texts: AmountTexts,
): AdvertisingByChannelItem {
  const { sellerId, marketplaceId } = partsOf(merchantId);
  const sums = current.get(channelNumber) ?? nothing();
  const before = prior?.get(channelNumber);
  const { impressions, clicks, conversions, units, units_same_sku, orders_ntb, units_ntb } = sums;
  return {
    store: displayName,
    countryCode,
    marketplace_id: marketplaceId,
    seller_id: sellerId,
    ...compare(comparedOf(sums, texts), before?.known ? comparedOf(before, texts) : undefined),
    ctr: ratio(clicks, impressions, 100),
    cpc: texts.unitPrice(sums.cost, clicks),
    conv: ratio(conversions, clicks, 100),
    NTB_sales: texts.amount(sums.sales_ntb),
    pecentage_sales_NTB: ratio(sums.sales_ntb, sums.sales, 100),
    percentage_orders_NTB: ratio(orders_ntb, conversions, 100),
    percentage_units_NTB: ratio(units_ntb, units, 100),
    impressions,
    clicks,
    orders: conversions,
    units,
    NTB_orders: orders_ntb,
    NTB_units: units_ntb,
    attributed_units_ordered_same_sku: units_same_sku,
  };
}

function comparedOf({ cost, sales, totalSales }: Sums, { amount }: AmountTexts): Compared {
  return {
    adsales: amount(sales),
    spend: amount(cost),
    acos: ratio(cost, sales, 100),
    roas: ratio(sales, cost, 1),
    tacos: ratio(cost, totalSales, 100),
    troas: ratio(totalSales, cost, 1),
  };
}

function ratio(part: bigint | number, whole: bigint | number, factor: number): string {
  return ratioText(part, whole, ratioPlaces, factor);
}

/** Compares items by a field, the largest first, "-" and "" last. Sorting is stable, so equal ones stay by their channels' identifiers. */
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
