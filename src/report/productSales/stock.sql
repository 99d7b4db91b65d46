-- One row per SKU of `items`, or of all SKUs if it is empty, with inventory up to `stockUntil`: the
-- snapshot since which no unit has been available, null if some are. `stockReports` are the reports
-- by precedence.
SELECT
  sku,
  nullif(
    coalesce(max(CASE WHEN available > 0 THEN next_day END), min(day)), {never:Date}
  ) AS out_since
FROM (
  SELECT
    sku, day, available,
    lead(day, 1, {never:Date}) OVER (PARTITION BY sku ORDER BY day) AS next_day
  FROM (
    SELECT sku, day, first_by(available, report, {stockReports:Array(String)}) AS available
    FROM inventory
    WHERE channel = {channel:Int32} AND day <= {stockUntil:Date}
      AND matches(sku, {items:Array(String)})
    GROUP BY sku, day
  ) AS snapshots
) AS followed
GROUP BY sku
