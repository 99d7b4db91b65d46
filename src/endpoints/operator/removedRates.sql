-- One row in all: the number of exchange rates of the source `source` from `first` to `last`, with
-- their first and last day.
SELECT CAST(count(*) AS BIGINT) AS found, min(day) AS first, max(day) AS last
FROM exchange_rate
WHERE channel = {channel:Int32} AND source = {source:String}
  AND day >= {first:Date} AND day <= {last:Date}
