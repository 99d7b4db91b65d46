-- One row in all: the number of a channel's campaign figures that come from search terms alone, and
-- the first and last of their dates, among the dates of imports of search terms.
SELECT CAST(count(*) AS BIGINT) AS rows_found, min(day) AS first_day, max(day) AS last_day
FROM campaign_day
WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
  AND report LIKE '%/terms'
