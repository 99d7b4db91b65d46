-- One row per currency in which the channel has order lines that are not canceled: from when to when, and how many of them have a price.
SELECT
  currency,
  min(purchased_at) AS since,
  max(purchased_at) AS until,
  CAST(sum(CASE WHEN item_price <> amount(0) THEN 1 ELSE 0 END) AS BIGINT) AS priced
FROM order_line
WHERE channel = {channel:Int32} AND status <> 'Canceled'
GROUP BY currency
