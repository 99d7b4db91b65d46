-- One row per quarter of an hour and currency in which the channel has order lines, on the UTC days asked for: every one from `first` to `last`, or those of `days` among them.
-- Canceled lines count nothing, but leave the row: the first row of all tells since when the channel's order lines are known.
-- Every offset from UTC in use is a whole number of quarters, so the slots of any zone's day add up to that day.
SELECT
  day,
  floor_multiple(purchased_at, 900) AS slot_at,
  currency,
  CAST(sum(CASE WHEN status <> 'Canceled' THEN 1 ELSE 0 END) AS BIGINT) AS line_items,
  CAST(sum(CASE WHEN status <> 'Canceled' THEN quantity ELSE 0 END) AS BIGINT) AS units,
  sum(CASE WHEN status <> 'Canceled' THEN item_price ELSE amount(0) END) AS item_price,
  sum(CASE WHEN status <> 'Canceled' THEN item_tax ELSE amount(0) END) AS item_tax
FROM order_line
WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date} AND matches(day, {days:Array(Date)})
GROUP BY day, floor_multiple(purchased_at, 900), currency
