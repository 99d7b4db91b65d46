-- One row for the order with that number; none if it is unknown.
SELECT order_id, day, purchased_at, updated_at
FROM order_record
WHERE channel = {channel:Int32} AND order_id = {orderId:String}
