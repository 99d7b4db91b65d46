-- One row per product of `asins`, month (its first day) and currency with figures in either
-- period.
SELECT
  asin, day, currency, search_query_volume, total_impressions, impressions, total_clicks, clicks,
  total_cart_adds, cart_adds, total_purchases, purchases, revenue, total_revenue
FROM search_month
WHERE channel = {channel:Int32} AND one_of(asin, {asins:Array(String)}) AND (
  (day >= {first:Date} AND day <= {last:Date})
  OR (day >= {priorFirst:Date} AND day <= {priorLast:Date})
)
