-- One row per date and currency with traffic or advertising of the SKUs. Figures that name only a
-- product id belong to the SKU of the catalogue with this id, if only one SKU has it. Traffic that
-- several SKUs of a product repeat counts once.
WITH
  owners AS ({../../../report/productOwners.sql}),
  own_products AS (
    SELECT owned_product AS product_id
    FROM owners
    WHERE one_of(owner, {skus:Array(String)})
  ),
  products AS (
    SELECT
      day, currency, page_views, sessions, buy_box_weighted, buy_box_views,
      sum(revenue) AS traffic_revenue,
      CAST(sum(units) AS BIGINT) AS traffic_units,
      CAST(sum(order_items) AS BIGINT) AS traffic_order_items,
      CAST(count(*) AS BIGINT) AS traffic_rows
    FROM traffic
    WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
      AND (one_of(sku, {skus:Array(String)})
        OR (sku = '' AND product_id IN (SELECT product_id FROM own_products)))
    GROUP BY
      day, currency, page_views, sessions, mobile_sessions, buy_box_weighted, buy_box_views,
      product_id, parent_product_id, CASE WHEN product_id = '' THEN sku ELSE '' END
  ),
  parts AS (
    SELECT
      day, currency, page_views, sessions, buy_box_weighted, buy_box_views,
      traffic_revenue, traffic_units, traffic_order_items, traffic_rows AS daily_rows,
      0 AS impressions, 0 AS clicks, amount(0) AS ad_cost, amount(0) AS ad_sales
    FROM products
    UNION ALL
    SELECT
      day, currency, 0, 0, amount(0), 0,
      amount(0), 0, 0, 1,
      impressions, clicks, cost, sales
    FROM ad_product_day
    WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
      AND (one_of(sku, {skus:Array(String)})
        OR (sku = '' AND product_id IN (SELECT product_id FROM own_products)))
  )
SELECT
  day,
  currency,
  sum(traffic_revenue) AS traffic_revenue,
  CAST(sum(traffic_units) AS BIGINT) AS traffic_units,
  CAST(sum(traffic_order_items) AS BIGINT) AS traffic_order_items,
  CAST(sum(daily_rows) AS BIGINT) AS daily_rows,
  {sums}
FROM parts
GROUP BY day, currency
