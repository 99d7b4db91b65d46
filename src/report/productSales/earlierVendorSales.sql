-- One row per window, product, date before it and report with ordered units of a vendor. They only
-- say when a product was last sold.
SELECT 1 AS is_current, {earlierReported}
FROM vendor_sale
WHERE channel = {channel:Int32} AND day < {first:Date} AND view = 'MANUFACTURING' AND {ofItems}
UNION ALL
SELECT 0 AS is_current, {earlierReported}
FROM vendor_sale
WHERE channel = {channel:Int32} AND day < {priorFirst:Date} AND view = 'MANUFACTURING'
  AND {ofItems}
