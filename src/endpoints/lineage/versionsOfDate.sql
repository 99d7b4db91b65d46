-- One row per order of a date that has earlier versions: the import of its current state, and its
-- versions.
SELECT import_id, versions
FROM order_record
WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
  AND purchased_at >= {from:Int64} AND purchased_at <= {to:Int64}
  AND versions <> ''
