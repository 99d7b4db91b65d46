-- One row per fact of the comparison period, SKU of the catalogue, and SKU and snapshot of the
-- inventory up to `last`: the part `listed` of pages of all products.
SELECT sku, product_id
FROM {sold} AS sold
UNION ALL
SELECT sku, product_id
FROM {advertised} AS advertised
UNION ALL
SELECT sku, ''
FROM product
WHERE channel = {channel:Int32}
UNION ALL
SELECT sku, ''
FROM inventory
WHERE channel = {channel:Int32} AND day <= {last:Date}
