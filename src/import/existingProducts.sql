-- One row per product of these SKUs.
SELECT sku
FROM product
WHERE channel = {channel:Int32} AND in_list(sku, {keys:Array(String)})
