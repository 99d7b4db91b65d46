-- One row per SKU of `skus` that is in the channel's catalogue.
SELECT sku, product_id, title
FROM product
WHERE channel = {channel:Int32} AND one_of(sku, {skus:Array(String)})
