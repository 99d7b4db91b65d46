-- One row per day and keyword with figures from `first` to `last`: its `sums` and its known
-- details.
WITH sums AS (
  SELECT
    day,
    keyword_id,
    max(campaign_id) AS campaign_id,
    max(ad_group_id) AS ad_group_id,
    max(ad_type) AS ad_type,
    {sums}
  FROM keyword_day
  WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
  GROUP BY day, keyword_id
)
SELECT
  sums.day AS day,
  coalesce(keywords.campaign_id, sums.campaign_id) AS campaign_id,
  coalesce(keywords.ad_group_id, sums.ad_group_id) AS ad_group_id,
  sums.keyword_id AS keyword_id,
  coalesce(keywords.ad_type, sums.ad_type) AS ad_type,
  coalesce(campaigns.name, '') AS campaign_name,
  coalesce(groups.name, '') AS ad_group_name,
  coalesce(keywords.keyword_text, '') AS keyword_text,
  coalesce(keywords.match_type, '') AS match_type,
  coalesce(keywords.status, '') AS keyword_status,
  coalesce(campaigns.cost_type, groups.cost_type, '') AS cost_type,
  coalesce(keywords.bid, amount(0)) AS bid,
  {summed}
FROM sums
LEFT JOIN (SELECT * FROM keyword WHERE channel = {channel:Int32}) AS keywords
  ON keywords.keyword_id = sums.keyword_id
LEFT JOIN (SELECT * FROM campaign WHERE channel = {channel:Int32}) AS campaigns
  ON campaigns.campaign_id = coalesce(keywords.campaign_id, sums.campaign_id)
LEFT JOIN (SELECT * FROM ad_group WHERE channel = {channel:Int32}) AS groups
  ON groups.ad_group_id = coalesce(keywords.ad_group_id, sums.ad_group_id)
ORDER BY sums.day, sums.keyword_id
