-- One row per channel, date and currency with sales in the marketplace's Sales and Traffic figures.
SELECT channel, day, currency, traffic_revenue
FROM store_day
WHERE one_of(channel, {channels:Array(Int32)}) AND day >= {first:Date} AND day <= {last:Date}
  AND traffic_revenue <> amount(0)
