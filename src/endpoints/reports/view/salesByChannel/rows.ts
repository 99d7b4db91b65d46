/** The rows of salesByChannel: figures made of sums, their order, and how they are written. */
import type { Channel } from '../../../../access/channels.ts';
import { amountColumn, countColumn } from '../../../../figures/columns.ts';
import {
  amount,
  count,
  metricNumbers,
  type Places,
  percent,
  ratio,
  unitPrice,
} from '../../../../figures/metrics.ts';
import { currencyPlaces, roundedRatio, type Sum } from '../../../../figures/money.ts';
import type { OrdersBasis, SalesByChannelRow, SortKey } from './contract.ts';
import { healthOf } from './health.ts';
import type { Snapshots } from './snapshots.ts';
import { type ChannelSums, withoutSales } from './sums.ts';
import type { ChannelTargets } from './targets.ts';

/** Decimal places of percents and plain ratios. */
const percentPlaces = 2;
const unitPricePlacesMin = 2;

const sales = amountColumn('sales');
const orders = countColumn('orders');
const units = countColumn('units');
const pageViews = countColumn('page_views');

const metrics = {
  sales: amount(sales),
  orders: count(orders),
  avOrderValue: unitPrice(sales, orders),
  units: count(units),
  avOrderSize: ratio(units, orders, percentPlaces),
  pageViews: count(pageViews),
  conversions: percent(countColumn('ordered_units'), pageViews, percentPlaces),
};
type Name = keyof typeof metrics;
/** The metrics made of amounts, null where these have no rate. */
type Priced = 'sales' | 'avOrderValue';
type Figures = Readonly<Record<Exclude<Name, Priced>, number> & Record<Priced, number | null>>;

/** The sums of each channel in one period. */
export type SumsByChannel = ReadonlyMap<number, ChannelSums>;

/** All that the rows are made of, by channel. */
type Sources = Snapshots & {
  readonly current: SumsByChannel;
  readonly prior: SumsByChannel;
  readonly targets: ReadonlyMap<number, ChannelTargets>;
};

/** A row before it is written. */
export type Row = {
  readonly channel: Channel;
  readonly currency: string;
  readonly figures: Figures;
  readonly prior: Figures;
  readonly ordersBasis: SalesByChannelRow['ordersBasis'];
} & Pick<
  SalesByChannelRow,
  | 'salesSplit'
  | 'forecastTarget'
  | 'budgetTarget'
  | 'adspendLimit'
  | 'outOfStockPercentage'
  | 'buyBoxSnapshot'
>;

/** Makes the row of each channel, in the order of the channels. */
export function rowsOf(channels: readonly Channel[], currency: string, sources: Sources): Row[] {
  const { current, prior, targets, buyBox, outOfStock } = sources;
  const minor = currencyPlaces(currency);
  const places = { amount: minor, unitPrice: Math.max(unitPricePlacesMin, minor) };
  const total = totalOf(current);
  return channels.map((channel) => {
    const { channelNumber } = channel;
    const sums = current.get(channelNumber) ?? withoutSales();
    const before = prior.get(channelNumber) ?? withoutSales();
    const own = targets.get(channelNumber);
    return {
      channel,
      currency,
      figures: figuresOf(sums, places),
      prior: figuresOf(before, places),
      ordersBasis: { value: basisOf(sums), priorPeriodValue: basisOf(before) },
      salesSplit:
        sums.unrated === undefined ? roundedRatio(salesOf(sums), total, percentPlaces, 100) : null,
      forecastTarget: own?.sales_forecast ?? null,
      budgetTarget: own?.sales_budget ?? null,
      adspendLimit: own?.ad_spend_budget ?? null,
      outOfStockPercentage: outOfStock.get(channelNumber) ?? null,
      buyBoxSnapshot: buyBox.get(channelNumber) ?? { percentage: null, date: null },
    };
  });
}

/** The records that the number of orders of a channel is of. */
function basisOf({ orders, order_items }: ChannelSums): OrdersBasis {
  if (order_items === 0) return 'orders';
  return order_items === orders ? 'orderItems' : 'both';
}

function figuresOf(sums: ChannelSums, places: Places): Figures {
  const { unrated, sales, ...values } = sums;
  const figures = metricNumbers(metrics, { ...values, sales: BigInt(sales) }, places);
  return unrated === undefined ? figures : { ...figures, sales: null, avOrderValue: null };
}

function salesOf({ sales, sales_converted: converted }: ChannelSums): Sum {
  return { exact: BigInt(sales), converted };
}

/** The sales of all channels whose amounts have rates. */
function totalOf(sums: SumsByChannel): Sum {
  let [exact, converted] = [0n, 0];
  for (const one of sums.values()) {
    if (one.unrated !== undefined) continue;
    exact += BigInt(one.sales);
    converted += one.sales_converted;
  }
  return { exact, converted };
}

/**
 * Compares rows by a figure, null last in both directions. Sorting is stable, so equal rows stay in
 * the order of their channels.
 */
export function byFigure(key: SortKey, order: 'asc' | 'desc'): (one: Row, other: Row) => number {
  const keyOf = ({ figures, ...row }: Row): number | null =>
    key in figures ? figures[key as Name] : row[key as Exclude<SortKey, Name>];
  return (one, other) => {
    const [left, right] = [keyOf(one), keyOf(other)];
    if (left === right) return 0;
    if (left === null || right === null) return left === null ? 1 : -1;
    return left < right === (order === 'asc') ? -1 : 1;
  };
}

/** Writes a row as the contract says. */
export function writtenRow(row: Row): SalesByChannelRow {
  const { channel, currency, figures, prior, ...others } = row;
  const compared = <N extends Name>(name: N) => ({
    value: figures[name],
    priorPeriodValue: prior[name],
  });
  const integers = (name: 'orders' | 'units' | 'pageViews') => ({
    value: String(figures[name]),
    priorPeriodValue: String(prior[name]),
  });
  return {
    store: channel.displayName,
    storeId: channel.channelId,
    marketplace: { market: channel.marketplace, countryCode: channel.countryCode },
    currency,
    sales: compared('sales'),
    orders: integers('orders'),
    avOrderValue: compared('avOrderValue'),
    units: integers('units'),
    avOrderSize: compared('avOrderSize'),
    pageViews: integers('pageViews'),
    conversions: compared('conversions'),
    ...others,
    healthStatus: healthOf({
      sales: figures.sales,
      target: row.budgetTarget ?? row.forecastTarget,
      buyBox: row.buyBoxSnapshot.percentage,
      outOfStock: row.outOfStockPercentage,
    }),
  };
}
