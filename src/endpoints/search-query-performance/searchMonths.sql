-- One row per product, month (its first day) and currency with figures in either window, of the products of `asins`.
SELECT
  asin, day, currency, search_query_volume, total_impressions, impressions, total_clicks, clicks, total_cart_adds, cart_adds, total_purchases,
  purchases, revenue, total_revenue
FROM search_month
WHERE channel = {channel:Int32}
  AND ((day >= {first:Date} AND day <= {last:Date}) OR (day >= {priorFirst:Date} AND day <= {priorLast:Date}))
  AND one_of(asin, {asins:Array(String)})
