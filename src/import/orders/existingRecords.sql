-- One row per existing order with one of these ids, purchased on the UTC days from `first` to
-- `last`: its record and the buyer's sealed e-mail address.
SELECT order_id, record, sealed_email
FROM order_record
WHERE channel = {channel:Int32}
  AND day >= {first:Date} AND day <= {last:Date}
  AND in_list(order_id, {orderIds:Array(String)})
