-- One row per SKU and product id of these product ids: from the catalogue, and from order lines if
-- the catalogue has no product id for the SKU.
SELECT sku, product_id
FROM product
WHERE channel = {channel:Int32} AND in_list(product_id, {keys:Array(String)})
UNION ALL
SELECT DISTINCT sku, product_id
FROM order_line
WHERE channel = {channel:Int32} AND in_list(product_id, {keys:Array(String)}) AND sku <> ''
  AND sku NOT IN (SELECT sku FROM product WHERE channel = {channel:Int32} AND product_id <> '')
