-- One row per channel and date whose campaign figures come from search terms alone.
SELECT DISTINCT channel, day
FROM campaign_day
WHERE one_of(channel, {channels:Array(Int32)}) AND day >= {first:Date} AND day <= {last:Date}
  AND report LIKE '%/terms'
