-- One row per day and advertised product with figures from `first` to `last`: its `sums` and its
-- known details.
WITH sums AS (
  SELECT
    day,
    CASE WHEN product_id = '' THEN sku ELSE product_id END AS product_sku,
    {sums}
  FROM ad_product_day
  WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
  GROUP BY day, product_sku
)
SELECT
  sums.day AS day,
  sums.product_sku AS product_sku,
  coalesce(titles.title, '') AS product_title,
  coalesce(titles.image_url, '') AS image_url,
  coalesce(titles.link_url, '') AS link_url,
  {summed}
FROM sums
LEFT JOIN ({titles.sql}) AS titles ON titles.product_sku = sums.product_sku
ORDER BY sums.day, sums.product_sku
