-- One row per partition, import and currency with financial events from `from` to `to`, but for
-- those of the code `marker`: like factsOfDay.sql.
SELECT {columns}, CAST(count(*) AS BIGINT) AS found
FROM finance_event
WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
  AND posted_at >= {from:Int64} AND posted_at <= {to:Int64} AND code <> {marker:String}
GROUP BY {grain}
