-- One row per day and product ad with figures from `first` to `last`: its `sums` and its known
-- details.
WITH sums AS (
  SELECT
    day,
    campaign_id,
    ad_group_id,
    ad_type,
    product_id,
    sku,
    CASE WHEN product_id = '' THEN sku ELSE product_id END AS product_sku,
    {sums}
  FROM ad_product_day
  WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
  GROUP BY day, campaign_id, ad_group_id, ad_type, product_id, sku
)
SELECT
  sums.day AS day,
  sums.campaign_id AS campaign_id,
  sums.ad_group_id AS ad_group_id,
  sums.ad_type AS ad_type,
  sums.product_sku AS product_sku,
  sums.sku AS sku,
  coalesce(campaigns.name, '') AS campaign_name,
  coalesce(groups.name, '') AS ad_group_name,
  coalesce(titles.title, '') AS product_title,
  coalesce(titles.image_url, '') AS image_url,
  coalesce(titles.link_url, '') AS link_url,
  {summed}
FROM sums
LEFT JOIN ({titles.sql}) AS titles ON titles.product_sku = sums.product_sku
LEFT JOIN (SELECT * FROM campaign WHERE channel = {channel:Int32}) AS campaigns
  ON campaigns.campaign_id = sums.campaign_id
LEFT JOIN (SELECT * FROM ad_group WHERE channel = {channel:Int32}) AS groups
  ON groups.ad_group_id = sums.ad_group_id
ORDER BY sums.day, sums.campaign_id, sums.ad_group_id, sums.ad_type, sums.product_id, sums.sku
