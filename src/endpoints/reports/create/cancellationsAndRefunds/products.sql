-- One row per SKU of a page with order lines or refunds in either window, the one with the most
-- units ordered in the period first. Order lines without a SKU belong to the SKU that owns their
-- product id or, if none does, to a row of their product; facts with neither share one row. The
-- rows are the first `most` behind the one with `units` and `product`. The known id of a SKU is the
-- product that it was last ordered as, else the product in the catalogue. Few short columns decide
-- which rows are in a page, and texts are read only for the page, so that memory suffices for any
-- number of products.
WITH
  owners AS ({../../../../report/productOwners.sql}),
  items AS (
    SELECT
      sku AS item_sku,
      CASE WHEN sku = '' THEN product_id ELSE '' END AS item_product,
      argMax(product_id, (fact_at, product_id)) FILTER (WHERE product_id <> '') AS product_id,
      CAST(
        sum(CASE WHEN fact_at >= {from:Int64} AND fact_at <= {to:Int64} THEN gross_units ELSE 0 END)
        AS BIGINT
      ) AS units
    FROM ({facts.sql}) AS fact
    GROUP BY sku, CASE WHEN sku = '' THEN product_id ELSE '' END
  ),
  owned AS (
    SELECT
      item_sku, item_product, items.units AS units,
      coalesce(items.product_id, nullif(entry.product_id, '')) AS known_id,
      CASE WHEN item_sku = '' THEN coalesce(owner, item_product) ELSE item_sku END AS row_product
    FROM items
    LEFT JOIN product AS entry ON entry.channel = {channel:Int32} AND entry.sku = item_sku
    LEFT JOIN owners ON owned_product = item_product
  ),
  page AS (
    SELECT
      row_product,
      coalesce(max(CASE WHEN item_sku <> '' THEN known_id END), max(known_id), '') AS known_id,
      CAST(sum(units) AS BIGINT) AS row_units
    FROM owned
    GROUP BY row_product
    HAVING sum(units) < {units:Int64}
      OR (sum(units) = {units:Int64} AND row_product > {product:String})
    ORDER BY sum(units) DESC, row_product
    LIMIT {most:Int64}
  ),
  members AS (
    SELECT item_sku, item_product, page.row_product AS row_product
    FROM owned JOIN page ON page.row_product = owned.row_product
  ),
  entries AS (
    SELECT row_product, 0 AS place, entry.sku AS sku, title, image_url, link_url
    FROM members JOIN product AS entry ON entry.channel = {channel:Int32} AND entry.sku = item_sku
    UNION ALL
    SELECT row_product, 1, entry.sku, title, image_url, link_url
    FROM page JOIN product AS entry
      ON entry.channel = {channel:Int32} AND entry.product_id = known_id
    WHERE entry.product_id <> ''
  ),
  texts AS (
    SELECT
      row_product,
      argMin(title, (place, sku)) FILTER (WHERE title <> '') AS title,
      argMin(image_url, (place, sku)) FILTER (WHERE image_url <> '') AS image_url,
      argMin(link_url, (place, sku)) FILTER (WHERE link_url <> '') AS link_url
    FROM entries
    GROUP BY row_product
  )
SELECT
  row_units,
  page.row_product AS product_id,
  known_id,
  coalesce(title, '') AS title,
  coalesce(image_url, '') AS image_url,
  coalesce(link_url, '') AS link_url
FROM page LEFT JOIN texts ON texts.row_product = page.row_product
ORDER BY row_units DESC, page.row_product
