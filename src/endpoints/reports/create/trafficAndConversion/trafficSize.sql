-- One row per channel: the number of its rows of traffic in either window.
SELECT CAST(count(*) AS BIGINT) AS traffic_rows
FROM traffic
WHERE channel = {channel:Int32} AND (
  (day >= {first:Date} AND day <= {last:Date})
  OR (day >= {priorFirst:Date} AND day <= {priorLast:Date})
)
