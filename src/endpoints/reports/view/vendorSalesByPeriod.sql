-- One row per date and currency of a vendor's sales, and one per date and currency of its
-- advertising.
SELECT
  day, currency, glance_views, ordered_revenue, ordered_units,
  shipped_revenue, shipped_units, shipped_cogs,
  shipped_revenue_manufacturing, shipped_units_manufacturing, shipped_cogs_manufacturing,
  0 AS impressions, 0 AS clicks, amount(0) AS ad_cost, amount(0) AS ad_sales
FROM vendor_day
WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
UNION ALL
SELECT
  day, currency, 0, amount(0), 0,
  amount(0), 0, amount(0),
  amount(0), 0, amount(0),
  impressions, clicks, ad_cost, ad_sales
FROM store_day
WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date} AND daily_rows > 0
