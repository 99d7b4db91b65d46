-- One row per product of these SKUs, with every field of the dataset; null if it is unknown who
-- fulfils it.
SELECT
  sku, product_id, parent_product_id, title, brand, image_url, link_url, price, units_per_case,
  nullif(fulfilled_by_marketplace, -1) AS fulfilled_by_marketplace
FROM product
WHERE channel = {channel:Int32} AND in_list(sku, {keys:Array(String)})
