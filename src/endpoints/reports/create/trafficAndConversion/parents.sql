-- One row per item of the parent products of a page, or products without a parent: the part
-- `members` of trafficAndConversion.sql.
  products AS (
    SELECT
      product_id,
      max(nullif(parent_product_id, '')) AS parent_product_id,
      min(CASE WHEN title <> '' THEN sku END) AS titled_sku
    FROM product
    WHERE channel = {channel:Int32} AND product_id <> ''
    GROUP BY product_id
  ),
  owned AS (
    SELECT
      item_sku, item_product, page_views, is_active,
      coalesce(items.product_id, nullif(entry.product_id, '')) AS own_product_id,
      coalesce(items.parent_product_id, nullif(entry.parent_product_id, ''))
        AS own_parent_product_id,
      CASE WHEN entry.title <> '' THEN item_sku END AS titled_sku
    FROM items LEFT JOIN product AS entry
      ON entry.channel = {channel:Int32} AND entry.sku = item_sku
  ),
  children AS (
    SELECT
      item_sku, item_product, page_views, is_active, own_product_id,
      coalesce(own_parent_product_id, products.parent_product_id, own_product_id, item_sku)
        AS parent_sku,
      coalesce(owned.titled_sku, products.titled_sku) AS titled_sku
    FROM owned LEFT JOIN products ON products.product_id = own_product_id
  ),
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
  ),
  members AS (
    SELECT item_sku, item_product, row_views, product_sku, page.titled_sku AS titled_sku
    FROM children JOIN page ON product_sku = parent_sku
  )
