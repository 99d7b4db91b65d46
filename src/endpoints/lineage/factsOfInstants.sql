-- One row per partition, import and currency with rows of `table` whose instant is from `from` to
-- `to`: like factsOfDay.sql.
SELECT {columns}, CAST(count(*) AS BIGINT) AS found
FROM {table}
WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
  AND {instant} >= {from:Int64} AND {instant} <= {to:Int64}
GROUP BY {grain}
