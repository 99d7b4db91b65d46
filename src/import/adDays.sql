-- One row per id of `keys`, partition, date range and import with figures. The ids are of
-- campaigns, ad groups or keywords.
SELECT DISTINCT {id} AS id, report, since, day, import_id
FROM {table}
WHERE channel = {channel:Int32} AND day >= {first:Date} AND since <= {last:Date}
  AND in_list({id}, {keys:Array(String)})
