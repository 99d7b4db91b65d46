-- One row per vendor channel, date and currency: the ordered figures and views of all its products,
-- and the shipped figures of the units that the vendor itself supplied.
SELECT
  channel, day, currency, glance_views, ordered_revenue, ordered_units, shipped_revenue,
  shipped_units
FROM vendor_day
WHERE one_of(channel, {channels:Array(Int32)}) AND day >= {first:Date} AND day <= {last:Date}
