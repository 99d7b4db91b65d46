-- One row per SKU of the channels that is in `products`, or whose product id is.
SELECT channel, sku, product_id, title, image_url, link_url
FROM product
WHERE one_of(channel, {channels:Array(Int32)})
  AND (one_of(product_id, {products:Array(String)}) OR one_of(sku, {products:Array(String)}))
ORDER BY channel, sku
