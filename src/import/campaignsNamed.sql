-- One row per campaign with one of these names.
SELECT name, campaign_id, ad_type
FROM campaign
WHERE channel = {channel:Int32} AND one_of(name, {keys:Array(String)})
