-- One row per order purchased between `from` and `to`, both inclusive, on the UTC days from `first`
-- to `last`; if purchased at `from`, only with an id after `orderId`. `position` sorts the list.
SELECT order_id, day, purchased_at, updated_at, purchased_at AS position
FROM order_record
WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
  AND purchased_at >= {from:Int64} AND purchased_at <= {to:Int64}
  AND (purchased_at > {from:Int64} OR order_id > {orderId:String})
ORDER BY purchased_at, order_id
LIMIT {limit:Int32}
