-- One row per channel with events of the profit and loss: the starts of their first and last
-- quarter of an hour.
SELECT channel, min(slot_at) AS since, max(slot_at) AS until
FROM profit_slot
WHERE one_of(channel, {channels:Array(Int32)})
GROUP BY channel
