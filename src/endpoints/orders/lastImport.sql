-- One row: the highest number of an import that an order of the channel is from, or null.
SELECT max(import_id) AS last_import
FROM order_record
WHERE channel = {channel:Int32}
