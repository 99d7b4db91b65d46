-- One row per held order of those asked for: the state that its lines repeat.
SELECT order_id, purchased_at, updated_at, status, customer
FROM order_record
WHERE channel = {channel:Int32} AND one_of(order_id, {orderIds:Array(String)})
