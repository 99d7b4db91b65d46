-- One row per currency of the figures from `first` to `last`, with their first and last date.
SELECT currency, min(day) AS first, max(day) AS last
FROM {table}
WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
GROUP BY currency
