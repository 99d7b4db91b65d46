-- One row per channel, date and currency on which the marketplace's Sales and Traffic figures tell of sales.
SELECT channel, day, currency, traffic_revenue
FROM store_day
WHERE channel >= {leastChannel:Int32} AND channel <= {mostChannel:Int32} AND one_of(channel, {channels:Array(Int32)})
  AND day >= {first:Date} AND day <= {last:Date} AND traffic_revenue <> amount(0)
