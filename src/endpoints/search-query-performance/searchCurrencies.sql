-- One row per currency and month (its first day) in which the channel has figures in either window.
SELECT DISTINCT currency, day
FROM search_month
WHERE channel = {channel:Int32}
  AND ((day >= {first:Date} AND day <= {last:Date}) OR (day >= {priorFirst:Date} AND day <= {priorLast:Date}))
