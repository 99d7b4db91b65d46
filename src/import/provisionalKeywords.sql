-- One row per keyword with a provisional id.
SELECT keyword_id, ad_group_id, match_type, keyword_text
FROM keyword
WHERE channel = {channel:Int32} AND keyword_id LIKE '0________________________'
