-- One row per product of a page: the products with figures from `first` to `last` (the current
-- period) or from `priorFirst` to `priorLast`, restricted to `asins` unless it is empty; among
-- these, the `most` products with the most current impressions. Only the column that sorts the page
-- (`key`) is computed, from the figures of the current period; prior figures only show that a
-- product exists.
WITH
  figures AS (
    SELECT
      asin, day, currency, search_query_volume, total_impressions, impressions, total_clicks,
      clicks, total_cart_adds, cart_adds, total_purchases, purchases, revenue, total_revenue
    FROM search_month
    WHERE channel = {channel:Int32} AND matches(asin, {asins:Array(String)})
      AND day >= {first:Date} AND day <= {last:Date}
    UNION ALL
    SELECT asin, day, currency, 0, 0, 0, 0, 0, 0, 0, 0, 0, amount(0), amount(0)
    FROM search_month
    WHERE channel = {channel:Int32} AND matches(asin, {asins:Array(String)})
      AND day >= {priorFirst:Date} AND day <= {priorLast:Date}
  ),
  chosen AS (
    SELECT asin, {key} AS sorted_by
    FROM figures
    GROUP BY asin
    ORDER BY sum(impressions) DESC, asin
    LIMIT {most:Int32}
  )
SELECT asin, CAST(count(*) OVER () AS BIGINT) AS matching
FROM chosen
ORDER BY {order}
LIMIT {limit:Int32} OFFSET {offset:Int64}
