-- One row per ad group that matches the filters: known ones, and ones that only figures name. The
-- figures may lack the campaign of a known ad group.
SELECT
  coalesce(known.channel, sums.channel) AS channel,
  coalesce(known.ad_group_id, sums.ad_group_id) AS ad_group_id,
  coalesce(known.campaign_id, named.campaign_id) AS campaign_id,
  coalesce(campaigns.name, '') AS campaign_name,
  coalesce(known.ad_type, sums.ad_type) AS ad_type,
  known.ad_type AS known_ad_type,
  coalesce(known.name, '') AS ad_group_name,
  coalesce(known.status, '') AS ad_group_status,
  coalesce(known.cost_type, '') AS cost_type,
  coalesce(known.default_bid, amount(0)) AS default_bid,
  {sumsOrZero}
FROM (SELECT * FROM ad_group WHERE one_of(channel, {channels:Array(Int32)})) AS known
FULL JOIN sums ON known.channel = sums.channel AND known.ad_group_id = sums.ad_group_id
LEFT JOIN ({named.sql}) AS named
  ON named.channel = sums.channel AND named.ad_group_id = sums.ad_group_id
LEFT JOIN (SELECT * FROM campaign WHERE one_of(channel, {channels:Array(Int32)})) AS campaigns
  ON coalesce(known.channel, sums.channel) = campaigns.channel
  AND coalesce(known.campaign_id, named.campaign_id) = campaigns.campaign_id
WHERE matches(coalesce(known.status, ''), {statuses:Array(String)})
  AND matches(coalesce(known.campaign_id, named.campaign_id), {campaigns:Array(String)})
