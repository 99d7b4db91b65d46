-- One row per product of `items`, or of all products if it is empty, that was sold before a window,
-- from `soldSince` on: the time of its last sale.
SELECT row_key, max(sold_at) AS last_sold_at
FROM ({placed.sql}) AS placed
GROUP BY row_key
