-- One row per product, date and report of a vendor's ordered revenue in a window, from `first` to
-- `last`: the part `sold` of questions. A sale has the start of its date in UTC as `sold_at`.
SELECT
  '' AS sku, asin AS product_id, currency, day,
  CASE
    WHEN ordered_units <> 0 OR ordered_revenue <> amount(0)
    THEN date_diff('day', {epoch:Date}, day) * 86400 ELSE 0
  END AS sold_at,
  ordered_units AS units, ordered_revenue AS revenue
FROM vendor_sale
WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
  AND view = 'MANUFACTURING'
