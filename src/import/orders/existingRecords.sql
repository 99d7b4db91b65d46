-- One row per stored order of these ids that was purchased on the UTC days from `first` to `last`:
-- its record and the sealed e-mail address of its buyer.
SELECT order_id, record, sealed_email
FROM order_record
WHERE channel = {channel:Int32}
  AND day >= {first:Date} AND day <= {last:Date}
  AND in_list(order_id, {orderIds:Array(String)})
