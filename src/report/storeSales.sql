-- One row per channel, date and currency with facts of a store: the sales of its order lines, on
-- the days of the channel's own zone, and the marketplace's Sales and Traffic figures.
SELECT
  channel, day, currency, orders_cover, line_items, units, item_price, item_tax,
  traffic_revenue, traffic_units, traffic_order_items, page_views, buy_box_weighted, buy_box_views
FROM store_day
WHERE one_of(channel, {channels:Array(Int32)}) AND day >= {first:Date} AND day <= {last:Date}
