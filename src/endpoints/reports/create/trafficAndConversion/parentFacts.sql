-- One row per date of an item with traffic in a window, `first` to `last`, with its parent product:
-- the part `facts` of parentFigures.sql. The parents are those of both windows. All SKUs of a
-- product repeat its traffic, of which that of the first counts.
  {children.sql},
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
  ),
  facts AS (
    SELECT
      parent_sku AS row_key, day, currency, counted.page_views AS page_views, sessions,
      mobile_sessions, buy_box_views, buy_box_weighted, units, revenue
    FROM counted JOIN children ON item_sku = counted.sku AND item_product = product
  )
