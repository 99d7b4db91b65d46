-- One row per product of `items`, or of all products if it is empty, that a vendor sold before a
-- window, from `soldSince` on: the part `earlier` of questions. Sales are the same as in
-- vendorSold.sql.
SELECT
  '' AS sku, asin AS product_id, max(date_diff('day', {epoch:Date}, day) * 86400) AS sold_at
FROM vendor_sale
WHERE channel = {channel:Int32} AND day >= {soldSince:Date} AND day < {first:Date}
  AND view = 'MANUFACTURING' AND (ordered_units <> 0 OR ordered_revenue <> amount(0))
  AND matches(asin, {items:Array(String)})
GROUP BY asin
