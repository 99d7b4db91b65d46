-- One row in all: how many figures of campaigns of a channel come from search terms alone, with the
-- first and the last of their dates, in the dates of imports of search terms.
SELECT CAST(count(*) AS BIGINT) AS rows_found, min(day) AS first_day, max(day) AS last_day
FROM campaign_day
WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
  AND report LIKE '%/terms'
