-- One row per month (its first day), product and currency with search queries.
-- Own purchases are valued at the product's median purchase price, else the market's, else the
-- product's median click price, else 0; purchases of the market at its median purchase price.
SELECT
  day,
  asin,
  currency,
  CAST(sum(search_query_volume) AS BIGINT) AS search_query_volume,
  CAST(sum(total_impressions) AS BIGINT) AS total_impressions,
  CAST(sum(impressions) AS BIGINT) AS impressions,
  CAST(sum(total_clicks) AS BIGINT) AS total_clicks,
  CAST(sum(clicks) AS BIGINT) AS clicks,
  CAST(sum(total_cart_adds) AS BIGINT) AS total_cart_adds,
  CAST(sum(cart_adds) AS BIGINT) AS cart_adds,
  CAST(sum(total_purchases) AS BIGINT) AS total_purchases,
  CAST(sum(purchases) AS BIGINT) AS purchases,
  sum(purchases * CASE
    WHEN median_purchase_price > 0 THEN median_purchase_price
    WHEN total_median_purchase_price > 0 THEN total_median_purchase_price
    ELSE median_click_price
  END) AS revenue,
  sum(total_purchases * total_median_purchase_price) AS total_revenue
FROM search_query
WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
  AND matches(day, {days:Array(Date)})
GROUP BY day, asin, currency
