-- One row per campaign with a provisional id.
SELECT campaign_id, ad_type, name
FROM campaign
WHERE channel = {channel:Int32} AND campaign_id LIKE '0________________________'
