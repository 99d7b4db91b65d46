-- One row per product, date and report of the shipments in either window: the part `sales` of
-- asins.sql.
SELECT
  asin, day, currency, shipped_units AS units, shipped_revenue, shipped_cogs,
  CASE
    WHEN shipped_revenue <> amount(0) OR shipped_cogs <> amount(0) THEN 1 ELSE 0
  END AS is_priced,
  CASE
    WHEN shipped_units <> 0 OR shipped_revenue <> amount(0) OR shipped_cogs <> amount(0) THEN 1
    ELSE 0
  END AS is_active
FROM vendor_sale
WHERE channel = {channel:Int32} AND (
  (day >= {first:Date} AND day <= {last:Date})
  OR (day >= {priorFirst:Date} AND day <= {priorLast:Date})
) AND view = {view:String}
