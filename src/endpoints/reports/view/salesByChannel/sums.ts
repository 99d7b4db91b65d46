/** The sales of each channel in a period, in one currency. */

import type { DayTable } from '../../../../engine/segments/dayTable.ts';
import type { DateRange } from '../../../../engine/warehouse.ts';
import { plus } from '../../../../figures/cells.ts';
import type { FactorTable } from '../../../../figures/factors.ts';
import { unitsOf } from '../../../../figures/money.ts';
import { foreignAmounts } from '../../../../report/foreignAmounts.ts';
import type { OrderCount } from '../../../../report/orderCounts.ts';
import { type VendorRevenueType, vendorRevenueColumn } from '../../../../report/sales.ts';
import { eachInSlices } from '../../../../report/slices.ts';
import { eachSold, type Sold, type SoldFacts } from '../../../../report/soldDays.ts';

/** The facts of a period. */
export type Facts = {
  readonly window: DateRange;
  readonly sold: SoldFacts;
  readonly orders: readonly OrderCount[];
  readonly vendors: readonly DayTable[];
};

/**
 * The sums of a channel: its sales are an exact part and a converted one, in units. `unrated` is a
 * currency without a rate in which it has other amounts.
 */
export type ChannelSums = {
  sales: number | bigint;
  sales_converted: number;
  /** Orders and, on dates before all order lines, order items of traffic. */
  orders: number;
  /** How many of them are order items. */
  order_items: number;
  units: number;
  /** Units by which page views are divided: those ordered. */
  ordered_units: number;
  page_views: number;
  unrated?: string;
};

/** How amounts become those of the currency of the answer. */
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

/** The sums of no facts. */
export function withoutSales(): ChannelSums {
  return {
    sales: 0,
    sales_converted: 0,
    orders: 0,
    order_items: 0,
    units: 0,
    ordered_units: 0,
    page_views: 0,
  };
}

/** The facts on some days of a window. */
export function onDays(facts: Facts, window: DateRange): Facts {
  const { sold, orders } = facts;
  return {
    ...facts,
    window,
    sold: { ...sold, range: window },
    orders: orders.filter(({ day }) => day >= window.first && day <= window.last),
  };
}

/** The sums of a period by channel. */
export async function sumsByChannel(
  { sold, orders, vendors, window }: Facts,
  counting: Counting,
  pricing: Pricing,
): Promise<Map<number, ChannelSums>> {
  const byChannel = new Map<number, ChannelSums>();
  const sumsOf = (channel: number) => {
    const known = byChannel.get(channel);
    if (known !== undefined) return known;
    const sums = withoutSales();
    byChannel.set(channel, sums);
    return sums;
  };
  for (const row of orders) sumsOf(row.channel).orders += row.orders;
  await eachSold(sold, pricing.currency, (row) => {
    const sums = sumsOf(row.channel);
    sums.orders += row.order_items;
    sums.order_items += row.order_items;
    sums.units += row.units;
    sums.ordered_units += row.units;
    sums.page_views += row.page_views;
    addSales(sums, soldAmount(row, counting), row, pricing);
  });
  await eachInSlices(vendors, (table) => {
    const isOrdered = counting.vendorRevenueType === 'orderedRevenue';
    const [ordered, shipped] = [table.numbers('ordered_units'), table.numbers('shipped_units')];
    const views = table.numbers('glance_views');
    const revenue = table.numbers(vendorRevenueColumn(counting.vendorRevenueType));
    const currencies = table.texts('currency');
    const [start, end] = table.rowsOf(window);
    if (start === end) return 0;
    const sums = sumsOf(table.channel);
    sums.units += Number((isOrdered ? ordered : shipped).sum(start, end));
    sums.ordered_units += Number(ordered.sum(start, end));
    sums.page_views += Number(views.sum(start, end));
    for (let row = start; row < end; row++) {
      const currency = currencies.at(row);
      addSales(sums, revenue.at(row), { currency, day: table.days[row]! }, pricing);
    }
    return end - start;
  });
  return byChannel;
}

/** The currencies other than the target in which the facts have sales. */
export async function foreignSales(
  { sold, vendors, window }: Facts,
  counting: Counting,
  target: string,
): Promise<Set<string>> {
  const revenue = vendorRevenueColumn(counting.vendorRevenueType);
  const { currencies } = foreignAmounts(target, vendors, window, [revenue]);
  const foreign = new Set(currencies);
  await eachSold(
    sold,
    target,
    (row) => {
      if (row.currency !== target && soldAmount(row, counting) !== 0) foreign.add(row.currency);
    },
    (table) => !table.isIn(target),
  );
  return foreign;
}

function soldAmount({ price, tax }: Sold, { includeTax }: Counting): number | bigint {
  return includeTax ? plus(price, tax) : price;
}

function addSales(
  sums: ChannelSums,
  amount: number | bigint,
  { currency, day }: { readonly currency: string; readonly day: number },
  pricing: Pricing,
): void {
  if (amount === 0) return;
  if (currency === pricing.currency) sums.sales = plus(sums.sales, amount);
  else if (pricing.missing.has(currency)) sums.unrated = currency;
  else sums.sales_converted += unitsOf(amount) * pricing.factors.of(currency, day);
}
