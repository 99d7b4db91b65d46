-- One row per UTC day, quarter of an hour and currency with order lines. Canceled lines add
-- nothing, but their row remains: the channel's earliest row shows when its order lines begin.
-- Every offset from UTC in use is a whole number of quarters, so the slots of a day in any zone add
-- up to that day.
SELECT
  day,
  floor_multiple(purchased_at, 900) AS slot_at,
  currency,
  CAST(sum(CASE WHEN status <> 'Canceled' THEN 1 ELSE 0 END) AS BIGINT) AS line_items,
  CAST(sum(CASE WHEN status <> 'Canceled' THEN quantity ELSE 0 END) AS BIGINT) AS units,
  sum(CASE WHEN status <> 'Canceled' THEN item_price ELSE amount(0) END) AS item_price,
  sum(CASE WHEN status <> 'Canceled' THEN item_tax ELSE amount(0) END) AS item_tax
FROM order_line
WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
  AND matches(day, {days:Array(Date)})
GROUP BY day, floor_multiple(purchased_at, 900), currency
