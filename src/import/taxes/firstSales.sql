-- One row per order of the channel with sales: when the first was posted.
SELECT order_id, min(posted_at) AS sold_at
FROM finance_event
WHERE channel = {channel:Int32} AND order_id <> '' AND source <> 'rows' AND line = 'sales'
  AND amount <> amount(0)
GROUP BY order_id
