-- One row per vendor channel, date and currency: what was ordered of all its products, and the shipped revenue of what the vendor itself supplied.
SELECT channel, day, currency, ordered_revenue, shipped_revenue
FROM vendor_day
WHERE channel >= {leastChannel:Int32} AND channel <= {mostChannel:Int32} AND one_of(channel, {channels:Array(Int32)})
  AND day >= {first:Date} AND day <= {last:Date}
