/** Adds up the sales of each channel in a period, in one currency. */

import type { FactorTable } from '../../../../figures/factors.ts';
import { unitsOf } from '../../../../figures/money.ts';
import type { OrderCount } from '../../../../report/orderCounts.ts';
import type { Sold, VendorRevenueType, VendorSold } from '../../../../report/sales.ts';
import { eachInSlices } from '../../../../report/slices.ts';

/** The facts of a period. */
export type Facts = {
  readonly sold: readonly Sold[];
  readonly orders: readonly OrderCount[];
  readonly vendors: readonly VendorSold[];
};

/**
 * The sums of a channel; its sales have an exact part, and a converted part in units. `unrated` is
 * a currency without a rate in which it has other amounts.
 */
export type SalesSums = {
  sales: bigint;
  sales_converted: number;
  /** Orders and, on dates before all order lines, order items of traffic. */
  orders: number;
  /** The number of order items among them. */
  order_items: number;
  units: number;
  /** The ordered units, which are divided by page views. */
  ordered_units: number;
  page_views: number;
  unrated?: string;
};

/** The conversion of amounts into the currency of the answer. */
export type Pricing = {
  readonly currency: string;
  readonly factors: FactorTable;
  /** The currencies without a rate. */
  readonly missing: ReadonlySet<string>;
};

/** How sales are counted. */
export type Counting = {
  readonly includeTax: boolean;
  readonly vendorRevenueType: VendorRevenueType;
};

/** The sums of a channel without facts. */
export function noSalesSums(): SalesSums {
  return {
    sales: 0n,
    sales_converted: 0,
    orders: 0,
    order_items: 0,
    units: 0,
    ordered_units: 0,
    page_views: 0,
  };
}

/** The sums of a period by channel. */
export async function sumsByChannel(
  { sold, orders, vendors }: Facts,
  counting: Counting,
  pricing: Pricing,
): Promise<Map<number, SalesSums>> {
  const byChannel = new Map<number, SalesSums>();
  const sumsOf = (channel: number) => {
    const known = byChannel.get(channel);
    if (known !== undefined) return known;
    const sums = noSalesSums();
    byChannel.set(channel, sums);
    return sums;
  };
  for (const row of orders) sumsOf(row.channel).orders += row.orders;
  await eachInSlices(sold, (row) => {
    const sums = sumsOf(row.channel);
    sums.orders += row.order_items ?? 0;
    sums.order_items += row.order_items ?? 0;
    sums.units += row.units;
    sums.ordered_units += row.units;
    sums.page_views += row.page_views ?? 0;
    const days = soldByDay(row, counting);
    if (days === undefined || row.currency === pricing.currency)
      addSales(sums, soldAmount(row, counting), row, pricing);
    else addDays(sums, days, row, pricing);
  });
  await eachInSlices(vendors, (row) => {
    const sums = sumsOf(row.channel);
    const isOrdered = counting.vendorRevenueType === 'orderedRevenue';
    sums.units += isOrdered ? row.ordered_units : row.shipped_units;
    sums.ordered_units += row.ordered_units;
    sums.page_views += row.glance_views;
    addSales(sums, vendorAmount(row, counting), row, pricing);
  });
  return byChannel;
}

/** The currencies other than the target in which the facts have sales. */
export function foreignSales(
  { sold, vendors }: Facts,
  counting: Counting,
  target: string,
): ReadonlySet<string> {
  const foreign = new Set<string>();
  const isLooked = (currency: string) => currency === target || foreign.has(currency);
  for (const row of sold) {
    if (isLooked(row.currency)) continue;
    const days = soldByDay(row, counting);
    if (days === undefined ? soldAmount(row, counting) !== 0n : hasSales(row, days))
      foreign.add(row.currency);
  }
  for (const row of vendors)
    if (!isLooked(row.currency) && vendorAmount(row, counting) !== 0n) foreign.add(row.currency);
  return foreign;
}

/** The sales of a row of several days, day by day from its `offset` on. */
function soldByDay(
  { prices, taxed_prices }: Sold,
  { includeTax }: Counting,
): Float64Array | undefined {
  return includeTax ? taxed_prices : prices;
}

function hasSales({ days = 0, offset = 0 }: Sold, sales: Float64Array): boolean {
  for (let index = 0; index < days; index++) if (sales[offset + index] !== 0) return true;
  return false;
}

function soldAmount({ item_price, item_tax }: Sold, { includeTax }: Counting): bigint {
  return includeTax ? item_price + item_tax : item_price;
}

function vendorAmount(row: VendorSold, { vendorRevenueType }: Counting): bigint {
  return vendorRevenueType === 'orderedRevenue' ? row.ordered_revenue : row.shipped_revenue;
}

function addSales(
  sums: SalesSums,
  amount: bigint,
  { currency, day }: { readonly currency: string; readonly day: number },
  pricing: Pricing,
): void {
  if (amount === 0n) return;
  if (currency === pricing.currency) sums.sales += amount;
  else if (pricing.missing.has(currency)) sums.unrated = currency;
  else sums.sales_converted += unitsOf(amount) * pricing.factors.of(currency, day);
}

/** Adds the sales of several days in a currency other than that of the answer. */
function addDays(
  sums: SalesSums,
  sales: Float64Array,
  row: Sold,
  { factors, missing }: Pricing,
): void {
  const { currency, day, days = 0, offset = 0 } = row;
  if (missing.has(currency)) {
    if (hasSales(row, sales)) sums.unrated = currency;
    return;
  }
  for (let index = 0; index < days; index++) {
    const amount = sales[offset + index]!;
    if (amount !== 0) sums.sales_converted += amount * factors.of(currency, day + index);
  }
}
