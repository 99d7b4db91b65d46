-- One row per product of `items`, or of all where it is empty, that was sold before a window, from
-- `soldSince` on: when it was last sold.
SELECT row_key, max(sold_at) AS last_sold_at
FROM ({placed}) AS placed
GROUP BY row_key
