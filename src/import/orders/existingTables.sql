-- One row per table of orders that has facts of the channel on the UTC days from `first` to `last`.
SELECT 'order_record' AS name
FROM (
  SELECT day FROM order_record
  WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
  LIMIT 1
)
UNION ALL
SELECT 'order_line' AS name
FROM (
  SELECT day FROM order_line
  WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
  LIMIT 1
)
