-- One row per product with shipments in a window: only `keys`, or all if it is empty. The window is
-- `first` to `last`, and the same in `priorFirst` and `priorLast`. `margin_revenue` is the revenue
-- on the dates with a margin, and `margin_weighted` the sum of margin x revenue. Most margins are
-- for single dates; a few cover several dates and count for each of them.
SELECT
  asin AS row_key,
  CAST(sum(units) AS BIGINT) AS shipped_units,
  sum(unconverted(shipped_revenue, currency)) AS shipped_revenue,
  CAST(sum_converted(shipped_revenue, currency, day) AS DOUBLE) AS shipped_revenue_converted,
  sum(unconverted(shipped_cogs, currency)) AS shipped_cogs,
  CAST(sum_converted(shipped_cogs, currency, day) AS DOUBLE) AS shipped_cogs_converted,
  sum(unconverted(margin_revenue, currency)) AS margin_revenue,
  CAST(sum_converted(margin_revenue, currency, day) AS DOUBLE) AS margin_revenue_converted,
  CAST(sum(margin * (
    CAST(unconverted(margin_revenue, currency) AS DOUBLE)
    + converted(margin_revenue, currency, day)
  )) AS DOUBLE) AS margin_weighted
FROM (
  SELECT
    sale.asin AS asin, sale.day AS day, currency, units, shipped_revenue, shipped_cogs,
    CASE
      WHEN coalesce(one.margin, many.margin) IS NULL THEN amount(0) ELSE shipped_revenue
    END AS margin_revenue,
    coalesce(one.margin, many.margin, 0) AS margin
  FROM (
    SELECT asin, day, currency, units, shipped_revenue, shipped_cogs
    FROM {sales} AS found
    WHERE matches(asin, {keys:Array(String)})
  ) AS sale
  LEFT JOIN (
    SELECT asin, day, CAST(net_pure_product_margin AS DOUBLE) AS margin
    FROM vendor_margin
    WHERE channel = {channel:Int32} AND (
      (day >= {first:Date} AND day <= {last:Date})
      OR (day >= {priorFirst:Date} AND day <= {priorLast:Date})
    ) AND since = day
  ) AS one ON one.asin = sale.asin AND one.day = sale.day
  LEFT JOIN (
    SELECT asin, since, day, CAST(net_pure_product_margin AS DOUBLE) AS margin
    FROM vendor_margin
    WHERE channel = {channel:Int32} AND since < day
  ) AS many ON many.asin = sale.asin AND sale.day >= many.since AND sale.day <= many.day
) AS priced
GROUP BY asin
