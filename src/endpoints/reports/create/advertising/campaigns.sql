-- One row per day and campaign with figures from `first` to `last`: its `sums` and its known
-- details.
WITH sums AS (
  SELECT
    day,
    campaign_id,
    max(ad_type) AS ad_type,
    {sums}
  FROM campaign_day
  WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
  GROUP BY day, campaign_id
)
SELECT
  sums.day AS day,
  sums.campaign_id AS campaign_id,
  coalesce(campaigns.ad_type, sums.ad_type) AS ad_type,
  coalesce(campaigns.name, '') AS campaign_name,
  coalesce(campaigns.status, '') AS campaign_status,
  coalesce(campaigns.budget_type, '') AS budget_type,
  coalesce(campaigns.start_date, '') AS start_date,
  coalesce(campaigns.end_date, '') AS end_date,
  coalesce(campaigns.targeting_type, '') AS targeting_type,
  coalesce(campaigns.bidding_strategy, '') AS bidding_strategy,
  coalesce(campaigns.cost_type, '') AS cost_type,
  coalesce(campaigns.budget, amount(0)) AS budget,
  {summed}
FROM sums
LEFT JOIN (SELECT * FROM campaign WHERE channel = {channel:Int32}) AS campaigns
  ON campaigns.campaign_id = sums.campaign_id
ORDER BY sums.day, sums.campaign_id
