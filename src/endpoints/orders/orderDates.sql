-- One row per channel with orders: the first and the last instant of purchases, and of updates.
SELECT
  channel,
  min(purchased_at) AS first_purchase,
  max(purchased_at) AS last_purchase,
  min(updated_at) AS first_update,
  max(updated_at) AS last_update
FROM order_record
WHERE channel = {channel:Int32}
GROUP BY channel
