-- One row per product id that one SKU of the catalogue has: the part `owners` of questions. A
-- figure of a product id alone belongs to that SKU.
  owners AS (
    SELECT product_id AS owned_product, min(sku) AS owner
    FROM product
    WHERE channel = {channel:Int32} AND product_id <> ''
    GROUP BY product_id
    HAVING count(*) = 1
  )
