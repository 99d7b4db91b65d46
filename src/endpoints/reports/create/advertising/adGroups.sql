-- One row per day and ad group with figures from `first` to `last`: its `sums` and its known
-- details.
WITH sums AS (
  SELECT
    day,
    ad_group_id,
    max(campaign_id) AS campaign_id,
    max(ad_type) AS ad_type,
    {sums}
  FROM ad_group_day
  WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
  GROUP BY day, ad_group_id
)
SELECT
  sums.day AS day,
  coalesce(groups.campaign_id, sums.campaign_id) AS campaign_id,
  sums.ad_group_id AS ad_group_id,
  coalesce(groups.ad_type, sums.ad_type) AS ad_type,
  coalesce(campaigns.name, '') AS campaign_name,
  coalesce(groups.name, '') AS ad_group_name,
  coalesce(groups.status, '') AS ad_group_status,
  coalesce(groups.cost_type, '') AS cost_type,
  coalesce(groups.default_bid, amount(0)) AS default_bid,
  {summed}
FROM sums
LEFT JOIN (SELECT * FROM ad_group WHERE channel = {channel:Int32}) AS groups
  ON groups.ad_group_id = sums.ad_group_id
LEFT JOIN (SELECT * FROM campaign WHERE channel = {channel:Int32}) AS campaigns
  ON campaigns.campaign_id = coalesce(groups.campaign_id, sums.campaign_id)
ORDER BY sums.day, sums.ad_group_id
