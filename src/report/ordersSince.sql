-- One row per channel with order lines: the start of the quarter of an hour of its first one.
-- A line of any status counts: from its day on, order lines are the source of sales.
SELECT channel, min(slot_at) AS since
FROM order_slot
WHERE one_of(channel, {channels:Array(Int32)})
GROUP BY channel
