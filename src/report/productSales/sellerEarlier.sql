-- One row per SKU and product id of `items`, or of all items if it is empty, that a seller sold
-- before a window, from `soldSince` on: the part `earlier` of questions. Its sales are the same as
-- in sellerSold.sql.
SELECT sku, product_id, max(purchased_at) AS sold_at
FROM order_line
WHERE channel = {channel:Int32} AND day >= {soldSince:Date} AND day <= {firstUtc:Date}
  AND purchased_at < {from:Int64} AND status <> 'Canceled'
  AND matches(CASE WHEN sku = '' THEN product_id ELSE sku END, {items:Array(String)})
GROUP BY sku, product_id
UNION ALL
SELECT sku, product_id, max(date_diff('day', {epoch:Date}, day) * 86400)
FROM traffic
WHERE channel = {channel:Int32} AND day >= {soldSince:Date} AND day < {first:Date}
  AND day < {ordersFrom:Date} AND (units <> 0 OR revenue <> amount(0))
  AND matches(CASE WHEN sku = '' THEN product_id ELSE sku END, {items:Array(String)})
GROUP BY sku, product_id
