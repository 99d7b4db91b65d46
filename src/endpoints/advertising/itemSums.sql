-- One row per item of the channels with figures in their ranges, at most `limit`: its sums.
-- `{sumsOfItems}` is sums.sql.
SELECT *
FROM ({sumsOfItems}) AS sums
LIMIT {limit:Int32}
