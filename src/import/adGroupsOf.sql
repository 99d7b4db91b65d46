-- One row per ad group of these campaigns.
SELECT campaign_id, ad_group_id, name
FROM ad_group
WHERE channel = {channel:Int32} AND one_of(campaign_id, {keys:Array(String)})
