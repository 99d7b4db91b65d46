-- One row for order lines and one for financial events, if the channel has any: the starts of their
-- first and last quarter of an hour.
SELECT min(slot_at) AS since, max(slot_at) AS until
FROM order_slot
WHERE channel = {channel:Int32}
GROUP BY channel
UNION ALL
SELECT min(slot_at), max(slot_at)
FROM profit_slot
WHERE channel = {channel:Int32}
GROUP BY channel
