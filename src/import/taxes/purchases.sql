-- One row per order line of the channel whose date of purchase is `{within}`: its order.
SELECT order_id
FROM order_line
WHERE channel = {channel:Int32} AND {within}
