-- One row per row of SKUs, or products that no SKU owns, with traffic in a window, from `first` to
-- `last`: of `keys`, or of all where it is empty. The key of a product is its id after `ofProduct`.
WITH
  owners AS ({owners}),
  owned AS (
    SELECT
      CASE
        WHEN sku <> '' THEN sku
        WHEN owner IS NOT NULL THEN owner
        ELSE concat({ofProduct:String}, product_id)
      END AS row_key,
      day, currency, page_views, sessions, mobile_sessions, buy_box_views, buy_box_weighted, units,
      revenue
    FROM (
      SELECT *
      FROM traffic
      WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
    ) AS seen
    LEFT JOIN owners ON owned_product = CASE WHEN sku = '' THEN product_id ELSE '' END
  )
SELECT
  row_key,
  CAST(sum(page_views) AS BIGINT) AS page_views,
  CAST(sum(sessions) AS BIGINT) AS sessions,
  CAST(sum(mobile_sessions) AS BIGINT) AS mobile_sessions,
  CAST(sum(buy_box_views) AS BIGINT) AS buy_box_views,
  sum(buy_box_weighted) AS buy_box_weighted,
  CAST(sum(units) AS BIGINT) AS units,
  sum(unconverted(revenue, currency)) AS revenue,
  CAST(sum_converted(revenue, currency, day) AS DOUBLE) AS revenue_converted
FROM owned
WHERE matches(row_key, {keys:Array(String)})
GROUP BY row_key
