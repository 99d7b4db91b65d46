-- One row per order, instant and source of the events of these orders on the UTC days from `first`
-- to `last`.
SELECT DISTINCT order_id, posted_at, source
FROM finance_event
WHERE channel = {channel:Int32}
  AND day >= {first:Date} AND day <= {last:Date}
  AND in_list(order_id, {keys:Array(String)})
