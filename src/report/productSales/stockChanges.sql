-- One row per SKU and snapshot that has units when the one before had none, or none when it had
-- some; the first snapshot of a SKU is included. At most `limit`.
SELECT sku, day, is_available
FROM (
  SELECT
    sku, day, is_available,
    lag(is_available, 1, 2) OVER (PARTITION BY sku ORDER BY day) AS was_available
  FROM (
    SELECT
      sku, day,
      CASE
        WHEN first_by(available, report, {stockReports:Array(String)}) > 0 THEN 1 ELSE 0
      END AS is_available
    FROM inventory
    WHERE channel = {channel:Int32}
    GROUP BY sku, day
  ) AS snapshots
) AS followed
WHERE is_available <> was_available
ORDER BY sku, day
LIMIT {limit:Int32}
