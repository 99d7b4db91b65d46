-- One row per product id of a channel's catalogue, with the first SKU that has it, and with the
-- owner: the SKU to which a figure of the product id alone belongs, NULL where several SKUs have
-- it.
SELECT
  product_id AS owned_product,
  min(sku) AS first_sku,
  CASE WHEN count(*) = 1 THEN min(sku) END AS owner
FROM product
WHERE channel = {channel:Int32} AND product_id <> ''
GROUP BY product_id
