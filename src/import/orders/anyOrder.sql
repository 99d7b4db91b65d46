-- One row per channel that has order records: none or one.
SELECT order_id
FROM order_record
WHERE channel = {channel:Int32}
LIMIT 1
