-- One row per SKU of the catalogue that is one of `skus` or has one of `products` as its product
-- id.
SELECT
  sku, product_id, title, image_url, link_url, price, brand, fulfilled_by_marketplace
FROM product
WHERE channel = {channel:Int32} AND (
  one_of(sku, {skus:Array(String)}) OR one_of(product_id, {products:Array(String)})
)
ORDER BY sku
