-- One row per order line and refund in either window: the part `facts` of questions. Without a
-- comparison period, the period itself takes its place.
SELECT
  sku, product_id, purchased_at AS fact_at, currency,
  local_day(purchased_at, {starts:Array(Int64)}, {offsets:Array(Int64)}) AS local_date,
  quantity AS gross_units,
  CASE WHEN status = 'Canceled' THEN quantity ELSE 0 END AS canceled_units,
  0 AS refunded_units,
  item_price + CASE WHEN {withTax:Int32} = 1 THEN item_tax ELSE amount(0) END AS gross,
  CASE
    WHEN status <> 'Canceled' THEN amount(0)
    ELSE item_price + CASE WHEN {withTax:Int32} = 1 THEN item_tax ELSE amount(0) END
  END AS canceled,
  amount(0) AS refunded
FROM order_line
WHERE channel = {channel:Int32} AND (
  (day >= {fromUtc:Date} AND day <= {toUtc:Date}
    AND purchased_at >= {from:Int64} AND purchased_at <= {to:Int64})
  OR (day >= {priorFromUtc:Date} AND day <= {priorToUtc:Date}
    AND purchased_at >= {priorFrom:Int64} AND purchased_at <= {priorTo:Int64})
)
UNION ALL
SELECT
  sku, '', posted_at, currency,
  local_day(posted_at, {starts:Array(Int64)}, {offsets:Array(Int64)}),
  0, 0, quantity, amount(0), amount(0),
  -(amount + CASE WHEN {withTax:Int32} = 1 THEN tax ELSE amount(0) END)
FROM finance_event
WHERE channel = {channel:Int32} AND line = 'refunds' AND (
  (day >= {fromUtc:Date} AND day <= {toUtc:Date}
    AND posted_at >= {from:Int64} AND posted_at <= {to:Int64})
  OR (day >= {priorFromUtc:Date} AND day <= {priorToUtc:Date}
    AND posted_at >= {priorFrom:Int64} AND posted_at <= {priorTo:Int64})
)
