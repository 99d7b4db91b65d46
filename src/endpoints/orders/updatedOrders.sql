-- One row per order that is as it was at the start of the walk, and that was updated last between `from` and `to`, both inclusive; of those of the
-- instant `from` itself only the ones behind `orderId`. Imports up to `lastImport` had landed by then, but for those of `lateImports`, which is
-- never empty.
SELECT order_id, day, purchased_at, updated_at, updated_at AS stands_at
FROM order_record
WHERE channel = {channel:Int32} AND updated_at >= {from:Int64} AND updated_at <= {to:Int64}
  AND import_id <= {lastImport:Int64} AND NOT one_of(import_id, {lateImports:Array(Int64)})
  AND (updated_at > {from:Int64} OR order_id > {orderId:String})
ORDER BY updated_at, order_id
LIMIT {limit:Int32}
