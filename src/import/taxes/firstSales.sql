-- One row per order of the channel with sales, of which the first is `{within}`.
SELECT order_id
FROM finance_event
WHERE channel = {channel:Int32} AND order_id <> '' AND source <> 'rows' AND line = 'sales'
  AND amount <> amount(0)
GROUP BY order_id
HAVING {within}
