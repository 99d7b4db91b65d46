-- One row per sale of a seller in a window, from `from` to `to`: the part `sold` of questions. The
-- sales are the order lines that are not canceled and, on dates before the first one, the products
-- and dates of the marketplace's own figures, with the start of the date in UTC as `sold_at`.
SELECT
  sku, product_id, currency,
  local_day(purchased_at, {starts:Array(Int64)}, {offsets:Array(Int64)}) AS day,
  purchased_at AS sold_at, quantity AS units,
  item_price + CASE WHEN {withTax:Int32} = 1 THEN item_tax ELSE amount(0) END AS revenue
FROM order_line
WHERE channel = {channel:Int32} AND day >= {firstUtc:Date} AND day <= {lastUtc:Date}
  AND purchased_at >= {from:Int64} AND purchased_at <= {to:Int64} AND status <> 'Canceled'
UNION ALL
SELECT
  sku, product_id, currency, day,
  CASE
    WHEN units <> 0 OR revenue <> amount(0) THEN date_diff('day', {epoch:Date}, day) * 86400 ELSE 0
  END,
  units, revenue
FROM traffic
WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
  AND day < {ordersFrom:Date}
