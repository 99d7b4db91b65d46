-- One row per currency of order lines that are not canceled: the starts of its first and last
-- quarter of an hour, and the number of quarters whose prices do not sum to zero.
SELECT
  currency,
  min(slot_at) AS since,
  max(slot_at) AS until,
  CAST(sum(CASE WHEN item_price <> amount(0) THEN 1 ELSE 0 END) AS BIGINT) AS priced
FROM order_slot
WHERE channel = {channel:Int32} AND line_items > 0
GROUP BY currency
