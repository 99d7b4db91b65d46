-- One row per currency of sales in either window, with their first and last date.
SELECT currency, min(day) AS first, max(day) AS last
FROM traffic
WHERE channel = {channel:Int32} AND revenue <> amount(0) AND (
  (day >= {first:Date} AND day <= {last:Date})
  OR (day >= {priorFirst:Date} AND day <= {priorLast:Date})
)
GROUP BY currency
