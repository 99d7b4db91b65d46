-- One row per existing order with one of these ids, purchased on the UTC days from `first` to
-- `last`: the state that its lines repeat.
SELECT order_id, purchased_at, updated_at, items_at, status, customer
FROM order_record
WHERE channel = {channel:Int32}
  AND day >= {first:Date} AND day <= {last:Date}
  AND in_list(order_id, {orderIds:Array(String)})
