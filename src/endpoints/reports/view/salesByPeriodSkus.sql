-- One row per date and currency with traffic or advertising of the SKUs.
WITH
  parts AS (
    SELECT
      day, currency, page_views, sessions, buy_box_weighted, buy_box_views,
      revenue AS traffic_revenue, units AS traffic_units, order_items AS traffic_order_items,
      0 AS impressions, 0 AS clicks, amount(0) AS ad_cost, amount(0) AS ad_sales
    FROM traffic
    WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
      AND one_of(sku, {skus:Array(String)})
    UNION ALL
    SELECT
      day, currency, 0, 0, amount(0), 0,
      amount(0), 0, 0,
      impressions, clicks, cost, sales
    FROM ad_product_day
    WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
      AND one_of(sku, {skus:Array(String)})
  )
SELECT
  day,
  currency,
  sum(traffic_revenue) AS traffic_revenue,
  CAST(sum(traffic_units) AS BIGINT) AS traffic_units,
  CAST(sum(traffic_order_items) AS BIGINT) AS traffic_order_items,
  CAST(count(*) AS BIGINT) AS daily_rows,
  {sums}
FROM parts
GROUP BY day, currency
