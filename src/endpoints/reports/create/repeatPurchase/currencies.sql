-- One row per currency with amounts of order lines in either window, with their first and last
-- local date.
SELECT currency, min(local_date) AS first, max(local_date) AS last
FROM (
  SELECT
    currency,
    local_day(purchased_at, {starts:Array(Int64)}, {offsets:Array(Int64)}) AS local_date,
    item_price + CASE WHEN {withTax:Int32} = 1 THEN item_tax ELSE amount(0) END AS sales
  FROM order_line
  WHERE channel = {channel:Int32} AND status <> 'Canceled' AND (
    (day >= {fromUtc:Date} AND day <= {toUtc:Date}
      AND purchased_at >= {from:Int64} AND purchased_at <= {to:Int64})
    OR (day >= {priorFromUtc:Date} AND day <= {priorToUtc:Date}
      AND purchased_at >= {priorFrom:Int64} AND purchased_at <= {priorTo:Int64})
  )
) AS line
WHERE sales <> amount(0)
GROUP BY currency
