-- One row per held order of those asked for that was purchased on the UTC days from `first` to `last`: what is kept of it besides its state.
SELECT order_id, record, sealed_email
FROM order_record
WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date} AND in_list(order_id, {orderIds:Array(String)})
