/** Sales and advertising of one vendor channel, bucket by bucket. */
import { bucketOfDay } from '../../../calendar/period.ts';
import { Refusal } from '../../../contract/refusal.ts';
import { questionFile } from '../../../engine/question.ts';
import { type Exchange, exchangeInto, foreignCurrencies } from '../../../report/rates.ts';
import { type AmountTexts, amountTexts, ratioText } from '../../../report/texts.ts';
import type { Handler } from '../../handler.ts';
import type { viewVendorSalesByPeriod as contract, VendorSalesByPeriodRow } from './contract.ts';
import {
  comparing,
  enclosing,
  type MetricsOf,
  readDays,
  timesOf,
  type Window,
  windowsOf,
} from './periods.ts';

const counts = [
  'glance_views',
  'ordered_units',
  'shipped_units',
  'shipped_units_manufacturing',
  'impressions',
  'clicks',
] as const;
const amounts = [
  'ordered_revenue',
  'shipped_revenue',
  'shipped_cogs',
  'shipped_revenue_manufacturing',
  'shipped_cogs_manufacturing',
  'ad_cost',
  'ad_sales',
] as const;

type Figures = Record<(typeof counts)[number], number> & Record<(typeof amounts)[number], bigint>;
type VendorFacts = Readonly<Figures> & { readonly day: number; readonly currency: string };
/** What a bucket's facts add up to, and whether there are any. Amounts are exact, in fractions of the channel's currency. */
type Sums = Figures & { known: boolean };

const vendorDays = questionFile<VendorFacts>(import.meta.url, 'vendorDays.sql');
const vendorProducts = questionFile<VendorFacts>(import.meta.url, 'vendorProducts.sql');

/** Decimal places of percents. */
const percentPlaces = 1;

/** Answers POST /reports/view/vendorSalesByPeriod. */
export const viewVendorSalesByPeriod: Handler<typeof contract> = async (
  asked,
  { channel, warehouse, limits },
) => {
  if (channel.kind === 'seller')
    throw new Refusal(400, 'channelId names a seller channel: ask /reports/view/salesByPeriod');
  const { channelNumber, currency } = channel;
  const asins = [...new Set(asked.asins ?? [])];
  const windows = windowsOf(asked.reportOptions);
  const facts = await readDays(warehouse, channelNumber, limits, windows, (ask, { first, last }) =>
    asins.length > 0
      ? ask(vendorProducts, { channel: channelNumber, first, last, asins })
      : ask(vendorDays, { channel: channelNumber, first, last }),
  );
  const foreign = foreignCurrencies(currency, facts.flat(), amounts);
  const exchange = await exchangeInto(currency, foreign, enclosing(windows), (use) =>
    warehouse.read([0], limits, use),
  );
  const [current, prior] = windows.map((window, index) => add(window, facts[index]!, exchange));
  const texts = amountTexts(currency, exchange.places);
  const formattedChartData = windows[0]!.buckets.map((bucket, index): VendorSalesByPeriodRow => {
    const before = prior?.[index];
    const metrics = compare(
      metricsOf(current![index]!, texts),
      before?.known ? metricsOf(before, texts) : undefined,
    );
    return { ...timesOf(asked.reportOptions.timezone, bucket, currency), ...metrics };
  });
  return { status: 'success', currency, formattedChartData };
};

/** Adds the facts of a window up, bucket by bucket. */
function add({ buckets }: Window, facts: readonly VendorFacts[], exchange: Exchange): Sums[] {
  const sums = buckets.map(nothing);
  for (const row of facts) {
    const bucket = sums[bucketOfDay(buckets, row.day)];
    if (!bucket) continue;
    bucket.known = true;
    for (const name of counts) bucket[name] += row[name];
    for (const name of amounts) bucket[name] += exchange.of(row[name], row.currency, row.day);
  }
  return sums;
}

function nothing(): Sums {
  return {
    known: false,
    glance_views: 0,
    ordered_units: 0,
    shipped_units: 0,
    shipped_units_manufacturing: 0,
    impressions: 0,
    clicks: 0,
    ordered_revenue: 0n,
    shipped_revenue: 0n,
    shipped_cogs: 0n,
    shipped_revenue_manufacturing: 0n,
    shipped_cogs_manufacturing: 0n,
    ad_cost: 0n,
    ad_sales: 0n,
  };
}

/** The metrics of a bucket as they are answered. */
type Metrics = MetricsOf<VendorSalesByPeriodRow>;

const unknown: Metrics = {
  glanceViews: 0,
  orderedUnits: 0,
  shippedUnits: 0,
  shippedUnitsManufacturing: 0,
  impressions: 0,
  clicks: 0,
  orderedRevenue: '-',
  conversionRate: '-',
  retailPrice: '-',
  shippedRevenue: '-',
  shippedRevenueManufacturing: '-',
  shippedCogs: '-',
  shippedCogsManufacturing: '-',
  adSales: '-',
  adSpend: '-',
  acos: '-',
  tacosOrderedRevenue: '-',
  tacosShippedRevenue: '-',
  tacosManufacturing: '-',
  clickThroughRate: '-',
};
const compare = comparing(unknown);

function metricsOf(sums: Sums, { amount, unitPrice }: AmountTexts): Metrics {
  return {
    glanceViews: sums.glance_views,
    orderedUnits: sums.ordered_units,
    shippedUnits: sums.shipped_units,
    shippedUnitsManufacturing: sums.shipped_units_manufacturing,
    impressions: sums.impressions,
    clicks: sums.clicks,
    orderedRevenue: amount(sums.ordered_revenue),
    conversionRate: percent(sums.ordered_units, sums.glance_views),
    retailPrice: unitPrice(sums.ordered_revenue, sums.ordered_units),
    shippedRevenue: amount(sums.shipped_revenue),
    shippedRevenueManufacturing: amount(sums.shipped_revenue_manufacturing),
    shippedCogs: amount(sums.shipped_cogs),
    shippedCogsManufacturing: amount(sums.shipped_cogs_manufacturing),
    adSales: amount(sums.ad_sales),
    adSpend: amount(sums.ad_cost),
    acos: percent(sums.ad_cost, sums.ad_sales),
    tacosOrderedRevenue: percent(sums.ad_cost, sums.ordered_revenue),
    tacosShippedRevenue: percent(sums.ad_cost, sums.shipped_revenue),
    tacosManufacturing: percent(sums.ad_cost, sums.shipped_revenue_manufacturing),
    clickThroughRate: percent(sums.clicks, sums.impressions),
  };
}

function percent(part: bigint | number, whole: bigint | number): string {
  return ratioText(part, whole, percentPlaces, 100);
}
