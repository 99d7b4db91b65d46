-- One row per campaign that matches the filters: known ones, and ones that only figures name.
SELECT
  coalesce(known.channel, sums.channel) AS channel,
  coalesce(known.campaign_id, sums.campaign_id) AS campaign_id,
  coalesce(known.ad_type, sums.ad_type) AS ad_type,
  known.ad_type AS known_ad_type,
  coalesce(known.name, '') AS campaign_name,
  coalesce(known.status, '') AS campaign_status,
  coalesce(known.budget_type, '') AS budget_type,
  coalesce(known.start_date, '') AS start_date,
  coalesce(known.end_date, '') AS end_date,
  coalesce(known.targeting_type, '') AS targeting_type,
  coalesce(known.bidding_strategy, '') AS bidding_strategy,
  coalesce(known.cost_type, '') AS cost_type,
  coalesce(known.budget, amount(0)) AS budget,
  {sumsOrZero}
FROM (SELECT * FROM campaign WHERE one_of(channel, {channels:Array(Int32)})) AS known
FULL JOIN sums ON known.channel = sums.channel AND known.campaign_id = sums.campaign_id
WHERE matches(coalesce(known.status, ''), {statuses:Array(String)})
  AND matches(coalesce(known.campaign_id, sums.campaign_id), {campaigns:Array(String)})
