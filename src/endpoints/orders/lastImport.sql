-- One row in all: the highest import number among the orders of the channel, or null.
SELECT max(import_id) AS last_import
FROM order_record
WHERE channel = {channel:Int32}
