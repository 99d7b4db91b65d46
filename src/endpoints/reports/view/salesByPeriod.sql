-- One row per date and currency with any fact of the whole store. Orders fall on the days of the
-- channel's own zone, traffic and advertising on the marketplace's dates, whatever zone a request
-- names.
SELECT
  day, currency, orders_cover, line_items, units, item_price, item_tax,
  traffic_revenue, traffic_units, traffic_order_items, daily_rows, {columns}
FROM store_day
WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
