-- One row per product of `keys` that has a title as the product of a SKU (with several SKUs, the
-- first title), and one per product that has a title as a SKU.
SELECT product_id AS row_key, 1 AS is_product, argMin(title, sku) AS title
FROM product
WHERE channel = {channel:Int32} AND title <> '' AND in_list(product_id, {keys:Array(String)})
GROUP BY product_id
UNION ALL
SELECT sku, 0, title
FROM product
WHERE channel = {channel:Int32} AND title <> '' AND in_list(sku, {keys:Array(String)})
