-- One row per held product of the SKUs asked for.
SELECT sku
FROM product
WHERE channel = {channel:Int32} AND in_list(sku, {keys:Array(String)})
