-- One row per order that has changed since the start of the walk, where the version of it that was held then was updated last between `from` and
-- `to`, both inclusive; of those of the instant `from` itself only the ones behind `orderId`. Imports up to `lastImport` had landed by then, but for
-- those of `lateImports`, which is never empty. No version is older than the one before it.
-- `firstImport` is the first that had not landed: such a plain bound alone lets whole blocks be passed over.
SELECT order_id, day, purchased_at, updated_at, stands_at
FROM (
  SELECT order_id, day, purchased_at, updated_at,
    version_as_of(versions, {remembered:Int32}, {lastImport:Int64}, {lateImports:Array(Int64)}) AS stands_at
  FROM order_record
  WHERE channel = {channel:Int32} AND updated_at >= {from:Int64} AND versions <> ''
    AND import_id >= {firstImport:Int64} AND (import_id > {lastImport:Int64} OR one_of(import_id, {lateImports:Array(Int64)}))
) AS changed
WHERE stands_at >= {from:Int64} AND stands_at <= {to:Int64} AND (stands_at > {from:Int64} OR order_id > {orderId:String})
ORDER BY stands_at, order_id
LIMIT {limit:Int32}
