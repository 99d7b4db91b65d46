-- One row per product, date and report of a vendor's ordered revenue in a window.
SELECT 1 AS is_current, {reported}
FROM vendor_sale
WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
  AND view = 'MANUFACTURING'
UNION ALL
SELECT 0 AS is_current, {reported}
FROM vendor_sale
WHERE channel = {channel:Int32} AND day >= {priorFirst:Date} AND day <= {priorLast:Date}
  AND view = 'MANUFACTURING'
