-- One row per order and whether its lines belong to the store itself or to another of these stores,
-- on the UTC days from `first` to `last`.
SELECT DISTINCT order_id, CASE WHEN channel = {channel:Int32} THEN 1 ELSE 0 END AS own
FROM order_line
WHERE one_of(channel, {channels:Array(Int32)})
  AND day >= {first:Date} AND day <= {last:Date}
  AND in_list(order_id, {keys:Array(String)})
