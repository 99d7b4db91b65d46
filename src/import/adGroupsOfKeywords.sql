-- One row per keyword of `keys`, with its ad group.
SELECT keyword_id, ad_group_id
FROM keyword
WHERE channel = {channel:Int32} AND in_list(keyword_id, {keys:Array(String)})
