-- One row per row of a page of SKUs, or products that no SKU owns, with traffic or sold units in
-- either window, the most viewed in the period first: the first `most` behind the row with `views`,
-- `product` and `name`. An item is a SKU, or a product whose source reports no SKU. The items of a
-- row are the SKU and the product ids that it owns. It belongs to the product that its last figures
-- name, else to the product in the catalogue. Few short columns decide which rows are in a page,
-- and texts are read only for the page, so that memory suffices for any number of products.
WITH
  seen AS (
    SELECT
      sku, product_id, max(day) AS last_day,
      sum(CASE WHEN day >= {first:Date} AND day <= {last:Date} THEN page_views ELSE 0 END)
        AS page_views,
      max(CASE WHEN page_views + sessions + units > 0 THEN 1 ELSE 0 END) AS is_active
    FROM traffic
    WHERE channel = {channel:Int32} AND (
      (day >= {first:Date} AND day <= {last:Date})
      OR (day >= {priorFirst:Date} AND day <= {priorLast:Date})
    )
    GROUP BY sku, product_id
  ),
  items AS (
    SELECT
      sku AS item_sku,
      CASE WHEN sku = '' THEN product_id ELSE '' END AS item_product,
      argMax(product_id, (last_day, product_id)) FILTER (WHERE product_id <> '')
        AS product_id,
      CAST(sum(page_views) AS BIGINT) AS page_views,
      max(is_active) AS is_active
    FROM seen
    GROUP BY sku, CASE WHEN sku = '' THEN product_id ELSE '' END
  ),
  owners AS ({../../../../report/productOwners.sql}),
  -- The catalogue is looked up for SKUs alone that may have traffic without a product.
  named AS (
    SELECT sku AS entry_sku, product_id AS entry_product_id
    FROM product
    WHERE channel = {channel:Int32} AND product_id <> '' AND sku IN (
      SELECT sku
      FROM traffic
      WHERE channel = {channel:Int32} AND product_id = '' AND (
        (day >= {first:Date} AND day <= {last:Date})
        OR (day >= {priorFirst:Date} AND day <= {priorLast:Date})
      )
    )
  ),
  owned AS (
    SELECT
      item_sku, item_product, page_views, is_active,
      CASE WHEN item_sku <> '' THEN item_sku ELSE coalesce(owner, '') END AS row_sku,
      CASE WHEN owner IS NULL THEN item_product ELSE '' END AS row_product,
      coalesce(items.product_id, entry_product_id) AS own_product_id
    FROM items
    LEFT JOIN named ON entry_sku = item_sku
    LEFT JOIN owners ON owned_product = item_product
  ),
  named_rows AS (
    SELECT
      row_sku, row_product,
      coalesce(max(CASE WHEN item_sku <> '' THEN own_product_id END), max(own_product_id))
        AS own_product_id,
      CAST(sum(page_views) AS BIGINT) AS row_views
    FROM owned
    GROUP BY row_sku, row_product
    HAVING max(is_active) = 1
  ),
  page AS (
    SELECT
      row_sku, row_product, own_product_id, row_views,
      coalesce(own_product_id, row_sku) AS product_sku
    FROM named_rows
    WHERE row_views < {views:Int64} OR (row_views = {views:Int64} AND (
      coalesce(own_product_id, row_sku) > {product:String}
      OR (coalesce(own_product_id, row_sku) = {product:String} AND row_sku > {name:String})
    ))
    ORDER BY row_views DESC, coalesce(own_product_id, row_sku), row_sku
    LIMIT {most:Int64}
  ),
  offered AS (
    SELECT
      row_sku, row_product, row_views, product_sku, entry.title AS title, entry.brand AS brand,
      entry.price AS price,
      CASE
        WHEN row_sku = '' OR coalesce(entry.title, '') = '' OR entry.brand = '' THEN own_product_id
      END AS lookup_product_id
    FROM page LEFT JOIN product AS entry
      ON entry.channel = {channel:Int32} AND entry.sku = row_sku
  ),
  shown AS (
    SELECT
      row_sku, row_product, row_views, product_sku,
      coalesce(
        nullif(offered.title, ''),
        argMin(other.title, other.sku) FILTER (WHERE other.title <> ''),
        ''
      ) AS title,
      coalesce(
        nullif(offered.brand, ''),
        argMin(other.brand, other.sku) FILTER (WHERE other.brand <> ''),
        ''
      ) AS brand,
      coalesce(
        CASE
          WHEN row_sku <> '' THEN offered.price
          WHEN min(other.price) FILTER (WHERE other.price > amount(0)) = max(other.price)
          THEN max(other.price)
        END,
        amount(0)
      ) AS price
    FROM offered LEFT JOIN product AS other
      ON other.channel = {channel:Int32} AND other.product_id = lookup_product_id
      AND other.product_id <> ''
    GROUP BY
      row_sku, row_product, row_views, product_sku, offered.title, offered.brand, offered.price
  )
SELECT row_views, title, product_sku, row_sku AS sku, brand, price
FROM shown
ORDER BY row_views DESC, product_sku, row_sku
