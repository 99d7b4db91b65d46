-- One row per date from `first` to `last` and currency: the sales that the marketplace reports for
-- the whole store beyond those of its products. The store's sales are in `{rollup}`, the products'
-- in `{figures}`.
SELECT day, currency, sum(sold) AS total_sales, CAST(sum(pieces) AS BIGINT) AS units_sold
FROM (
  SELECT day, currency, {storeSales} AS sold, {storeUnits} AS pieces
  FROM {rollup}
  WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
  UNION ALL
  SELECT day, currency, amount(0) - {sales}, 0 - {units}
  FROM {figures}
  WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date} AND {counts}
) AS both_sides
GROUP BY day, currency
