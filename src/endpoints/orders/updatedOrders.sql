-- One row per order that is unchanged since the first page and was last updated between `from` and
-- `to`, both inclusive; if updated at `from`, only with an id after `orderId`. The first page saw
-- all imports up to `lastImport` except `lateImports`, which is never empty.
SELECT order_id, day, purchased_at, updated_at, updated_at AS position
FROM order_record
WHERE channel = {channel:Int32} AND updated_at >= {from:Int64} AND updated_at <= {to:Int64}
  AND import_id <= {lastImport:Int64} AND NOT one_of(import_id, {lateImports:Array(Int64)})
  AND (updated_at > {from:Int64} OR order_id > {orderId:String})
ORDER BY updated_at, order_id
LIMIT {limit:Int32}
