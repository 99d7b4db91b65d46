-- One row per product of a page with sales in either window, the one with the most units of the
-- period first: the first `most` behind the one with `units` and `product`. The part `sales` has
-- the sales of both windows. Few short columns decide which products are in a page, and texts are
-- read only for the page, so that memory suffices for any number of products.
WITH
  ranked AS (
    SELECT
      asin,
      CAST(sum(CASE WHEN day >= {first:Date} AND day <= {last:Date} THEN units ELSE 0 END)
        AS BIGINT) AS row_units
    FROM {sales} AS sale
    GROUP BY asin
    HAVING max(is_active) = 1
  ),
  page AS (
    SELECT asin, row_units
    FROM ranked
    WHERE row_units < {units:Int64} OR (row_units = {units:Int64} AND asin > {product:String})
    ORDER BY row_units DESC, asin
    LIMIT {most:Int64}
  ),
  texts AS (
    SELECT
      page.asin AS text_asin,
      argMin(title, sku) FILTER (WHERE title <> '') AS title,
      argMin(brand, sku) FILTER (WHERE brand <> '') AS brand
    FROM page JOIN product AS entry
      ON entry.channel = {channel:Int32} AND entry.product_id = page.asin
    GROUP BY page.asin
  )
SELECT
  row_units,
  asin,
  coalesce(title, '') AS title,
  coalesce(brand, '') AS brand
FROM page LEFT JOIN texts ON text_asin = asin
ORDER BY row_units DESC, asin
