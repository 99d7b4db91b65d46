-- One row per parent product of a page with traffic or sold units in either window, the one most
-- viewed in the period first: the first `most` behind the row with `views` and `product`. Few short
-- columns decide which rows are in a page, and titles are read only for the page, so that memory
-- suffices for any number of products.
WITH
  {children.sql},
  page AS (
    SELECT
      parent_sku AS product_sku,
      CAST(sum(page_views) AS BIGINT) AS row_views,
      argMin(titled_sku, (-page_views, item_sku, coalesce(own_product_id, '')))
        FILTER (WHERE titled_sku IS NOT NULL) AS titled_sku
    FROM children
    GROUP BY parent_sku
    HAVING max(is_active) = 1 AND (
      sum(page_views) < {views:Int64}
      OR (sum(page_views) = {views:Int64} AND parent_sku > {product:String})
    )
    ORDER BY sum(page_views) DESC, parent_sku
    LIMIT {most:Int64}
  )
SELECT row_views, product_sku, coalesce(entry.title, '') AS title
FROM page
LEFT JOIN products AS family ON family.product_id = product_sku
LEFT JOIN product AS entry
  ON entry.channel = {channel:Int32} AND entry.sku = coalesce(family.titled_sku, page.titled_sku)
ORDER BY row_views DESC, product_sku
