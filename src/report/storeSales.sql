-- One row per channel, date and currency with sales: those of the order lines, on the days of the
-- channel's own zone, and those in the marketplace's Sales and Traffic figures.
SELECT channel, day, currency, orders_cover, item_price, item_tax, traffic_revenue
FROM store_day
WHERE one_of(channel, {channels:Array(Int32)}) AND day >= {first:Date} AND day <= {last:Date}
  AND (item_price <> amount(0) OR item_tax <> amount(0) OR traffic_revenue <> amount(0))
