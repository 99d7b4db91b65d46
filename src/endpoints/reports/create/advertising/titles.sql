-- One row per product of the channel, by product id and by SKU: the first of its SKUs that has a
-- title, else its first SKU. SKUs with the product id come before a SKU with that name.
SELECT
  product_sku,
  argMin(title, (untitled, place, sku)) AS title,
  argMin(image_url, (untitled, place, sku)) AS image_url,
  argMin(link_url, (untitled, place, sku)) AS link_url
FROM (
  SELECT
    product_id AS product_sku, 0 AS place, sku, title, image_url, link_url,
    CASE WHEN title = '' THEN 1 ELSE 0 END AS untitled
  FROM product
  WHERE channel = {channel:Int32} AND product_id <> ''
  UNION ALL
  SELECT sku, 1, sku, title, image_url, link_url, CASE WHEN title = '' THEN 1 ELSE 0 END
  FROM product
  WHERE channel = {channel:Int32}
) AS entries
GROUP BY product_sku
