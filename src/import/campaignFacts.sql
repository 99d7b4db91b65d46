-- One row per import: how many facts about campaigns it brought, and on how many days.
SELECT
  import_id,
  CAST(count(*) AS BIGINT) AS facts,
  CAST(count(DISTINCT day) AS BIGINT) AS days
FROM campaign_day
WHERE one_of(channel, {channels:Array(Int32)}) AND day >= {first:Date} AND day <= {last:Date}
  AND in_list(import_id, {imports:Array(Int64)})
GROUP BY import_id
