-- One row per keyword that matches the filters: known ones, and ones that only figures name. The
-- figures may lack the ad group and the campaign of a known keyword.
SELECT
  coalesce(known.channel, sums.channel) AS channel,
  coalesce(known.keyword_id, sums.keyword_id) AS keyword_id,
  coalesce(known.campaign_id, named.campaign_id) AS campaign_id,
  coalesce(known.ad_group_id, named.ad_group_id) AS ad_group_id,
  coalesce(known.ad_type, sums.ad_type) AS ad_type,
  known.ad_type AS known_ad_type,
  coalesce(campaigns.name, '') AS campaign_name,
  coalesce(groups.name, '') AS ad_group_name,
  coalesce(known.keyword_text, '') AS keyword_text,
  coalesce(known.match_type, '') AS match_type,
  coalesce(known.status, '') AS keyword_status,
  coalesce(campaigns.cost_type, groups.cost_type, '') AS cost_type,
  coalesce(known.bid, amount(0)) AS bid,
  {sumsOrZero}
FROM (SELECT * FROM keyword WHERE one_of(channel, {channels:Array(Int32)})) AS known
FULL JOIN sums ON known.channel = sums.channel AND known.keyword_id = sums.keyword_id
LEFT JOIN ({named.sql}) AS named
  ON named.channel = sums.channel AND named.keyword_id = sums.keyword_id
LEFT JOIN (SELECT * FROM campaign WHERE one_of(channel, {channels:Array(Int32)})) AS campaigns
  ON coalesce(known.channel, sums.channel) = campaigns.channel
  AND coalesce(known.campaign_id, named.campaign_id) = campaigns.campaign_id
LEFT JOIN (SELECT * FROM ad_group WHERE one_of(channel, {channels:Array(Int32)})) AS groups
  ON coalesce(known.channel, sums.channel) = groups.channel
  AND coalesce(known.ad_group_id, named.ad_group_id) = groups.ad_group_id
WHERE matches(coalesce(known.status, ''), {statuses:Array(String)})
  AND matches(coalesce(known.campaign_id, named.campaign_id), {campaigns:Array(String)})
  AND matches(coalesce(known.ad_group_id, named.ad_group_id), {adGroups:Array(String)})
