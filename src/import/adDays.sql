-- One row per id of `keys`, partition and date range with figures: of campaigns, ad groups or
-- keywords.
SELECT DISTINCT {id} AS id, report, since, day
FROM {table}
WHERE channel = {channel:Int32} AND day >= {first:Date} AND since <= {last:Date}
  AND in_list({id}, {keys:Array(String)})
