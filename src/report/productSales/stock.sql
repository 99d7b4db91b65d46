-- One row per SKU with inventory up to the end of either window: since which snapshot none has been
-- available, as of the end of each, null where some is or none is known. `stock` are the reports
-- by precedence.
SELECT sku, {outOfStock}
FROM (
  SELECT
    sku, day, available,
    lead(day, 1, {never:Date}) OVER (PARTITION BY sku ORDER BY day) AS next_day
  FROM (
    SELECT sku, day, first_by(available, report, {stockReports:Array(String)}) AS available
    FROM inventory
    WHERE channel = {channel:Int32} AND day <= greatest({last:Date}, {priorLast:Date}) AND {ofItems}
    GROUP BY sku, day
  ) AS snapshots
) AS followed
GROUP BY sku
