-- One row per order that has changed since the first page and whose version at that time was last
-- updated between `from` and `to`, both inclusive; if updated at `from`, only with an id after
-- `orderId`. The first page saw all imports up to `lastImport` except `lateImports`, which is never
-- empty. No version is older than the one before it. `firstImport` is the first import that the
-- first page did not see: the plain bound lets the store skip blocks.
SELECT order_id, day, purchased_at, updated_at, position
FROM (
  SELECT
    order_id, day, purchased_at, updated_at,
    version_as_of(
      versions,
      {historyMax:Int32},
      {lastImport:Int64},
      {lateImports:Array(Int64)}
    ) AS position
  FROM order_record
  WHERE channel = {channel:Int32} AND updated_at >= {from:Int64} AND versions <> ''
    AND import_id >= {firstImport:Int64}
    AND (import_id > {lastImport:Int64} OR one_of(import_id, {lateImports:Array(Int64)}))
) AS changed
WHERE position >= {from:Int64} AND position <= {to:Int64}
  AND (position > {from:Int64} OR order_id > {orderId:String})
ORDER BY position, order_id
LIMIT {limit:Int32}
