-- One row per channel that has order lines: the start of the first quarter of an hour in which it has one.
-- An order line of any status counts: from its day on, order lines tell the sales.
SELECT channel, min(slot_at) AS since
FROM order_slot
WHERE channel >= {leastChannel:Int32} AND channel <= {mostChannel:Int32} AND one_of(channel, {channels:Array(Int32)})
GROUP BY channel
