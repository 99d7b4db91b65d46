-- One row per vendor channel, date and currency: what was ordered of all its products, and the shipped revenue of what the vendor itself supplied.
SELECT
  channel,
  day,
  currency,
  sum(CASE WHEN view = 'MANUFACTURING' THEN ordered_revenue ELSE amount(0) END) AS ordered_revenue,
  sum(CASE WHEN view = 'SOURCING' THEN shipped_revenue ELSE amount(0) END) AS shipped_revenue
FROM vendor_sale
WHERE channel >= {leastChannel:Int32} AND channel <= {mostChannel:Int32} AND one_of(channel, {channels:Array(Int32)})
  AND day >= {first:Date} AND day <= {last:Date}
GROUP BY channel, day, currency
