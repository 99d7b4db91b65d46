-- One row per SKU of the catalogue that meets the condition `{listed}`.
SELECT
  sku, product_id, title, image_url, link_url, price, brand, fulfilled_by_marketplace
FROM product
WHERE channel = {channel:Int32} AND {listed}
ORDER BY sku
