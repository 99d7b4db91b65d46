-- One row per parent product with traffic in a window, `first` to `last`: of `keys`, or of all
-- where it is empty. The parents are those of both windows. All SKUs of a product repeat its
-- traffic, of which that of the first counts.
WITH
  {children},
  counted AS (
    SELECT
      sku, day, currency, units, revenue,
      CASE WHEN sku = '' THEN product_id ELSE '' END AS product,
      CASE WHEN repeats_traffic = 0 THEN page_views ELSE 0 END AS page_views,
      CASE WHEN repeats_traffic = 0 THEN sessions ELSE 0 END AS sessions,
      CASE WHEN repeats_traffic = 0 THEN mobile_sessions ELSE 0 END AS mobile_sessions,
      CASE WHEN repeats_traffic = 0 THEN buy_box_views ELSE 0 END AS buy_box_views,
      CASE WHEN repeats_traffic = 0 THEN buy_box_weighted ELSE amount(0) END AS buy_box_weighted
    FROM traffic
    WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
  )
SELECT
  parent_sku AS row_key,
  CAST(sum(counted.page_views) AS BIGINT) AS page_views,
  CAST(sum(sessions) AS BIGINT) AS sessions,
  CAST(sum(mobile_sessions) AS BIGINT) AS mobile_sessions,
  CAST(sum(buy_box_views) AS BIGINT) AS buy_box_views,
  sum(buy_box_weighted) AS buy_box_weighted,
  CAST(sum(units) AS BIGINT) AS units,
  sum(unconverted(revenue, currency)) AS revenue,
  CAST(sum_converted(revenue, currency, day) AS DOUBLE) AS revenue_converted
FROM counted JOIN children ON item_sku = counted.sku AND item_product = product
WHERE matches(parent_sku, {keys:Array(String)})
GROUP BY parent_sku
