-- One row per SKU of a page, or product without a SKU: the part `members` of
-- trafficAndConversion.sql.
  -- The catalogue is looked up for SKUs alone that may have traffic without a product.
  named AS (
    SELECT sku AS entry_sku, product_id AS entry_product_id
    FROM product
    WHERE channel = {channel:Int32} AND product_id <> '' AND sku IN (
      SELECT sku
      FROM traffic
      WHERE channel = {channel:Int32} AND product_id = '' AND {inWindows}
    )
  ),
  owned AS (
    SELECT
      item_sku, item_product, page_views,
      coalesce(items.product_id, entry_product_id) AS own_product_id
    FROM items LEFT JOIN named ON entry_sku = item_sku
    WHERE is_active = 1
  ),
  page AS (
    SELECT
      item_sku, item_product, own_product_id, page_views AS row_views,
      coalesce(own_product_id, item_sku) AS product_sku
    FROM owned
    WHERE page_views < {views:Int64} OR (page_views = {views:Int64} AND (
      coalesce(own_product_id, item_sku) > {product:String}
      OR (coalesce(own_product_id, item_sku) = {product:String} AND item_sku > {name:String})
    ))
    ORDER BY page_views DESC, coalesce(own_product_id, item_sku), item_sku
    LIMIT {most:Int64}
  ),
  offered AS (
    SELECT
      item_sku, item_product, row_views, product_sku, entry.title AS title, entry.brand AS brand,
      entry.price AS price,
      CASE
        WHEN item_sku = '' OR coalesce(entry.title, '') = '' OR entry.brand = '' THEN own_product_id
      END AS lookup_product_id
    FROM page LEFT JOIN product AS entry
      ON entry.channel = {channel:Int32} AND entry.sku = item_sku
  ),
  members AS (
    SELECT
      item_sku, item_product, row_views, product_sku, item_sku AS sku,
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
          WHEN item_sku <> '' THEN offered.price
          WHEN min(other.price) FILTER (WHERE other.price > amount(0)) = max(other.price)
          THEN max(other.price)
        END,
        amount(0)
      ) AS price
    FROM offered LEFT JOIN product AS other
      ON other.channel = {channel:Int32} AND other.product_id = lookup_product_id
      AND other.product_id <> ''
    GROUP BY
      item_sku, item_product, row_views, product_sku, offered.title, offered.brand, offered.price
  )
