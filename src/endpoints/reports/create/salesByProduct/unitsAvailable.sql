-- One row per SKU of `items` with inventory up to `last`: the units available in the last snapshot.
SELECT sku, argMax(available, day) AS available
FROM (
  SELECT sku, day, first_by(available, report, {stockReports:Array(String)}) AS available
  FROM inventory
  WHERE channel = {channel:Int32} AND day <= {last:Date} AND in_list(sku, {items:Array(String)})
  GROUP BY sku, day
) AS snapshots
GROUP BY sku
