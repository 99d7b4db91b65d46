/** The metrics of the advertising lists. */

import { amountColumn, countColumn } from '../figures/columns.ts';
import { amount, count, percent, ratio, unitPrice } from '../figures/metrics.ts';
import { advertisingColumns } from './advertisingColumns.ts';

/** Decimal places of percents and plain ratios. */
const places = 2;

const { impressions, clicks, cost, sales, conversions, units, unitsSameSku } = advertisingColumns;
const { ordersNtb, unitsNtb, salesNtb } = advertisingColumns;

/** The metrics of products, none of which is about customers new to the brand. */
export const productMetrics = {
  impressions: count(impressions),
  clicks: count(clicks),
  cost: amount(cost),
  attributed_sales: amount(sales),
  attributed_sales_same_sku: amount(amountColumn('sales_same_sku')),
  attributed_conversions: count(conversions),
  attributed_conversions_same_sku: count(countColumn('conversions_same_sku')),
  attributed_units_ordered: count(units),
  attributed_units_ordered_same_sku: count(unitsSameSku),
  acos: percent(cost, sales, places),
  click_through_rate: percent(clicks, impressions, places),
  cost_per_click: unitPrice(cost, clicks),
  conversion_rate: percent(conversions, clicks, places),
  roas: ratio(sales, cost, places),
};

/** The metrics of ad groups. */
export const adGroupMetrics = {
  ...productMetrics,
  attributed_orders_ntb: count(ordersNtb),
  attributed_units_ordered_ntb: count(unitsNtb),
  attributed_sales_ntb: amount(salesNtb),
  attributed_orders_ntb_percentage: percent(ordersNtb, conversions, places),
  attributed_units_ordered_ntb_percentage: percent(unitsNtb, units, places),
  attributed_sales_ntb_percentage: percent(salesNtb, sales, places),
  attributed_detail_page_views_clicks: count(countColumn('detail_page_views')),
};

/** The metrics of campaigns. */
export const campaignMetrics = {
  ...adGroupMetrics,
  cost_per_acquisition: unitPrice(cost, conversions),
};
