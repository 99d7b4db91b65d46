-- One row per channel with order lines: the starts of their first and last quarter of an hour. A
-- line of any status counts: from its day on, order lines are the source of sales.
SELECT channel, min(slot_at) AS since, max(slot_at) AS until
FROM order_slot
WHERE one_of(channel, {channels:Array(Int32)})
GROUP BY channel
