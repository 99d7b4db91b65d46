-- One row per currency and month (its first day) with figures in either period.
SELECT DISTINCT currency, day
FROM search_month
WHERE channel = {channel:Int32} AND (
  (day >= {first:Date} AND day <= {last:Date})
  OR (day >= {priorFirst:Date} AND day <= {priorLast:Date})
)
