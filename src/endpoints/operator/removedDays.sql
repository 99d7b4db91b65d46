-- One row in all: the number of rows of `table` of a channel from `first` to `last`, with their
-- first and last day.
SELECT CAST(count(*) AS BIGINT) AS found, min(day) AS first, max(day) AS last
FROM {table}
WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
