-- One row per order of `orderIds`. The ranges of days and instants, all inclusive, let the store
-- skip blocks.
SELECT order_id, purchased_at, updated_at, status, record, sealed_email
FROM order_record
WHERE channel = {channel:Int32} AND day >= {firstDay:Date} AND day <= {lastDay:Date}
  AND purchased_at >= {firstPurchase:Int64} AND purchased_at <= {lastPurchase:Int64}
  AND updated_at >= {firstUpdate:Int64} AND updated_at <= {lastUpdate:Int64}
  AND one_of(order_id, {orderIds:Array(String)})
