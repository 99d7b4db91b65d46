-- One row per vendor channel, date and currency: the ordered revenue of all its products, and the
-- shipped revenue of the units that the vendor itself supplied.
SELECT channel, day, currency, ordered_revenue, shipped_revenue
FROM vendor_day
WHERE one_of(channel, {channels:Array(Int32)}) AND day >= {first:Date} AND day <= {last:Date}
