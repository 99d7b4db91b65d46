-- One row per product, date and type of advertising of a window.
SELECT 1 AS is_current, {advertised}
FROM ad_product_day
WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
UNION ALL
SELECT 0 AS is_current, {advertised}
FROM ad_product_day
WHERE channel = {channel:Int32} AND day >= {priorFirst:Date} AND day <= {priorLast:Date}
