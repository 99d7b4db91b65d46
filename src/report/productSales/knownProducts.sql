-- One row per SKU of the catalogue, and per SKU and snapshot of the inventory.
SELECT 1 AS is_current, {known}
FROM product
WHERE channel = {channel:Int32}
UNION ALL
SELECT 1 AS is_current, {known}
FROM inventory
WHERE channel = {channel:Int32} AND day <= {last:Date}
