-- One row per day and `{grain}` with figures from `first` to `last`. `{joins}` joins what is known
-- of them; `{shown}` are its columns.
WITH sums AS (
  SELECT day, {grouped}, {sums}
  FROM {figures}
  WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
  GROUP BY day, {grain}
)
SELECT sums.day AS day, {shown}, {summed}
FROM sums
{joins}
ORDER BY sums.day, {order}
