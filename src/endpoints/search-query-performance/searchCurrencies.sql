-- One row per currency and month (its first day) in which the channel has amounts in either window.
SELECT DISTINCT currency, day
FROM search_month
WHERE channel = {channel:Int32}
  AND ((day >= {first:Date} AND day <= {last:Date}) OR (day >= {priorFirst:Date} AND day <= {priorLast:Date}))
  AND (revenue <> amount(0) OR total_revenue <> amount(0))
