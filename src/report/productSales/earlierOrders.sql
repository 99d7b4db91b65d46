-- One row per window and order line before it, and per product and date before the first order line
-- on which the marketplace's own figures have sales. They only say when a product was last sold.
SELECT 1 AS is_current, {earlierOrdered}
FROM order_line
WHERE channel = {channel:Int32} AND day <= {firstUtc:Date} AND purchased_at < {from:Int64}
  AND status <> 'Canceled' AND {ofItems}
UNION ALL
SELECT 0 AS is_current, {earlierOrdered}
FROM order_line
WHERE channel = {channel:Int32} AND day <= {priorFirstUtc:Date}
  AND purchased_at < {priorFrom:Int64} AND status <> 'Canceled' AND {ofItems}
UNION ALL
SELECT 1 AS is_current, {earlierReported}
FROM traffic
WHERE channel = {channel:Int32} AND day < {first:Date} AND day < {ordersFrom:Date} AND {ofItems}
UNION ALL
SELECT 0 AS is_current, {earlierReported}
FROM traffic
WHERE channel = {channel:Int32} AND day < {priorFirst:Date} AND day < {ordersFrom:Date}
  AND {ofItems}
