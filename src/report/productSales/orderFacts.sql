-- One row per order line of a window, and per product and date before the first order line that the
-- marketplace's own figures have. Canceled lines do not count. A sale of such a date has its start
-- in UTC as `sold_at`.
SELECT 1 AS is_current, {ordered}
FROM order_line
WHERE channel = {channel:Int32} AND day >= {firstUtc:Date} AND day <= {lastUtc:Date}
  AND purchased_at >= {from:Int64} AND purchased_at <= {to:Int64} AND status <> 'Canceled'
UNION ALL
SELECT 0 AS is_current, {ordered}
FROM order_line
WHERE channel = {channel:Int32} AND day >= {priorFirstUtc:Date} AND day <= {priorLastUtc:Date}
  AND purchased_at >= {priorFrom:Int64} AND purchased_at <= {priorTo:Int64} AND status <> 'Canceled'
UNION ALL
SELECT 1 AS is_current, {reported}
FROM traffic
WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
  AND day < {ordersFrom:Date}
UNION ALL
SELECT 0 AS is_current, {reported}
FROM traffic
WHERE channel = {channel:Int32} AND day >= {priorFirst:Date} AND day <= {priorLast:Date}
  AND day < {ordersFrom:Date}
