-- One row per item with traffic in either window, with its parent product: the part `children` of
-- questions. An item is a SKU, or a product whose source reports no SKU. It belongs to the product
-- and the parent that its last figures name, else to those in the catalogue; a product without a
-- parent is its own parent. All SKUs of a product repeat its traffic; only the first SKU's counts.
  seen AS (
    SELECT
      sku, product_id, parent_product_id, max(day) AS last_day,
      sum(
        CASE
          WHEN repeats_traffic = 0 AND day >= {first:Date} AND day <= {last:Date} THEN page_views
          ELSE 0
        END
      ) AS page_views,
      max(CASE WHEN page_views + sessions + units > 0 THEN 1 ELSE 0 END) AS is_active
    FROM traffic
    WHERE channel = {channel:Int32} AND (
      (day >= {first:Date} AND day <= {last:Date})
      OR (day >= {priorFirst:Date} AND day <= {priorLast:Date})
    )
    GROUP BY sku, product_id, parent_product_id
  ),
  items AS (
    SELECT
      sku AS item_sku,
      CASE WHEN sku = '' THEN product_id ELSE '' END AS item_product,
      argMax(product_id, (last_day, product_id)) FILTER (WHERE product_id <> '')
        AS product_id,
      argMax(parent_product_id, (last_day, product_id)) FILTER (WHERE parent_product_id <> '')
        AS parent_product_id,
      CAST(sum(page_views) AS BIGINT) AS page_views,
      max(is_active) AS is_active
    FROM seen
    GROUP BY sku, CASE WHEN sku = '' THEN product_id ELSE '' END
  ),
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
  )
