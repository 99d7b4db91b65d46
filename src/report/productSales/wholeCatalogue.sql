-- One row per SKU of the catalogue of a channel.
SELECT
  sku, product_id, title, image_url, link_url, price, brand, fulfilled_by_marketplace
FROM product
WHERE channel = {channel:Int32}
ORDER BY sku
