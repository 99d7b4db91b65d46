-- One row per currency in which the channel has order lines that are not canceled: the quarters of an hour from which to which, by their
-- starts, and how many of them have prices that do not add up to nothing.
SELECT
  currency,
  min(slot_at) AS since,
  max(slot_at) AS until,
  CAST(sum(CASE WHEN item_price <> amount(0) THEN 1 ELSE 0 END) AS BIGINT) AS priced
FROM order_slot
WHERE channel = {channel:Int32} AND line_items > 0
GROUP BY currency
