-- One row in all: the number of quarters of an hour between two instants with order lines of the
-- channel.
SELECT CAST(count(*) AS BIGINT) AS slots
FROM order_slot
WHERE channel = {channel:Int32} AND day >= {firstUtc:Date} AND day <= {lastUtc:Date}
  AND slot_at >= {from:Int64} AND slot_at <= {until:Int64}
