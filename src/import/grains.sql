-- One row per partition, date range and import of the facts that overlap the days from `first` to
-- `last`; single days only with `withDays`.
SELECT {partition} AS part, since, day, import_id
FROM {table}
WHERE channel = {channel:Int32} AND day >= {first:Date} AND since <= {last:Date}
  AND matches({partition}, {parts:Array(String)}) AND (since < day OR {withDays:Int32} = 1)
GROUP BY part, since, day, import_id
ORDER BY since, day, import_id
