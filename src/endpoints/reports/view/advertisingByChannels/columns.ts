/** The metrics of advertisingByChannels, and the columns that they are made of. */

import { amountColumn } from '../../../../figures/columns.ts';
import {
  amount,
  type ColumnOf,
  columnsOf,
  count,
  percent,
  ratio,
  unitPrice,
} from '../../../../figures/metrics.ts';
import { advertisingColumns } from '../../../../report/advertisingColumns.ts';

/** Decimal places of percents and plain ratios. */
const places = 2;

const { impressions, clicks, cost, sales, conversions, units, unitsSameSku } = advertisingColumns;
const { ordersNtb, unitsNtb, salesNtb } = advertisingColumns;
/** All sales of the channel, attributed to ads or not. */
export const totalSales = amountColumn('total_sales');

/** The metrics with a companion for the prior window. */
export const comparedMetrics = {
  adsales: amount(sales),
  spend: amount(cost),
  acos: percent(cost, sales, places),
  roas: ratio(sales, cost, places),
  tacos: percent(cost, totalSales, places),
  troas: ratio(totalSales, cost, places),
};
/** The metrics of the current window alone. */
export const otherMetrics = {
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
  attributed_units_ordered_same_sku: count(unitsSameSku),
};

/** A column of the metrics. */
export type Column = ColumnOf<typeof comparedMetrics> | ColumnOf<typeof otherMetrics>;
/** All columns. */
export const columns: Column[] = columnsOf({ ...comparedMetrics, ...otherMetrics });
/** A column of campaign figures. */
export type CampaignColumn = Exclude<Column, typeof totalSales>;
/** The columns of campaign figures. */
export const campaignColumns = columns.filter(
  (column): column is CampaignColumn => column !== totalSales,
);
