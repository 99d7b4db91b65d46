-- One row per keyword of these ad groups.
SELECT ad_group_id, keyword_id, keyword_text, match_type
FROM keyword
WHERE channel = {channel:Int32} AND one_of(ad_group_id, {keys:Array(String)})
