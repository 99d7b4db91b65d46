-- One row per product and date of a window before the first order line that the marketplace's own
-- figures have. A sale of such a date has its start in UTC as `sold_at`.
SELECT 1 AS is_current, {reported}
FROM traffic
WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
  AND day < {ordersFrom:Date}
UNION ALL
SELECT 0 AS is_current, {reported}
FROM traffic
WHERE channel = {channel:Int32} AND day >= {priorFirst:Date} AND day <= {priorLast:Date}
  AND day < {ordersFrom:Date}
