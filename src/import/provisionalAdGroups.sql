-- One row per ad group with a provisional id.
SELECT ad_group_id, campaign_id, name
FROM ad_group
WHERE channel = {channel:Int32} AND ad_group_id LIKE '0________________________'
