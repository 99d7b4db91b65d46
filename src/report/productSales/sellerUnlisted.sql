-- One row per date from `first` to `last` and currency: the sales that the marketplace reports of
-- the whole store of a seller beyond those of its products.
SELECT day, currency, sum(sold) AS total_sales, CAST(sum(pieces) AS BIGINT) AS units_sold
FROM (
  SELECT day, currency, traffic_revenue AS sold, traffic_units AS pieces
  FROM store_day
  WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
  UNION ALL
  SELECT day, currency, amount(0) - revenue, 0 - units
  FROM traffic
  WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
) AS both_sides
GROUP BY day, currency
