-- One row per channel with events of the profit and loss: the starts of the first and of the last
-- quarter of an hour with any.
SELECT channel, min(slot_at) AS since, max(slot_at) AS until
FROM profit_slot
WHERE one_of(channel, {channels:Array(Int32)})
GROUP BY channel
