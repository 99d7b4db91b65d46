-- One row in all: the number of quarter hours between two instants in which the channel has order
-- lines.
SELECT CAST(count(*) AS BIGINT) AS slots
FROM order_slot
WHERE channel = {channel:Int32} AND day >= {firstUtc:Date} AND day <= {lastUtc:Date}
  AND slot_at >= {from:Int64} AND slot_at <= {until:Int64}
