-- One row per order line of a window. Canceled lines do not count.
SELECT 1 AS is_current, {ordered}
FROM order_line
WHERE channel = {channel:Int32} AND day >= {firstUtc:Date} AND day <= {lastUtc:Date}
  AND purchased_at >= {from:Int64} AND purchased_at <= {to:Int64} AND status <> 'Canceled'
UNION ALL
SELECT 0 AS is_current, {ordered}
FROM order_line
WHERE channel = {channel:Int32} AND day >= {priorFirstUtc:Date} AND day <= {priorLastUtc:Date}
  AND purchased_at >= {priorFrom:Int64} AND purchased_at <= {priorTo:Int64} AND status <> 'Canceled'
