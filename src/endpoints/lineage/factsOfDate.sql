-- One row per partition, import and currency with rows of `table` on a date, if the table has
-- partitions and currencies: the number of rows, and the sums of their leading figures.
SELECT
  {grouped},
  CAST(count(*) AS BIGINT) AS found{extra}{sums}
FROM {table}
WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}{conditions}
GROUP BY {grouped}
