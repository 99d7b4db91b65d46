-- One row per partition, import and currency with rows of `table` on the days from `first` to
-- `last`, as far as the table has partitions and currencies: the number of its rows, and sums of
-- their leading figures.
SELECT {columns}, CAST(count(*) AS BIGINT) AS found
FROM {table}
WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
GROUP BY {grain}
