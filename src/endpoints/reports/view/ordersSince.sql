-- At most one row: the start of the first quarter of an hour in which the channel has an order line.
-- An order line of any status counts: from its day on, order lines tell the sales.
SELECT slot_at
FROM order_slot
WHERE channel = {channel:Int32}
ORDER BY slot_at
LIMIT 1
