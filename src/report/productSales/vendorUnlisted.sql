-- One row per date from `first` to `last` and currency: the sales that the marketplace reports of
-- the whole store of a vendor beyond those of its products.
SELECT day, currency, sum(sold) AS total_sales, CAST(sum(pieces) AS BIGINT) AS units_sold
FROM (
  SELECT day, currency, ordered_revenue AS sold, ordered_units AS pieces
  FROM vendor_day
  WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
  UNION ALL
  SELECT day, currency, amount(0) - ordered_revenue, 0 - ordered_units
  FROM vendor_sale
  WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
    AND view = 'MANUFACTURING'
) AS both_sides
GROUP BY day, currency
