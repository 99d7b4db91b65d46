-- One row per day of the channel's calendar and currency that has any fact of the whole store.
-- The order columns belong to the days of the channel's own zone; the daily ones to the date, whatever zone is asked for.
SELECT
  day, currency, orders_cover, line_items, units, item_price, item_tax, page_views, sessions, buy_box_weighted, buy_box_views,
  traffic_revenue, traffic_units, traffic_order_items, daily_rows, impressions, clicks, ad_cost, ad_sales
FROM store_day
WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
